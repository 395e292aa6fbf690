#include <nlohmann/json.hpp>

#include "seed/search_answer.h"

// Answers of search engines: any bytes, read as those of a searx and as those of a service with
// other places for everything.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  static const AnswerShape kShapes[] = {
      {"/results", "/url", "/title", "/number_of_results", true},
      {"/a/0", "/b/c", "/1", "/n", false},
      {"/0", "/0", "", "/1", false},
  };
  const Result<nlohmann::json> json = parse_answer({reinterpret_cast<const char*>(data), size});
  if (!json) return 0;
  for (size_t page = 0; page < 2; ++page) {
    for (const AnswerShape& shape : kShapes) {
      const Result<SearchAnswer> answer = read_answer(*json, shape, page);
      if (!answer) continue;
      for (const SearchHit& hit : answer->hits) {
        if (!hit.url.is_http()) __builtin_trap();
      }
      if (answer->count == 0 && (page > 0 || !answer->hits.empty())) __builtin_trap();
    }
  }
  return 0;
}
