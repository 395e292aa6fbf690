#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "fetch/web.h"

namespace dowser {

class FetchLoop;
struct FetchSetup;

struct FetchLimits {
  Duration connect = std::chrono::seconds(10);     // TCP and TLS
  Duration first_byte = std::chrono::seconds(20);  // of the answer, once the request went out
  Duration stall = std::chrono::seconds(10);       // without any byte
  Duration total = std::chrono::seconds(60);       // from connecting to the last byte
  size_t header_bytes = 64 << 10;                  // more than 100 kB has no effect
  size_t body_bytes = 4 << 20;  // as they come, packed or not; a longer body is cut
};

// Pictures, sound, films, fonts, programs and archives of files.
bool is_unwanted_type(std::string_view content_type);

// What to do with the body of an answer with status 2xx, decided when its header has arrived.
struct BodyPlan {
  Failure stop = Failure::kNone;  // kUnwantedType, kUnwantedSize: the body is not read
  size_t most_bytes = 0;          // instead of FetchLimits::body_bytes; 0: as usual
  Duration total{0};              // instead of FetchLimits::total; 0: as usual
  bool counts = false;            // its bytes are taken from LiveWebOptions::budget
};
// Nothing is read of unwanted types.
BodyPlan usual_plan(const Url& url, const Response& head);

struct LiveWebOptions {
  std::string user_agent;                  // with contact
  std::vector<std::string> allowed_hosts;  // as HostTable has them: may be private
  int threads = 0;                         // 0: one per core
  FetchLimits limits;
  // Called on the fetch threads with the head of every answer with status 2xx.
  std::function<BodyPlan(const Url& url, const Response& head)> plan_body = usual_plan;
  // The memory for bodies that count, or null. Before the first byte of such a body is read, its
  // whole length is taken from it, or the most it may have if the server does not tell; until that
  // much is free, nothing is read from the connection. The receiver of the answer gives it back.
  ByteBudget* budget = nullptr;

  // At most this many requests are in flight to an IP address, whatever the names that lead there;
  // 0: no limit. A job that would be one too many is not sent: `on_no_connection` is called with it
  // and the address, on a fetch thread, instead of `done`, and the caller may start it again later.
  size_t max_per_address = 0;
  std::function<void(uint64_t job, const Url& url, const std::string& address)> on_no_connection;

  // Hosts that are reached elsewhere: {"example.org", "127.0.0.1:8780"}. Requests carry their own
  // name, no name server is used, and they may be private.
  std::vector<std::pair<std::string, std::string>> resolve_to;
  std::string dns_servers;  // "192.0.2.1,[2001:db8::1]:5353"; "" is those of the system
  std::string ca_file;      // certificates to trust; "" is those of the system
};

// The live web: one address, one answer, thousands in flight. It knows nothing about robots.txt or
// politeness, and does not follow redirects, which are answers; the caller decides what is
// requested and when.
//
// A request reveals nothing about this machine, and nothing of an address but host and target: no
// cookies, no proxies or passwords from the environment; "user:password@" is never sent. A private
// address is refused when the socket is about to be opened, so after DNS and for every address of
// the host, unless `allowed_hosts` names the host. Only http and https are supported.
//
// If a body is cut short after a part of it has arrived (the length was wrong, the connection was
// reset, a chunk was broken), the answer is `truncated`, and `cut_by` gives the reason. If the time
// ran out, it is a failure that keeps the part that arrived, since a retry may succeed. A redirect
// whose header has arrived is an answer in any case.
//
// The limit on open files is raised as far as the system allows; if it stays low, jobs wait for
// each other.
class LiveWeb {
 public:
  // `done` (or `on_no_connection`) is called once for every job, on the fetch thread of its host,
  // so that parsing and judging there run in parallel; the other jobs of the thread wait meanwhile,
  // and what has arrived for them is read before they are considered to have timed out. It may call
  // start(), and must not throw.
  using Done = std::function<void(uint64_t job, Response response, ByteLease lease)>;

  LiveWeb(LiveWebOptions options, Done done);
  // Abandons what is in flight, without calling `done`, and joins the threads.
  ~LiveWeb();
  LiveWeb(const LiveWeb&) = delete;
  LiveWeb& operator=(const LiveWeb&) = delete;

  // From any thread; does not wait. With validators the server is asked for the page only where it
  // has changed, and answers 304 where it has not; one that cannot be sent is left out. (A server
  // may say 304 without having been asked so: that is an answer like others.)
  //
  // With kAny the answer is read whatever type it claims to have: `plan_body` is not asked.
  //
  // At most one request is sent for a job, whatever happens: retrying is up to the caller.
  enum class Types : uint8_t { kWanted, kAny };
  void start(uint64_t job, const Url& url, Validators validators = {},
             Types types = Types::kWanted);

 private:
  std::unique_ptr<const FetchSetup> setup_;  // what the threads read
  std::vector<std::unique_ptr<FetchLoop>> loops_;
};

// The live web one address at a time, for commands that need a single page. For one thread.
class LiveWebSync final : public Web {
 public:
  explicit LiveWebSync(LiveWebOptions options);
  ~LiveWebSync() override;

  Response get(const Url& url) override { return get(url, {}); }
  Response get(const Url& url, Validators validators);

 private:
  struct Answer;

  std::unique_ptr<Answer> answer_;
  LiveWeb web_;  // last: its thread writes the answer
};

}  // namespace dowser
