#include "serve/recording_service.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "archive/session_file.h"
#include "model/percent_encode.h"
#include "model/url_canonical.h"
#include "serve/token.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

Response json_answer(const Json& json) {
  Response response;
  response.status = 200;
  response.reason = "OK";
  response.headers.add("Content-Type", "application/json");
  response.headers.add("Cache-Control", "no-store");
  response.body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

// The value of url= in "url=http%3A%2F%2F…&token=…".
std::string url_parameter(std::string_view query) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    if (part.starts_with("url=")) return percent_decode(part.substr(4));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return "";
}

}  // namespace

Result<std::unique_ptr<RecordingService>> RecordingService::start(Options options) {
  const Result<ListenAddress> address = ListenAddress::parse(options.listen);
  if (!address) return address.error();
  if (!address->is_loopback()) {
    return Error{fmt::format("a recording is for this machine only: 127.0.0.1:PORT, not {}",
                             options.listen)};
  }
  if (options.token.empty()) {
    Result<std::string> made = random_token();
    if (!made) return made.error();
    options.token = std::move(*made);
  }
  const std::filesystem::path journal = options.file.string() + ".recording";
  Result<SessionRecorder> recorder =
      SessionRecorder::open(journal, options.name, options.topic, SystemClock().now());
  if (!recorder) return recorder.error();
  HttpServerOptions server_options;
  server_options.limits.body = options.most_body;
  std::unique_ptr<RecordingService> service(
      new RecordingService(std::move(options), std::move(*recorder)));
  service->add_routes();
  RecordingService* const self = service.get();
  auto server = HttpServer::start(
      *address, [self](const HttpRequest& request) { return self->answer(request); },
      server_options);
  if (!server) return server.error();
  service->server_ = std::move(*server);
  return service;
}

Status RecordingService::submit() {
  const std::lock_guard lock(mutex_);
  const Session session = recorder_.session();
  if (session.pages.empty()) return Error{"no page was visited yet, so there is no session"};
  return write_session_file(options_.file, std::span(&session, 1));
}

size_t RecordingService::pages() const {
  const std::lock_guard lock(mutex_);
  return recorder_.pages().size();
}

Response RecordingService::page_state(std::string_view query) const {
  const Result<Url> url = Url::parse(url_parameter(query));
  if (!url) return plain_answer(400, "Bad Request", "Name the page with ?url=ADDRESS.");
  const std::lock_guard lock(mutex_);
  for (const SessionPage& page : recorder_.pages()) {
    if (seen_fingerprint(page.url) == seen_fingerprint(*url)) {
      return json_answer({{"visited", true}, {"useful", page.useful}});
    }
  }
  return json_answer({{"visited", false}, {"useful", false}});
}

void RecordingService::add_routes() {
  router_.add("POST", "/event", [this](const HttpRequest& request, const Router::Values&) {
    const std::lock_guard lock(mutex_);
    if (Status s = recorder_.add(request.body); !s) {
      return plain_answer(400, "Bad Request", s.error().message);
    }
    Response response;
    response.status = 204;
    response.reason = "No Content";
    return response;
  });
  router_.add("POST", "/submit", [this](const HttpRequest&, const Router::Values&) {
    if (Status s = submit(); !s) return plain_answer(409, "Conflict", s.error().message);
    return json_answer({{"file", options_.file.string()}, {"pages", pages()}});
  });
  router_.add("GET", "/page", [this](const HttpRequest& request, const Router::Values&) {
    const size_t mark = std::min(request.target.find('?'), request.target.size() - 1);
    return page_state(request.target.substr(mark + 1));
  });
  router_.add("GET", "/status", [this](const HttpRequest&, const Router::Values&) {
    const std::lock_guard lock(mutex_);
    size_t useful = 0;
    for (const SessionPage& page : recorder_.pages()) useful += page.useful;
    return json_answer({{"name", recorder_.name()},
                        {"topic", recorder_.topic()},
                        {"pages", recorder_.pages().size()},
                        {"useful", useful}});
  });
}

Response RecordingService::answer(const HttpRequest& request) const {
  if (std::optional<Response> refusal = refusal_of(request, options_.token))
    return std::move(*refusal);
  return router_.answer(request);
}

}  // namespace dowser
