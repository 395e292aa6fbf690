#include "guard/name_words.h"

#include "base/percent_decode.h"

namespace dowser {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

const std::vector<std::string>& usual_unwelcome_names() {
  static const std::vector<std::string> names = {"homework", "hw",   "assignment", "syllabus", "cv",
                                                 "resume",   "week", "lecture",    "exercise"};
  return names;
}

std::vector<std::string> name_words(std::string_view encoded) {
  const std::string name = percent_decode(encoded);
  std::vector<std::string> words;
  bool in_word = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    // Letters beyond ASCII belong to words, and have no case here.
    if (!is_upper(c) && !is_lower(c) && (c & 0x80) == 0) {
      in_word = false;
      continue;
    }
    const bool after_lower = i > 0 && is_lower(name[i - 1]) && is_upper(c);
    const bool last_capital = i > 0 && i + 1 < name.size() && is_upper(name[i - 1]) &&
                              is_upper(c) && is_lower(name[i + 1]);  // the H of CSHomework
    if (!in_word || after_lower || last_capital) words.emplace_back();
    words.back() += is_upper(c) ? static_cast<char>(c + 32) : c;
    in_word = true;
  }
  return words;
}

}  // namespace dowser
