#include "archive/warc_head.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace dowser {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// The dates of WARC 1.1 may stop after any part: "2016", "2016-11-03T10:49Z".
Time read_date(std::string_view text) {
  constexpr std::string_view kRest = "0000-01-01T00:00:00Z";
  if (const auto time = parse_iso8601(text)) return *time;
  std::string full(text.substr(0, text.find('Z')));
  if (full.size() < kRest.size()) full += kRest.substr(full.size());
  const auto time = parse_iso8601(full);
  return time ? *time : Time{};
}

std::vector<std::pair<std::string, std::string>> fields_of(std::string_view head) {
  std::vector<std::pair<std::string, std::string>> fields;
  while (!head.empty()) {
    const size_t end = head.find('\n');
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    const std::string_view text = trim(line);
    if (text.empty()) continue;
    if ((line.front() == ' ' || line.front() == '\t') && !fields.empty()) {
      fields.back().second.append(" ").append(text);
    } else if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
      fields.emplace_back(trim(text.substr(0, colon)), trim(text.substr(colon + 1)));
    }
  }
  return fields;
}

std::optional<uint64_t> read_number(std::string_view text) {
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

bool starts_record(std::string_view bytes) {
  const auto digit = [&](size_t i) { return bytes[i] >= '0' && bytes[i] <= '9'; };
  return bytes.size() >= 8 && bytes.starts_with("WARC/") && digit(5) && bytes[6] == '.' && digit(7);
}

size_t find_record(std::string_view text) {
  for (size_t at = text.find("\nWARC/"); at != std::string_view::npos;
       at = text.find("\nWARC/", at + 1)) {
    if (starts_record(text.substr(at + 1))) return at + 1;
  }
  return std::string_view::npos;
}

size_t end_of_head(std::string_view text) {
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (text.substr(at + 1).starts_with("\n")) return at + 2;
    if (text.substr(at + 1).starts_with("\r\n")) return at + 3;
  }
  return std::string_view::npos;
}

WarcHead parse_warc_head(std::string_view text) {
  WarcHead head;
  WarcRecord& record = head.record;
  text.remove_prefix(std::min(text.size(), text.find('\n') + 1));  // the version
  for (auto& [name, value] : fields_of(text)) {
    if (same_name(name, "WARC-Type")) {
      record.type = record_type(value);
      if (record.type == RecordType::kOther) record.headers.add(name, value);
    } else if (same_name(name, "WARC-Record-ID")) {
      record.id = value;
    } else if (same_name(name, "WARC-Date")) {
      record.date = read_date(value);
    } else if (same_name(name, "WARC-Target-URI")) {
      const bool brackets = value.starts_with('<') && value.ends_with('>') && value.size() > 1;
      record.target = brackets ? value.substr(1, value.size() - 2) : value;
    } else if (same_name(name, "Content-Type")) {
      record.content_type = value;
    } else if (same_name(name, "Content-Length")) {
      head.length = read_number(value);
    } else {
      record.headers.add(std::move(name), std::move(value));
    }
  }
  return head;
}

}  // namespace dowser
