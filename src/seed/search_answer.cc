#include "seed/search_answer.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace dowser {
namespace {

using Pointer = nlohmann::json::json_pointer;

// What a pointer leads to; null if it leads nowhere.
const nlohmann::json* find(const nlohmann::json& json, const std::string& pointer) {
  const Pointer place(pointer);
  return json.contains(place) ? &json.at(place) : nullptr;
}

std::string text_at(const nlohmann::json& json, const std::string& pointer) {
  const nlohmann::json* value = pointer.empty() ? nullptr : find(json, pointer);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

// A number of pages as search engines write it: 12, 12.0, "12", "12,300".
std::optional<uint64_t> count_of(const nlohmann::json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (!(number >= 0 && number < 1e18)) return std::nullopt;
    return static_cast<uint64_t>(number);
  }
  if (!value.is_string()) return std::nullopt;
  std::string digits = value.get<std::string>();
  std::erase_if(digits, [](char c) { return c == ',' || c == '.' || c == ' ' || c == '\''; });
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

bool is_deeper_than(std::string_view bytes, int most) {
  int depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > most) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Result<nlohmann::json> parse_answer(std::string_view bytes) {
  if (is_deeper_than(bytes, kDeepestAnswer)) {
    return Error{fmt::format("it is nested deeper than {} levels", kDeepestAnswer)};
  }
  nlohmann::json json = nlohmann::json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Error{"it cannot be read"};
  return json;
}

Result<SearchAnswer> read_answer(const nlohmann::json& json, const AnswerShape& shape,
                                 size_t page) {
  SearchAnswer answer;
  const nlohmann::json* results = find(json, shape.results);
  if (results ? !results->is_array() : shape.needs_results) {
    return Error{fmt::format("the answer has no list of results at {}", shape.results)};
  }
  if (results) {
    for (const nlohmann::json& result : *results) {
      Result<Url> url = Url::parse(text_at(result, shape.url));
      if (!url || !url->is_http()) continue;
      answer.hits.push_back({std::move(*url), text_at(result, shape.title)});
    }
  }
  if (!shape.count.empty()) {
    if (const nlohmann::json* count = find(json, shape.count)) answer.count = count_of(*count);
  }
  // "0" beside results, or after the first page, means that it does not know.
  if (answer.count == 0 && (page > 0 || !answer.hits.empty())) answer.count.reset();
  return answer;
}

bool is_json_pointer(const std::string& text) {
  try {
    (void)Pointer(text);
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace dowser
