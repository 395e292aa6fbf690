#include <fmt/format.h>

#include <algorithm>

#include "mine/log_format.h"

// Format strings as Apache and nginx have them, and the field names of W3C logs.

namespace dowser {
namespace {

constexpr std::string_view kCommon = "%h %l %u %t \"%r\" %>s %b";
constexpr std::string_view kBehindCommon = " \"%{Referer}i\" \"%{User-Agent}i\"";

}  // namespace

bool LogFormat::has(Field field) const {
  return std::any_of(elements_.begin(), elements_.end(),
                     [&](const Element& e) { return e.field == field; });
}

void LogFormat::add(std::string literal, Field field) {
  // "%U%q" is the target with its query: one field.
  if (field == Field::kQuery && literal.empty() && !elements_.empty() &&
      elements_.back().field == Field::kTarget) {
    return;
  }
  elements_.push_back({std::move(literal), field, false});
}

Status LogFormat::add_apache(std::string_view& text, std::string literal) {
  const std::string_view whole = text;
  text.remove_prefix(1);
  // "%>s", "%!200,304r": which request and for which answers; the values look the same.
  while (!text.empty() && (text[0] == '>' || text[0] == '<' || text[0] == '!' || text[0] == ',' ||
                           (text[0] >= '0' && text[0] <= '9'))) {
    text.remove_prefix(1);
  }
  std::string name;
  if (text.starts_with('{')) {
    const size_t end = text.find('}');
    if (end == text.npos) return Error{fmt::format("--format: there is no }} in '{}'", whole)};
    for (const char c : text.substr(1, end - 1)) {
      name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    text.remove_prefix(end + 1);
  }
  if (text.empty()) return Error{fmt::format("--format ends within '{}'", whole)};
  const char kind = text[0];
  text.remove_prefix(1);
  Field field = Field::kSkip;
  switch (kind) {
    case 'h':
    case 'a':
      field = Field::kHost;
      break;
    case 'u':
      field = Field::kUser;
      break;
    case 'r':
      field = Field::kRequest;
      break;
    case 's':
      field = Field::kStatus;
      break;
    case 'b':
    case 'B':
      field = Field::kBytes;
      break;
    case 'O':
      field = has(Field::kBytes) ? Field::kSkip : Field::kBytes;
      break;
    case 'm':
      field = Field::kMethod;
      break;
    case 'U':
      field = Field::kTarget;
      break;
    case 'q':
      field = Field::kQuery;
      break;
    case 'H':
      field = Field::kProtocol;
      break;
    case 'v':
    case 'V':
      field = Field::kSite;
      break;
    case 'C':
      field = Field::kCookie;
      break;
    case 'i':
      if (name == "referer") field = Field::kReferrer;
      if (name == "user-agent") field = Field::kAgent;
      if (name == "cookie") field = Field::kCookie;
      if (name == "host") field = Field::kSite;
      if (name == "x-forwarded-for") field = Field::kForwarded;
      break;
    case 't':
      if (name.empty()) {
        add(literal + "[", Field::kTime);
        // The bracket after the time belongs to what follows.
        pending_bracket_ = true;
        return {};
      }
      if (name != "sec" && name != "%s" && name != "msec") {
        return Error{fmt::format(
            "--format: the time '%{{{}}}t' is not supported; use %t, %{{sec}}t or %{{msec}}t",
            name)};
      }
      field = name == "msec" ? Field::kMillis : Field::kEpoch;
      break;
    default:
      break;
  }
  add(std::move(literal), field);
  return {};
}

Status LogFormat::add_nginx(std::string_view& text, std::string literal) {
  size_t end = 1;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) {
    ++end;
  }
  const std::string_view name = text.substr(1, end - 1);
  text.remove_prefix(end);
  static constexpr std::pair<std::string_view, Field> kVariables[] = {
      {"remote_addr", Field::kHost},
      {"remote_user", Field::kUser},
      {"time_local", Field::kTime},
      {"time_iso8601", Field::kIsoTime},
      {"msec", Field::kEpoch},
      {"request", Field::kRequest},
      {"request_method", Field::kMethod},
      {"request_uri", Field::kTarget},
      {"uri", Field::kTarget},
      {"args", Field::kQuery},
      {"query_string", Field::kQuery},
      {"server_protocol", Field::kProtocol},
      {"status", Field::kStatus},
      {"body_bytes_sent", Field::kBytes},
      {"bytes_sent", Field::kBytes},
      {"http_referer", Field::kReferrer},
      {"http_user_agent", Field::kAgent},
      {"http_cookie", Field::kCookie},
      {"host", Field::kSite},
      {"http_host", Field::kSite},
      {"server_name", Field::kSite},
      {"http_x_forwarded_for", Field::kForwarded},
  };
  Field field = name.starts_with("cookie_") ? Field::kCookie : Field::kSkip;
  for (const auto& [variable, its] : kVariables) {
    if (variable == name) field = its;
  }
  add(std::move(literal), field);
  return {};
}

Status LogFormat::finish(std::string literal) {
  after_ = std::move(literal);
  for (size_t i = 0; i < elements_.size(); ++i) {
    const std::string& next = i + 1 < elements_.size() ? elements_[i + 1].before : after_;
    elements_[i].quoted = elements_[i].before.ends_with('"') && next.starts_with('"');
    if (next.empty() && i + 1 < elements_.size()) {
      return Error{
          "--format: there is nothing between two fields, so the end of the first cannot be found"};
    }
    switch (elements_[i].field) {
      case Field::kHost:
      case Field::kTime:
      case Field::kIsoTime:
      case Field::kEpoch:
      case Field::kMillis:
      case Field::kDate:
      case Field::kClock:
      case Field::kRequest:
      case Field::kTarget:
      case Field::kStatus:
      case Field::kBytes:
        essential_ = i + 1;
        break;
      default:
        break;
    }
  }
  const bool time = has(Field::kTime) || has(Field::kIsoTime) || has(Field::kEpoch) ||
                    has(Field::kMillis) || has(Field::kClock);
  if (!time || !has(Field::kStatus) || !(has(Field::kRequest) || has(Field::kTarget)) ||
      !(has(Field::kHost) || has(Field::kForwarded))) {
    return Error{
        fmt::format("--format '{}' must name the host (%h), the time (%t), the request (%r) and "
                    "the status (%s)",
                    name_)};
  }
  return {};
}

Result<LogFormat> LogFormat::parse(std::string_view text) {
  LogFormat format;
  format.name_ = text;
  std::string whole(text);
  if (text == "common") whole = kCommon;
  if (text == "combined") whole = fmt::format("{}{}", kCommon, kBehindCommon);
  if (text == "vhost") whole = fmt::format("%v:%p {}{}", kCommon, kBehindCommon);
  format.open_end_ = text == "combined" || text == "vhost";
  if (text == "w3c") {
    format.w3c_ = true;
    return format;
  }
  if (whole.find_first_of("%$") == whole.npos) {
    return Error{
        fmt::format("there is no format '{}': common, combined, vhost, w3c, or a format "
                    "string of Apache (%h …) or nginx ($remote_addr …)",
                    text)};
  }
  std::string literal;
  for (std::string_view rest = whole; !rest.empty();) {
    const bool apache = rest[0] == '%' && rest.size() > 1 && rest[1] != '%';
    const bool nginx = rest[0] == '$' && rest.size() > 1;
    if (!apache && !nginx) {
      literal += rest[0];
      rest.remove_prefix(rest.starts_with("%%") ? 2 : 1);
      continue;
    }
    if (Status s = apache ? format.add_apache(rest, std::move(literal))
                          : format.add_nginx(rest, std::move(literal));
        !s) {
      return s.error();
    }
    literal.clear();
    if (format.pending_bracket_) literal += ']';
    format.pending_bracket_ = false;
  }
  if (Status s = format.finish(std::move(literal)); !s) return s.error();
  return format;
}

void LogFormat::read_w3c_fields(std::string_view names) {
  static constexpr std::pair<std::string_view, Field> kNames[] = {
      {"date", Field::kDate},
      {"time", Field::kClock},
      {"c-ip", Field::kHost},
      {"cs-username", Field::kUser},
      {"cs-method", Field::kMethod},
      {"cs-uri-stem", Field::kTarget},
      {"cs-uri", Field::kTarget},
      {"cs-uri-query", Field::kQuery},
      {"cs-version", Field::kProtocol},
      {"sc-status", Field::kStatus},
      {"sc-bytes", Field::kBytes},
      {"cs(Referer)", Field::kReferrer},
      {"cs(User-Agent)", Field::kAgent},
      {"cs(Cookie)", Field::kCookie},
      {"cs-host", Field::kSite},
  };
  elements_.clear();
  essential_ = 0;
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    if (name.empty()) continue;
    Field field = Field::kSkip;
    for (const auto& [known, its] : kNames) {
      if (known == name) field = its;
    }
    elements_.push_back({elements_.empty() ? "" : " ", field, false});
  }
  // Lines of a log whose fields do not suffice are broken.
  if (!finish("")) elements_.clear();
}

}  // namespace dowser
