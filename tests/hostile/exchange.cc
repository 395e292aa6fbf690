#include "tests/hostile/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/hash.h"
#include "tests/hostile/good_web.h"

namespace dowser {
namespace {

constexpr uint64_t kEndless = uint64_t{4} << 30;  // bytes after which even the endless ends

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return out;
}

std::string_view without_port(std::string_view host) {
  const size_t colon = host.rfind(':');
  return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Unspeakable";
  }
}

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::time_t t) {
  std::tm parts{};
  gmtime_r(&t, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

int status_of(std::string_view bytes) {
  int status = 0;
  if (bytes.starts_with("HTTP/1.") && bytes.size() > 12) {
    std::from_chars(bytes.data() + 9, bytes.data() + 12, status);
  }
  return status;
}

}  // namespace

HostileRequest HostileRequest::parse(std::string head) {
  HostileRequest request;
  request.head = std::move(head);
  const std::string_view line = std::string_view(request.head).substr(0, request.head.find('\r'));
  const size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || first == last) return request;
  request.method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  request.host = lower(without_port(request.field("Host").value_or("")));
  if (target.starts_with("http://")) {  // we are asked as a proxy
    target.remove_prefix(7);
    const size_t slash = std::min(target.find('/'), target.size());
    request.host = lower(without_port(target.substr(0, slash)));
    target.remove_prefix(slash);
  }
  request.target = target;
  request.keep_alive = lower(request.field("Connection").value_or("")) != "close";
  return request;
}

std::optional<std::string_view> HostileRequest::field(std::string_view name) const {
  std::string_view rest = head;
  for (size_t end; (end = rest.find('\n')) != rest.npos;) {
    rest.remove_prefix(end + 1);
    const std::string_view line = rest.substr(0, std::min(rest.find('\r'), rest.size()));
    const size_t colon = line.find(':');
    if (colon == line.npos || lower(line.substr(0, colon)) != lower(name)) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    return value;
  }
  return std::nullopt;
}

std::string Exchange::url(std::string_view host, std::string_view path) const {
  return options_.port_in_links ? fmt::format("http://{}:{}{}", host, port_, path)
                                : fmt::format("http://{}{}", host, path);
}

bool Exchange::send(std::string_view bytes) {
  keeps_alive_ = false;
  if (on_reply_) std::exchange(on_reply_, nullptr)();
  if (status_ < 200) status_ = std::max(status_, status_of(bytes));
  return stream_.write(bytes, options_.patience);
}

void Exchange::send_endlessly(std::string_view bytes) {
  const auto until = std::chrono::steady_clock::now() + options_.patience;
  std::string many;
  while (many.size() < 65536) many += bytes;
  for (uint64_t sent = 0; sent < kEndless; sent += many.size()) {
    if (std::chrono::steady_clock::now() > until || !send(many)) return;
  }
}

void Exchange::answer(int status, const Fields& fields, std::string_view body) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", status, reason(status));
  for (const auto& [name, value] : fields) head += fmt::format("{}: {}\r\n", name, value);
  if (status != 304) head += fmt::format("Content-Length: {}\r\n", body.size());
  head += request_.keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  if (request_.method != "HEAD" && status != 304) head += body;
  keeps_alive_ = send(head) && request_.keep_alive;
}

void Exchange::page(std::string_view title, std::span<const std::string> hrefs, int status) {
  const uint64_t seed = hash64(request_.host + request_.target);
  answer(status, {{"Content-Type", kHtml}}, html_page(title, seed, hrefs));
}

void Exchange::redirect(std::string_view to, int status) {
  answer(status, {{"Location", std::string(to)}}, "");
}

Exchange::Fields Exchange::retry_after(bool as_date) {
  asked_to_wait_ = std::chrono::seconds(options_.retry_after);
  if (!as_date) return {{"Retry-After", std::to_string(options_.retry_after)}};
  const Time now = SystemClock().now();
  const int64_t until = (now.micros + 999'999) / 1'000'000 + options_.retry_after;
  asked_to_wait_ = Time{until * 1'000'000} - now;
  return {{"Retry-After", http_date(until)}};
}

std::string html_page(std::string_view title, uint64_t seed, std::span<const std::string> hrefs) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{}</title></head>\n"
      "<body><h1>{}</h1>\n<p>{}</p>\n<ul>\n",
      title, title, random_words(Random(seed), 120));
  for (const std::string& href : hrefs) {
    page += fmt::format("<li><a href=\"{}\">{}</a></li>\n", href, href);
  }
  return page + "</ul></body></html>\n";
}

}  // namespace dowser
