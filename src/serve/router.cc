#include "serve/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/percent_encode.h"

namespace dowser {
namespace {

// "/a/b%20c?d" -> "a", "b c". Of a target that is a whole address the path counts.
std::vector<std::string> segments_of(std::string_view target) {
  if (const size_t scheme = target.find("://"); !target.starts_with('/') && scheme != target.npos) {
    target.remove_prefix(std::min(target.find('/', scheme + 3), target.size()));
  }
  target = target.substr(0, target.find_first_of("?#"));
  std::vector<std::string> segments;
  while (target.starts_with('/')) {
    target.remove_prefix(1);
    const size_t end = std::min(target.find('/'), target.size());
    segments.push_back(percent_decode(target.substr(0, end)));
    target.remove_prefix(end);
  }
  return segments;
}

bool is_variable(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

std::optional<Router::Values> match(const std::vector<std::string>& pattern,
                                    const std::vector<std::string>& path) {
  if (pattern.size() != path.size()) return std::nullopt;
  Router::Values values;
  for (size_t i = 0; i < path.size(); ++i) {
    if (is_variable(pattern[i]) && !path[i].empty()) {
      values.push_back(path[i]);
    } else if (pattern[i] != path[i]) {
      return std::nullopt;
    }
  }
  return values;
}

}  // namespace

void Router::add(std::string method, std::string_view pattern, Handler handler) {
  routes_.push_back({std::move(method), segments_of(pattern), std::move(handler)});
}

Response Router::answer(const HttpRequest& request) const {
  const std::vector<std::string> path = segments_of(request.target);
  const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
  std::string allowed;
  for (const Route& route : routes_) {
    const std::optional<Values> values = match(route.segments, path);
    if (!values) continue;
    if (route.method == method) return route.handler(request, *values);
    if (allowed.find(route.method) == allowed.npos) {
      allowed += (allowed.empty() ? "" : ", ") + route.method;
    }
  }
  // Without the query, which may hold a token.
  const std::string_view shown = request.target.substr(0, request.target.find('?'));
  if (allowed.empty()) {
    return plain_answer(404, "Not Found", fmt::format("There is nothing at {}.", shown));
  }
  Response response = plain_answer(
      405, "Method Not Allowed",
      fmt::format("{} does not accept {}: use {}.", shown, request.method, allowed));
  response.headers.add("Allow", allowed);
  return response;
}

}  // namespace dowser
