#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "engine/events.h"
#include "serve/http_server.h"
#include "serve/router.h"

namespace dowser {

// The counters as Prometheus reads them: "dowser_pages_fetched_total 123", with HELP and TYPE.
std::string metrics_text(const CrawlCounters& counters, double seconds);

// Answers GET /metrics with what was published last. Read only, loopback only, and only to those
// who show the token.
class Metrics {
 public:
  // More at a time would take the files that the crawl needs.
  static constexpr size_t kMaxConnections = 64;

  // "127.0.0.1:9190"; an empty token: a random one is made.
  static Result<std::unique_ptr<Metrics>> start(std::string_view address, std::string token);

  // Subscribes to the events of a crawl.
  void observe(const CrawlEvent& event);
  const ListenAddress& address() const { return server_->address(); }
  const std::string& token() const { return token_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPublishEvery{200};

  explicit Metrics(std::string token);
  void publish(const CrawlCounters& counters);
  Response answer(const HttpRequest& request) const;
  Response text() const;

  const std::string token_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point published_ = start_;
  Router router_;
  mutable std::mutex mutex_;
  std::string text_;
  std::unique_ptr<HttpServer> server_;  // last: its thread uses the members above
};

}  // namespace dowser
