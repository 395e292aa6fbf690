#include "parse/block_tree.h"

namespace dowser {
namespace {

struct HintWord {
  std::string_view word;  // in lower case
  uint8_t hints;
  bool whole = false;  // a longer word that begins like it does not count
};

// In order of their first letter. A word counts where it begins a part of a name: "post" in
// "post-body" and "blogPost", not in "compost".
constexpr HintWord kWords[] = {
    {"ad", kHintAside, true},     {"ads", kHintAside, true},  {"advert", kHintAside},
    {"article", kHintContent},    {"aside", kHintAside},      {"attribution", kHintCaption},
    {"author", kHintCaption},     {"banner", kHintHeader},    {"bio", kHintCaption, true},
    {"body", kHintContent},       {"breadcrumb", kHintMenu},  {"byline", kHintCaption},
    {"caption", kHintCaption},    {"comment", kHintComments}, {"complementary", kHintAside},
    {"consent", kHintAside},      {"content", kHintContent},  {"contentinfo", kHintFooter},
    {"cookie", kHintAside},       {"copyright", kHintFooter}, {"credit", kHintCaption},
    {"crumb", kHintMenu},         {"date", kHintCaption},     {"dateline", kHintCaption},
    {"disclaimer", kHintFooter},  {"disqus", kHintComments},  {"dropdown", kHintMenu},
    {"embed", kHintAside},        {"entry", kHintContent},    {"feedback", kHintComments},
    {"figcaption", kHintCaption}, {"footer", kHintFooter},    {"gallery", kHintCaption},
    {"gdpr", kHintAside},         {"hentry", kHintContent},   {"legal", kHintFooter},
    {"main", kHintContent},       {"masthead", kHintHeader},  {"menu", kHintMenu},
    {"meta", kHintCaption},       {"modal", kHintAside},      {"more", kHintAside, true},
    {"nav", kHintMenu},           {"newsletter", kHintAside}, {"outbrain", kHintAside},
    {"overlay", kHintAside},      {"pager", kHintMenu},       {"pagination", kHintMenu},
    {"popular", kHintAside},      {"popup", kHintAside},      {"post", kHintContent},
    {"promo", kHintAside},        {"publish", kHintCaption},  {"rail", kHintAside, true},
    {"read-more", kHintAside},    {"readmore", kHintAside},   {"recirc", kHintAside},
    {"recommend", kHintAside},    {"related", kHintAside},    {"replies", kHintComments},
    {"respond", kHintComments},   {"rss", kHintAside, true},  {"share", kHintAside},
    {"sharing", kHintAside},      {"sidebar", kHintAside},    {"signup", kHintAside},
    {"sitemap", kHintMenu},       {"skip", kHintMenu, true},  {"social", kHintAside},
    {"sponsor", kHintAside},      {"story", kHintContent},    {"subscribe", kHintAside},
    {"subscription", kHintAside}, {"taboola", kHintAside},    {"tag", kHintMenu, true},
    {"tags", kHintMenu, true},    {"teaser", kHintAside},     {"timestamp", kHintCaption},
    {"toc", kHintMenu, true},     {"toolbar", kHintMenu},     {"tooltip", kHintAside},
    {"trending", kHintAside},     {"widget", kHintAside},
};

constexpr std::string_view kBodyNames[] = {
    "articlebody",   "article-body",  "article_body", "storybody",        "story-body",
    "post-body",     "entry-content", "post-content", "article-content",  "article__body",
    "story-content", "article-text",  "articletext",  "article__content", "postcontent"};

constexpr bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool begins_with(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = is_upper(text[i]) ? static_cast<char>(text[i] | 0x20) : text[i];
    if (c != word[i]) return false;
  }
  return true;
}

// Where the words of each letter begin in kWords.
struct Letters {
  uint8_t begin[28] = {};
  constexpr Letters() {
    size_t at = 0;
    for (int letter = 0; letter < 27; ++letter) {
      while (at < std::size(kWords) && kWords[at].word[0] - 'a' < letter) ++at;
      begin[letter] = static_cast<uint8_t>(at);
    }
    begin[27] = static_cast<uint8_t>(std::size(kWords));
  }
};
constexpr Letters kLetters;

uint8_t hints_at(std::string_view rest) {
  const int letter = (rest[0] | 0x20) - 'a';
  uint8_t hints = 0;
  for (size_t i = kLetters.begin[letter]; i < kLetters.begin[letter + 1]; ++i) {
    const HintWord& hint = kWords[i];
    if (!begins_with(rest, hint.word)) continue;
    const size_t size = hint.word.size();
    if (hint.whole && rest.size() > size && is_lower(rest[size])) continue;
    hints |= hint.hints;
  }
  return hints;
}

}  // namespace

uint8_t name_hints(std::string_view names) {
  uint8_t hints = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!is_letter(names[i])) continue;
    const bool begins =
        i == 0 || !is_letter(names[i - 1]) || (is_upper(names[i]) && is_lower(names[i - 1]));
    if (!begins) continue;
    hints |= hints_at(names.substr(i));
    for (const std::string_view body : kBodyNames) {
      if (begins_with(names.substr(i), body)) hints |= kHintBody;
    }
  }
  return hints;
}

}  // namespace dowser
