#include "text/stop_words.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "text/stop_words_data.h"

namespace dowser {
namespace {

using Lists = absl::flat_hash_map<std::string_view, StopWords>;

const Lists& lists() {
  static const Lists& all = *[] {
    auto* made = new Lists;  // never destroyed, because threads may outlive main
    for (const auto& [language, words] : stop_word_data()) made->emplace(language, words);
    return made;
  }();
  return all;
}

}  // namespace

StopWords::StopWords(std::string_view words) {
  constexpr std::string_view kSpace = " \n";
  while (true) {
    const size_t begin = words.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(words.find_first_of(kSpace, begin), words.size());
    words_.insert(words.substr(begin, end - begin));
    longest_ = std::max(longest_, end - begin);
    words.remove_prefix(end);
  }
}

bool StopWords::contains(std::string_view lower_case_token) const {
  return lower_case_token.size() <= longest_ && words_.contains(lower_case_token);
}

const StopWords& stop_words(std::string_view language) {
  static const StopWords& none = *new StopWords;
  const auto found = lists().find(language);
  return found == lists().end() ? none : found->second;
}

std::vector<std::string_view> stop_word_languages() {
  std::vector<std::string_view> codes;
  for (const auto& [language, words] : lists()) codes.push_back(language);
  std::sort(codes.begin(), codes.end());
  return codes;
}

}  // namespace dowser
