#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "tests/hostile/stream.h"

// One request and whatever is done about it.

namespace dowser {

struct HostileOptions {
  size_t good_pages = 200;
  size_t good_hosts = 20;
  uint64_t seed = 1;
  uint16_t port = 0;        // 0: any free one
  size_t addresses = 0;     // loopback addresses that the hosts share; 0: each has its own
  size_t shared_hosts = 0;  // so many good hosts, the last ones, share one address
  // Links name the good hosts with other ports and with a dot as well, and their robots.txt differ:
  // see varied_robots() in hostile_web.cc.
  bool varied = false;
  bool exhibits = true;            // false: the good pages only
  std::vector<std::string> only;   // of the exhibits; empty: all of them
  bool port_in_links = true;       // false: for crawlers that are told where port 80 of a host is
  Duration latency{0};             // before a good page is answered
  Duration patience{120'000'000};  // how long a stalled, dripping or endless answer goes on
  Duration drip{200'000};          // between two bytes of a slow answer
  int retry_after = 5;             // seconds
  int crawl_delay = 5;             // seconds
  uint64_t max_requests = 1'000'000;  // then every connection is refused
};

struct HostileRequest {
  std::string head;  // as it came
  std::string method, target, host;
  bool keep_alive = true;

  static HostileRequest parse(std::string head);
  std::optional<std::string_view> field(std::string_view name) const;
  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
};

class Exchange {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  Exchange(const HostileRequest& request, Stream& stream, const HostileOptions& options,
           uint16_t port)
      : request_(request), stream_(stream), options_(options), port_(port) {}

  const HostileRequest& request() const { return request_; }
  const HostileOptions& options() const { return options_; }
  // An address of this web: "http://h1.test:8080/".
  std::string url(std::string_view host, std::string_view path) const;
  uint16_t port() const { return port_; }

  // Bytes as they are. The connection is closed afterwards. False: nobody listens any more.
  bool send(std::string_view bytes);
  // send() again and again, until the client goes or its patience or the limit is used up.
  void send_endlessly(std::string_view bytes);
  bool pause(Duration duration) { return stream_.pause(duration); }
  void stall() { stream_.pause(options_.patience); }
  // When the handler is done, the client gets RST instead of a proper end.
  void reset() { resets_ = true; }

  // A proper answer; the connection may be used again.
  void answer(int status, const Fields& fields, std::string_view body);
  // A page with text of its own, that differs from address to address, and these links.
  void page(std::string_view title, std::span<const std::string> hrefs, int status = 200);
  void html(std::string_view body) { answer(200, {{"Content-Type", kHtml}}, body); }
  void redirect(std::string_view to, int status = 302);
  void not_found() { page("Not found", {}, 404); }
  // Says and notes that the client should stay away so long.
  Fields retry_after(bool as_date);

  // Of the first status line that was sent, 1xx aside; 0 where there was none.
  int status() const { return status_; }
  // Is called once, before the first byte is sent.
  void on_reply(std::function<void()> call) { on_reply_ = std::move(call); }
  Duration asked_to_wait() const { return asked_to_wait_; }
  bool keeps_alive() const { return keeps_alive_ && !resets_; }
  bool resets() const { return resets_; }

  static constexpr const char* kHtml = "text/html; charset=utf-8";

 private:
  const HostileRequest& request_;
  Stream& stream_;
  const HostileOptions& options_;
  const uint16_t port_;
  bool keeps_alive_ = false;
  bool resets_ = false;
  int status_ = 0;
  std::function<void()> on_reply_;
  Duration asked_to_wait_{0};
};

using Handler = std::function<void(Exchange&)>;

// A whole page with text of its own, made of a random number.
std::string html_page(std::string_view title, uint64_t seed, std::span<const std::string> hrefs);

}  // namespace dowser
