#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "engine/counters.h"
#include "serve/http_server.h"

namespace dowser {

// The counters as Prometheus reads them: "dowser_pages_fetched_total 123", with HELP and TYPE.
std::string metrics_text(const CrawlCounters& counters, double seconds);

// Answers GET /metrics with what was published last. Read only, and loopback only.
class Metrics {
 public:
  // "127.0.0.1:9190"
  static Result<std::unique_ptr<Metrics>> start(std::string_view address);

  // From any thread.
  void publish(const CrawlCounters& counters, double seconds);
  const ListenAddress& address() const { return server_->address(); }

 private:
  Metrics() = default;
  Response answer(const HttpRequest& request);

  std::mutex mutex_;
  std::string text_;
  std::unique_ptr<HttpServer> server_;  // last: its thread uses what stands above
};

}  // namespace dowser
