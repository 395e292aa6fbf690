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
  answers_[key_of(*parsed)] = std::move(response);
}

Response MemoryWeb::get(const Url& url) {
  ++requests_;
  if (const auto it = answers_.find(key_of(url)); it != answers_.end()) return it->second;
  Response missing;
  missing.url = url;
  missing.status = 404;
  missing.reason = "Not Found";
  return missing;
}

}  // namespace dowser
