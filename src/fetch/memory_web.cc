#include "fetch/memory_web.h"

namespace dowser {
namespace {

// Addresses are kept without their fragment, which is never sent.
std::string key_of(const Url& url) {
  const std::string_view href = url.href();
  return std::string(href.substr(0, href.find('#')));
}

}  // namespace

void MemoryWeb::add_html(std::string_view url, std::string html) {
  Response response;
  response.status = 200;
  response.reason = "OK";
  response.headers.add("Content-Type", "text/html; charset=utf-8");
  response.body = std::move(html);
  add(url, std::move(response));
}

void MemoryWeb::add_redirect(std::string_view url, std::string_view location, int status) {
  Response response;
  response.status = status;
  response.reason = "Moved";
  response.headers.add("Location", std::string(location));
  add(url, std::move(response));
}

void MemoryWeb::add(std::string_view url, Response response) {
  const Result<Url> parsed = Url::parse(url);
  if (!parsed) return;  // an address that cannot be asked for is not in any web
  response.url = *parsed;
  answers_[key_of(*parsed)] = {std::move(response)};
}

void MemoryWeb::then(std::string_view url, Response response) {
  const Result<Url> parsed = Url::parse(url);
  if (!parsed) return;
  response.url = *parsed;
  answers_[key_of(*parsed)].push_back(std::move(response));
}

void MemoryWeb::answer_all(std::string beginning, std::function<Response(const Url&)> answer) {
  made_up_.emplace_back(std::move(beginning), std::move(answer));
}

Response MemoryWeb::get(const Url& url) {
  ++requests_;
  Response response = answer(url);
  response.url = url;
  return response;
}

Response MemoryWeb::answer(const Url& url) {
  if (const auto it = answers_.find(key_of(url)); it != answers_.end()) {
    std::deque<Response>& answers = it->second;
    if (answers.size() == 1) return answers.front();
    Response first = std::move(answers.front());
    answers.pop_front();
    return first;
  }
  for (const auto& [beginning, answer] : made_up_) {
    if (url.href().starts_with(beginning)) return answer(url);
  }
  Response missing;
  missing.status = 404;
  missing.reason = "Not Found";
  return missing;
}

}  // namespace dowser
