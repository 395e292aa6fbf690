#include "mine/topics/given_counts.h"

#include <fmt/format.h>

#include <charconv>

namespace dowser {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r") - begin + 1);
}

// Nothing inside: unknown. Error: no number.
Result<std::optional<uint64_t>> number_of(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text == "?") return std::optional<uint64_t>();
  std::string digits(text);
  std::erase(digits, ',');
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return Error{fmt::format("'{}' is not a number of pages", text.substr(0, 40))};
  }
  return std::optional(value);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

Status add_line(std::string_view line, TopicsFound& found) {
  const std::vector<std::string_view> cells = cells_of(line);
  const size_t expected = found.keyword.empty() ? 2 : 3;
  if (cells.size() != expected || cells[0].empty()) {
    return Error{found.keyword.empty()
                     ? "the first line must be: keyword, tab, number of pages"
                     : "a line must be: candidate, tab, number of pages, tab, number with both"};
  }
  const auto first = number_of(cells[1]);
  if (!first) return first.error();
  if (found.keyword.empty()) {
    found.keyword = cells[0];
    found.keyword_parts = {found.keyword};
    found.keyword_count = *first;
    return {};
  }
  const auto both = number_of(cells[2]);
  if (!both) return both.error();
  if (*first && *both && **both > std::max(**first, found.keyword_count.value_or(**both))) {
    return Error{"more pages with both than with one of the two"};
  }
  ScoredTopic topic;
  std::string_view phrase = cells[0];
  if (phrase.ends_with('*')) {
    topic.candidate.starred = true;
    phrase = trimmed(phrase.substr(0, phrase.size() - 1));
  }
  topic.candidate.phrase = phrase;
  topic.counts = {found.keyword_count, *first, *both};
  found.topics.push_back(std::move(topic));
  return {};
}

}  // namespace

Result<TopicsFound> read_counts(std::string_view text, std::string_view file) {
  TopicsFound found;
  found.counts = file;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    if (Status s = add_line(line, found); !s) {
      return Error{fmt::format("{}, line {}: {}", file, number, s.error().message)};
    }
  }
  if (found.keyword.empty()) return Error{fmt::format("{} contains no counts", file)};
  return found;
}

}  // namespace dowser
