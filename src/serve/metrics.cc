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
  const auto counter = [&](std::string_view name, std::string_view help, auto value) {
    add(text, name, "counter", help, static_cast<double>(value));
  };
  const auto gauge = [&](std::string_view name, std::string_view help, auto value) {
    add(text, name, "gauge", help, static_cast<double>(value));
  };
  counter("pages_fetched_total", "Pages asked for.", c.fetched);
  counter("pages_relevant_total", "Pages found: on the topic and not had before.", c.relevant);
  counter("pages_failed_total", "No answer, or one that is not 2xx.", c.failed);
  counter("pages_disallowed_total", "Not asked for, since robots.txt forbids it.", c.disallowed);
  counter("pages_redirected_total", "Pages reached through redirects.", c.redirected);
  counter("pages_near_duplicate_total", "Pages that repeat others.", c.near_duplicates);
  counter("pages_soft_404_total", "'Not found' with status 200.", c.soft_404);
  counter("pages_truncated_total", "Bodies that were cut.", c.truncated);
  counter("pages_unchanged_total", "Pages that are as they were in an earlier crawl.", c.unchanged);
  counter("requests_retried_total", "Requests that failed and are tried again.", c.retried);
  counter("hosts_given_up_total", "Hosts that cannot be asked.", c.given_up);
  counter("links_found_total", "Links on pages.", c.links);
  counter("body_bytes_total", "Bytes of bodies as they came.", c.bytes);
  gauge("links_waiting", "Links that wait.", c.waiting);
  if (c.advice)
    gauge("pages_left", "Relevant pages left, as far as can be told.", c.advice->remaining);
  gauge("hosts_known", "Hosts that were heard of.", c.hosts);
  gauge("hosts_active", "Hosts with something waiting.", c.hosts_active);
  gauge("pages_in_flight", "Fetches in flight.", c.in_flight);
  gauge("run_seconds", "How long this run has lasted.", seconds);
  add(text, "failures_total", "Pages without an answer.", "kind", c.failures);
  add(text, "statuses_total", "Answers by status.", "status", c.statuses);
  add(text, "links_refused_total", "Links not followed.", "reason", c.refused);
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
  return metrics;
}

void Metrics::publish(const CrawlCounters& counters, double seconds) {
  std::string text = metrics_text(counters, seconds);
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

Metrics::Metrics(std::string token) : token_(std::move(token)) {
  for (const char* path : {"/metrics", "/"}) {
    router_.add("GET", path, [this](const HttpRequest&, const Router::Values&) { return text(); });
  }
}

Response Metrics::answer(const HttpRequest& request) const {
  return carries_token(request, token_) ? router_.answer(request) : token_refusal();
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
