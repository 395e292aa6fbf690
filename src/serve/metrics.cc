#include "serve/metrics.h"

#include <fmt/format.h>

#include "serve/token.h"

namespace dowser {
namespace {

void add(std::string& text, std::string_view name, std::string_view type, std::string_view help,
         double value) {
  fmt::format_to(std::back_inserter(text),
                 "# HELP dowser_{0} {1}\n# TYPE dowser_{0} {2}\ndowser_{0} {3}\n", name, help, type,
                 value);
}

void add(std::string& text, std::string_view name, std::string_view help, std::string_view label,
         const CrawlCounters::ByName& values) {
  fmt::format_to(std::back_inserter(text), "# HELP dowser_{0} {1}\n# TYPE dowser_{0} counter\n",
                 name, help);
  for (const auto& [value, count] : values) {
    fmt::format_to(std::back_inserter(text), "dowser_{}{{{}=\"{}\"}} {}\n", name, label, value,
                   count);
  }
}

}  // namespace

std::string metrics_text(const CrawlCounters& c, double seconds) {
  std::string text;
  for (const CounterInfo& counter : counter_list()) {
    add(text, counter.metric, counter.is_total ? "counter" : "gauge", counter.help,
        static_cast<double>(c.*counter.value));
  }
  if (c.advice) {
    add(text, "pages_left", "gauge", "Estimated number of relevant pages left.",
        c.advice->remaining);
  }
  add(text, "run_seconds", "gauge", "How long this run has lasted.", seconds);
  for (const NamedCounterInfo& counter : named_counter_list()) {
    add(text, counter.metric, counter.help, counter.label, c.*counter.values);
  }
  return text;
}

Result<std::unique_ptr<Metrics>> Metrics::start(std::string_view text, std::string token) {
  const Result<ListenAddress> address = ListenAddress::parse(text);
  if (!address) return address.error();
  if (!address->is_loopback()) {
    return Error{fmt::format("metrics are for this machine only: 127.0.0.1:PORT, not {}", text)};
  }
  if (token.empty()) {
    Result<std::string> made = random_token();
    if (!made) return made.error();
    token = std::move(*made);
  }
  std::unique_ptr<Metrics> metrics(new Metrics(std::move(token)));
  Metrics* const self = metrics.get();
  HttpServerOptions options;
  options.max_connections = kMaxConnections;
  auto server = HttpServer::start(
      *address, [self](const HttpRequest& request) { return self->answer(request); }, options);
  if (!server) return server.error();
  metrics->server_ = std::move(*server);
  metrics->publish({});
  return metrics;
}

void Metrics::observe(const CrawlEvent& event) {
  if (const auto* made = std::get_if<VisitMade>(&event)) {
    if (Clock::now() - published_ >= kPublishEvery) publish(made->counters);
  } else if (const auto* ended = std::get_if<CrawlEnded>(&event)) {
    publish(ended->counters);
  }
}

void Metrics::publish(const CrawlCounters& counters) {
  published_ = Clock::now();
  const std::chrono::duration<double> seconds = published_ - start_;
  std::string text = metrics_text(counters, seconds.count());
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

Metrics::Metrics(std::string token) : token_(std::move(token)) {
  for (const char* path : {"/metrics", "/"}) {
    router_.add("GET", path, [this](const HttpRequest&, const Router::Values&) { return text(); });
  }
}

Response Metrics::answer(const HttpRequest& request) const {
  if (std::optional<Response> refusal = refusal_of(request, token_)) return std::move(*refusal);
  return router_.answer(request);
}

Response Metrics::text() const {
  Response response;
  response.status = 200;
  response.reason = "OK";
  response.headers.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  const std::lock_guard lock(mutex_);
  response.body = text_;
  return response;
}

}  // namespace dowser
