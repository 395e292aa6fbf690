#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fetch/address_connections.h"
#include "fetch/live_web.h"
#include "fetch/poller.h"

namespace dowser {

struct FetchJob {
  uint64_t id = 0;
  Url url;
  Validators validators;
  LiveWeb::Types types = LiveWeb::Types::kWanted;
};

// How the host of a job is reached.
struct Route {
  bool may_be_private = false;
  std::string elsewhere;  // "127.0.0.1:8780": whatever the address says; or else
  std::string addresses;  // "192.0.2.1,[2001:db8::1]", from DNS; "" if the host is an address
  std::string ip;         // "192.0.2.1": to which a connection was reserved
};

// One request, never two, and its answer, in a curl handle that may serve many one after the other.
// Collects the answer within the limits; time is watched by whoever owns the loop, with overdue().
class HttpTransfer {
 public:
  HttpTransfer(const LiveWebOptions& options, AddressConnections& connections);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  // The transfer of a curl handle.
  static HttpTransfer& of(CURL* handle);
  CURL* handle() const { return handle_; }

  void begin(FetchJob job, const Route& route);
  uint64_t job() const { return job_.id; }
  // The IP address to which a connection is reserved; the owner releases it.
  const std::string& ip_address() const { return ip_address_; }
  // The connection led to another IP address of the host, to which none was free: no request
  // was sent.
  bool found_no_connection() const { return stop_ == Stop::kNoConnection; }

  // When it will be overdue if nothing more happens, and for what then.
  SteadyTime deadline() const;
  Failure overdue(SteadyTime now) const;

  // The body may not be read yet, since the budget for it is used up. The owner calls try_again()
  // from time to time; the limits of time do not count meanwhile.
  bool is_paused() const { return paused_; }
  // Resumes if there is enough of the budget now; false: it is still paused.
  bool try_again();

  // The memory for the body, if it counts; once for every begin().
  ByteLease take_lease() { return std::move(lease_); }

  // The answer when curl has finished, or when it is abandoned. Once for every begin().
  Response finish(CURLcode code);
  Response give_up(Failure failure);

  // Where the owner keeps it.
  size_t index = 0;
  size_t shard = 0;
  size_t* paused_count = nullptr;  // of the owner's transfers, how many are paused

 private:
  enum class Phase { kConnecting, kWaiting, kReceiving };
  // Why we ended it ourselves, from a callback.
  enum class Stop { kNo, kBodyLimit, kHeaderLimit, kPlan, kSecondRequest, kNoConnection };

  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  using List = std::unique_ptr<curl_slist, FreeList>;

  static List list_of(std::string_view text);
  static List list_of(const Headers& fields);
  void set_constant_options();
  void enter(Phase phase);
  Duration limit() const;
  Duration total() const;

  // What curl calls.
  static size_t on_header(char* bytes, size_t one, size_t count, void* self);
  static size_t on_body(char* bytes, size_t one, size_t count, void* self);
  static int on_request(void* self, char* remote, char*, int, int);
  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address);

  bool move_to(const char* address);
  bool add_header_line(std::string_view line);
  bool end_head();
  size_t most_bytes() const;
  bool reserve_body();
  bool add_body(std::string_view bytes);
  Failure failure_of(CURLcode code) const;
  Response take_response();

  const LiveWebOptions& options_;
  AddressConnections& connections_;
  const std::string user_agent_;
  CURL* const handle_;
  char error_[CURL_ERROR_SIZE] = "";
  List headers_, resolve_, connect_to_;  // curl reads them while the transfer runs

  FetchJob job_;
  std::string ip_address_;
  bool may_be_private_ = false;
  bool refused_ = false, opened_ = false;  // sockets to this host
  int no_socket_ = 0;                      // errno: this machine has none left
  bool asked_ = false;                     // a request has gone out
  Stop stop_ = Stop::kNo;
  Phase phase_ = Phase::kConnecting;
  SteadyTime started_, last_event_;

  BodyPlan plan_;
  ByteLease lease_;
  bool paused_ = false, reserved_ = false;
  SteadyTime paused_at_;

  size_t header_bytes_ = 0;
  bool head_complete_ = false;
  std::string head_;
  Response response_;
};

}  // namespace dowser
