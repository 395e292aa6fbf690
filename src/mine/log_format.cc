#include "mine/log_format.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "mine/log_time.h"

namespace dowser {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_method(std::string_view text) {
  if (text.empty() || text.size() > 20) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; });
}

// "GET /a b HTTP/1.1": the target is the text between the first and the last blank.
void split_request(std::string_view request, LogEntry& entry) {
  entry.target = request;
  const size_t first = request.find(' ');
  if (first == request.npos || !is_method(request.substr(0, first))) return;
  std::string_view target = request.substr(first + 1);
  const size_t last = target.rfind(' ');
  if (last != target.npos && target.substr(last + 1).starts_with("HTTP/")) {
    entry.protocol = target.substr(last + 1);
    target = target.substr(0, last);
  }
  if (target.empty()) return;
  entry.method = request.substr(0, first);
  entry.target = target;
}

bool is_escaped(std::string_view line, size_t at) {
  size_t backslashes = 0;
  while (backslashes < at && line[at - 1 - backslashes] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

// Where `literal` stands at or after `from`, and not after a backslash if `quoted`.
size_t find_literal(std::string_view line, size_t from, std::string_view literal, bool quoted) {
  while (true) {
    const void* found = from < line.size()
                            ? std::memchr(line.data() + from, literal[0], line.size() - from)
                            : nullptr;
    if (!found) return line.npos;
    const auto at = static_cast<size_t>(static_cast<const char*>(found) - line.data());
    if (line.compare(at, literal.size(), literal) == 0 && !(quoted && is_escaped(line, at))) {
      return at;
    }
    from = at + 1;
  }
}

// The value of a field after which the line was cut within `literal`.
std::string_view without_beginning_of(std::string_view literal, std::string_view value) {
  for (size_t size = literal.size() - 1; size > 0; --size) {
    if (value.ends_with(literal.substr(0, size))) return value.substr(0, value.size() - size);
  }
  return value;
}

}  // namespace

std::optional<LogFormat> LogFormat::detect(std::string_view beginning) {
  std::optional<LogFormat> best;
  size_t most = 0;
  for (const char* name : {"w3c", "combined", "common", "vhost"}) {
    LogFormat format = *parse(name);
    std::string_view rest = beginning;
    size_t whole = 0;
    for (int lines = 0; lines < 200 && !rest.empty(); ++lines) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      LogEntry entry;
      // A blank in the user's name is a field too many in front of it.
      whole += format.read(line, entry) == LineState::kWhole &&
               entry.user.find(' ') == std::string_view::npos;
    }
    if (whole > most) {
      most = whole;
      best = *parse(name);
    }
  }
  if (best) return best;
  // No line is whole. One that was cut is good enough for the format that needs least.
  LogFormat combined = *parse("combined");
  LogEntry entry;
  if (combined.read(beginning.substr(0, beginning.find('\n')), entry) == LineState::kCut) {
    return combined;
  }
  return std::nullopt;
}

bool LogFormat::set(LogEntry& entry, Field field, std::string_view value) {
  const bool none = value == "-";
  const std::string_view text = none ? std::string_view() : value;
  switch (field) {
    case Field::kSkip:
      return true;
    case Field::kHost:
      if (entry.host.empty()) entry.host = text;
      return !entry.host.empty();
    case Field::kForwarded: {
      // "client, proxy, proxy": the first is who asked.
      const std::string_view first = text.substr(0, text.find(','));
      if (!first.empty()) entry.host = first;
      return true;
    }
    case Field::kUser:
      entry.user = text;
      return true;
    case Field::kTime:
    case Field::kIsoTime: {
      const auto time = field == Field::kTime ? parse_log_time(value) : parse_iso_time(value);
      if (!time) return false;
      entry.time = time->seconds;
      entry.zone = time->zone;
      return true;
    }
    case Field::kEpoch:
      return read_number(value.substr(0, value.find('.')), entry.time) && entry.time >= 0;
    case Field::kMillis:
      if (!read_number(value, entry.time) || entry.time < 0) return false;
      entry.time /= 1000;
      return true;
    case Field::kDate: {
      const auto date = parse_log_date(value);
      if (date) entry.time += *date;
      return date.has_value();
    }
    case Field::kClock: {
      const auto seconds = parse_log_clock(value.substr(0, value.find('.')));
      if (seconds) entry.time += *seconds;
      return seconds.has_value();
    }
    case Field::kRequest:
      split_request(value, entry);
      return true;
    case Field::kMethod:
      entry.method = is_method(text) ? text : std::string_view();
      return true;
    case Field::kTarget:
      entry.target = text;
      return true;
    case Field::kQuery:
      entry.query = text.starts_with('?') ? text.substr(1) : text;
      return true;
    case Field::kProtocol:
      entry.protocol = text;
      return true;
    case Field::kStatus:
      return read_number(value, entry.status) && entry.status >= 0 && entry.status <= 999;
    case Field::kBytes:
      entry.bytes = 0;
      return none || (read_number(value, entry.bytes) && entry.bytes >= 0);
    case Field::kReferrer:
      entry.referrer = text;
      return true;
    case Field::kAgent:
      entry.agent = text;
      return true;
    case Field::kCookie:
      entry.cookie = text;
      return true;
    case Field::kSite:
      entry.site = text;
      return true;
  }
  return false;
}

LineState LogFormat::read(std::string_view line, LogEntry& entry) {
  entry = {};
  if (w3c_ && line.starts_with('#')) {
    constexpr std::string_view kFields = "#Fields:";
    if (line.starts_with(kFields)) read_w3c_fields(line.substr(kFields.size()));
    return LineState::kComment;
  }
  // A server that was switched off leaves zeros in front of its next line.
  bool damaged = false;
  while (line.starts_with('\0')) {
    line.remove_prefix(1);
    damaged = true;
  }
  if (elements_.empty()) return LineState::kBroken;
  size_t at = 0;
  for (size_t i = 0; i < elements_.size(); ++i) {
    const Element& element = elements_[i];
    const LineState failed = i >= essential_ ? LineState::kCut : LineState::kBroken;
    if (line.compare(at, element.before.size(), element.before) != 0) return failed;
    at += element.before.size();
    const bool last = i + 1 == elements_.size();
    const std::string_view next = last ? std::string_view(after_) : elements_[i + 1].before;
    size_t end = line.size();
    if (!next.empty()) {
      end = find_literal(line, at, next, element.quoted);
      // The last field may be followed by others, or by nothing.
      if (end == line.npos && element.quoted && i + 1 >= essential_ && i >= essential_) {
        end = find_literal(line, at, "\"", true);
      }
      if (end == line.npos) {
        // What is left of the line is what is left of this field.
        const bool good = set(entry, element.field, without_beginning_of(next, line.substr(at)));
        return good && i + 1 >= essential_ ? LineState::kCut : LineState::kBroken;
      }
    }
    if (!set(entry, element.field, line.substr(at, end - at))) return LineState::kBroken;
    at = end;
  }
  if (line.compare(at, after_.size(), after_) != 0) damaged = true;
  at += after_.size();
  if (at < line.size() && !open_end_) return LineState::kBroken;
  return damaged ? LineState::kCut : LineState::kWhole;
}

}  // namespace dowser
