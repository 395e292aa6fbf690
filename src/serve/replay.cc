#include "serve/replay.h"

#include <fmt/format.h>

#include <utility>

#include "model/url.h"

namespace dowser {
namespace {

constexpr std::string_view kHttp = "http://", kHttps = "https://";

bool is_absolute(std::string_view target) {
  return target.starts_with(kHttp) || target.starts_with(kHttps);
}

// Some tools unpack a body and leave the field: a client would then try to unpack it again.
bool is_packed(std::string_view coding, std::string_view body) {
  if (coding == "gzip" || coding == "x-gzip") return body.starts_with("\x1f\x8b");
  if (coding == "zstd") return body.starts_with("\x28\xb5\x2f\xfd");
  return true;  // the others cannot be told by their first bytes
}

void drop_false_coding(Response& response) {
  const auto coding = response.headers.get("Content-Encoding");
  if (!coding || response.body.empty() || is_packed(*coding, response.body)) return;
  Headers kept;
  for (const auto& [name, value] : std::exchange(response.headers, {})) {
    Headers one;
    one.add(name, value);
    if (!one.get("Content-Encoding")) kept.add(name, value);
  }
  response.headers = std::move(kept);
}

Response not_allowed() {
  Response response =
      plain_answer(405, "Method Not Allowed", "An archive can only be read: use GET or HEAD.");
  response.headers.add("Allow", "GET, HEAD");
  return response;
}

Response no_tunnel() {
  return plain_answer(501, "Not Implemented",
                      "This server opens no tunnels: request the http:// form of the address, "
                      "which also finds pages archived as https.");
}

}  // namespace

std::optional<RecordRef> Replay::find(const std::string& url, uint16_t port) const {
  if (const auto found = archives_.find(url)) return found;
  const bool is_https = url.starts_with(kHttps);
  const std::string_view rest = std::string_view(url).substr((is_https ? kHttps : kHttp).size());
  // Clients of a plain proxy cannot ask for https addresses.
  const auto find_rest = [&](std::string_view address) -> std::optional<RecordRef> {
    if (const auto found = archives_.find(fmt::format("{}{}", kHttp, address))) return found;
    return archives_.find(fmt::format("{}{}", kHttps, address));
  };
  if (!is_https) {
    if (const auto found = find_rest(rest)) return found;
  }
  // A client that finds the server under the archived host's name says "Host: example.org:8780".
  const std::string own = fmt::format(":{}", port);
  const size_t host_end = std::min(rest.find_first_of("/?#"), rest.size());
  if (!rest.substr(0, host_end).ends_with(own)) return std::nullopt;
  return find_rest(
      fmt::format("{}{}", rest.substr(0, host_end - own.size()), rest.substr(host_end)));
}

Response Replay::answer(const HttpRequest& request) const {
  if (request.method == "CONNECT") return no_tunnel();
  if (request.method != "GET" && request.method != "HEAD") return not_allowed();
  std::string url(request.target);
  if (request.target.starts_with('/') && !request.host.empty()) {
    url = fmt::format("{}{}{}", kHttp, request.host, request.target);
  }
  if (!is_absolute(url)) {
    return plain_answer(
        400, "Bad Request",
        fmt::format("'{}' names no page: request http://HOST/PATH, or /PATH with a Host field.",
                    request.target));
  }
  const std::optional<RecordRef> found = find(url, request.port);
  if (!found) {
    return plain_answer(404, "Not Found", fmt::format("{} is not in the archive.", url));
  }
  Result<Response> response = archives_.load(*found);
  if (!response) return plain_answer(502, "Bad Gateway", response.error().message + ".");
  if (response->status < 200) {  // the client would wait for the real answer
    return plain_answer(502, "Bad Gateway",
                        fmt::format("The archive has only an interim answer for {}.", url));
  }
  drop_false_coding(*response);
  return std::move(*response);
}

}  // namespace dowser
