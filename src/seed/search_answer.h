#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "seed/search_provider.h"

// Reads the answer of a search engine, which is untrusted JSON of any shape.

namespace dowser {

// The positions of the parts of an answer, as JSON pointers ("/items"); `url` and `title` are
// relative to a result.
struct AnswerShape {
  std::string results, url;
  std::string title, count;    // "": the service does not give it
  bool needs_results = false;  // false: an answer without a list has no results
};

// Reads JSON that is nested no deeper than kDeepestAnswer: nothing recursive happens with more.
inline constexpr int kDeepestAnswer = 64;
Result<nlohmann::json> parse_answer(std::string_view bytes);

// Results without an address of a web page are skipped. `page` is the zero-based number of the
// page of results.
Result<SearchAnswer> read_answer(const nlohmann::json& json, const AnswerShape& shape, size_t page);

// Whether it can be used as a JSON pointer.
bool is_json_pointer(const std::string& text);

}  // namespace dowser
