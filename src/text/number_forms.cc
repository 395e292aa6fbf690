#include "text/number_forms.h"

namespace dowser {
namespace {

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

// "box" -> "boxes", "class" -> "classes", "search" -> "searches"
bool takes_es(std::string_view word) {
  return word.ends_with('s') || word.ends_with('x') || word.ends_with('z') ||
         word.ends_with("ch") || word.ends_with("sh");
}

std::string singular_of(std::string_view word) {
  if (word.ends_with("ies") && word.size() > 4) {
    return std::string(word.substr(0, word.size() - 3)) + "y";
  }
  if (word.ends_with("es") && takes_es(word.substr(0, word.size() - 2)) && !word.ends_with("ses")) {
    return std::string(word.substr(0, word.size() - 2));
  }
  if (word.ends_with("sses")) return std::string(word.substr(0, word.size() - 2));
  if (word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") &&
      !word.ends_with("is")) {
    return std::string(word.substr(0, word.size() - 1));
  }
  return "";
}

std::string plural_of(std::string_view word) {
  if (word.ends_with('y') && !is_vowel(word[word.size() - 2])) {
    return std::string(word.substr(0, word.size() - 1)) + "ies";
  }
  return std::string(word) + (takes_es(word) ? "es" : "s");
}

}  // namespace

std::vector<std::string> number_forms(std::string_view word) {
  std::vector<std::string> forms = {std::string(word)};
  if (word.size() < 3 || word.back() < 'a' || word.back() > 'z') return forms;
  const std::string singular = singular_of(word);
  forms.push_back(singular.empty() ? plural_of(word) : singular);
  return forms;
}

}  // namespace dowser
