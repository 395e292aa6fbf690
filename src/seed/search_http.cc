#include "seed/search_http.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/compress.h"

namespace dowser {
namespace {

LiveWebOptions options_for(const Url& server, const ProviderContext& context) {
  LiveWebOptions options;
  options.user_agent = context.user_agent;
  options.allowed_hosts = {fmt::format("{}:{}", server.hostname(), server.effective_port())};
  options.threads = 1;
  options.limits.connect = std::min<Duration>(options.limits.connect, context.patience);
  options.limits.first_byte = options.limits.total = context.patience;
  options.limits.stall = std::min<Duration>(options.limits.stall, context.patience);
  options.limits.body_bytes = context.most_bytes;
  options.plan_body = [](const Url&, const Response&) { return BodyPlan(); };
  return options;
}

std::string without(std::string text, std::string_view secret) {
  if (secret.empty()) return text;
  for (size_t at = text.find(secret); at != text.npos; at = text.find(secret, at + 3)) {
    text.replace(at, secret.size(), "KEY");
  }
  return text;
}

std::string failure_text(const Response& response) {
  if (response.failure == Failure::kForbiddenAddress) {
    return "it leads to a private address, which is refused";
  }
  return response.detail.empty() ? std::string(name_of(response.failure)) : response.detail;
}

}  // namespace

SearchHttp::SearchHttp(std::string name, const Url& server, const ProviderContext& context)
    : name_(std::move(name)), context_(context), web_(options_for(server, context)) {}

void SearchHttp::wait_for_turn() {
  if (last_) clock_.wait_until(*last_ + context_.pause);
  last_ = clock_.now();
}

Result<Response> SearchHttp::follow(const Url& url, std::string_view secret) {
  Url next = url;
  for (int hop = 0; hop <= kMostRedirects; ++hop) {
    wait_for_turn();
    Response response = web_.get(next);
    const std::string place = without(std::string(next.href()), secret);
    if (response.failure != Failure::kNone) {
      return Error{fmt::format("{} did not answer: {} ({})", name_, failure_text(response), place)};
    }
    if (!response.is_redirect()) return response;
    next = response.redirect_target();
    if (next.empty()) {
      return Error{
          fmt::format("{} answered with a redirect that leads nowhere ({})", name_, place)};
    }
  }
  return Error{fmt::format("{} answered with more than {} redirects", name_, kMostRedirects)};
}

Result<nlohmann::json> SearchHttp::get(const Url& url, Explain explain, std::string_view secret) {
  const Result<Response> response = follow(url, secret);
  if (!response) return response.error();
  if (!response->ok()) {
    const std::string why = explain(response->status);
    return Error{why.empty()
                     ? fmt::format("{} answered with status {}", name_, response->status)
                     : fmt::format("{} answered with status {}: {}", name_, response->status, why)};
  }
  const Result<Decoded> body = decode_content(
      response->headers.get("content-encoding").value_or(""), response->body, context_.most_bytes);
  if (!body) return Error{fmt::format("{} sent an answer that cannot be decompressed", name_)};
  if (response->truncated || body->truncated) {
    return Error{fmt::format("{} sent an answer that is cut short, or longer than {} bytes", name_,
                             context_.most_bytes)};
  }
  Result<nlohmann::json> json = parse_answer(body->bytes);
  if (json) return json;
  const std::string type = response->content_type();
  return Error{fmt::format("{} did not send JSON{}: {}", name_,
                           type.empty() ? "" : fmt::format(" but {}", type), json.error().message)};
}

std::string query_text(const SearchQuery& query) {
  std::string text;
  for (std::string phrase : query.phrases) {
    std::erase(phrase, '"');
    text += fmt::format("{}\"{}\"", text.empty() ? "" : " ", phrase);
  }
  std::string_view domain = query.domain;
  while (domain.starts_with('.')) domain.remove_prefix(1);
  return domain.empty() ? text : fmt::format("{} site:{}", text, domain);
}

std::string query_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (unreserved) {
      escaped += c;
    } else {
      fmt::format_to(std::back_inserter(escaped), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

Result<std::string> only_parameter(const Spec& spec, const std::string& name,
                                   std::string_view example) {
  for (const auto& [key, value] : spec.parameters) {
    if (key != name) {
      return Error{fmt::format("{} has no parameter '{}': it takes {}", spec.name, key, name)};
    }
  }
  const auto found = spec.parameters.find(name);
  if (found == spec.parameters.end()) {
    return Error{fmt::format("{0} needs {1}=, as in {0}({1}={2})", spec.name, name, example)};
  }
  return found->second;
}

}  // namespace dowser
