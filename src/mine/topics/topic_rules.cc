#include "mine/topics/topic_rules.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "text/stop_words.h"
#include "text/tokens.h"

// Uluhan (2006) takes every set of words that equals one item of a list. Two kinds of candidates
// are never topics, and their counts do not show it:
//
//   Rows of a form. Pages of one kind are filled in from one form: "Halides", "Oxides", "Sulfides"
//   under "Compounds" of every chemical element, the parameters of a command under "Parameters" of
//   every manual page. So a list under the same heading on at least three pages of a host is a
//   form, if each of its different items occurs there on 1.5 pages or more on average. A list that
//   people wrote, as under "See also" or "Research interests", has other items on every page. A
//   candidate that equals items of forms only is left out. A heading that has the keyword is that
//   of no form: what every page lists there are topics.
//
//   Words that are parts. "Linear", "Burns" and "Wave" are items of one list each, and frequent
//   words of others: "Linear equations", "New wave". So a candidate of a single word must be a
//   whole item on as many pages as support asks for; a stop word beside it, as in "New wave", makes
//   it another item, but an article does not.
//
// Cost: one pass over the items.

namespace dowser {
namespace {

constexpr size_t kFormPages = 3;
constexpr double kFormPagesOfItem = 1.5;  // on average

std::string key_of(const ListItems& items, const ListItem& item) {
  return fmt::format("{} {}", items.pages[item.page].host,
                     fmt::join(tokens(items.headings[item.heading]), " "));
}

bool is_article(std::string_view word) { return word == "the" || word == "a" || word == "an"; }

// The words of a text without articles.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words = tokens(text, {.digits = true});
  std::erase_if(words, is_article);
  return words;
}

}  // namespace

TopicRules::TopicRules(const ListItems& items, size_t support) : items_(items), support_(support) {
  struct Form {
    std::set<uint32_t> pages;
    absl::flat_hash_map<std::string, std::set<uint32_t>> pages_with;  // by item
  };
  absl::flat_hash_map<std::string, Form> forms;
  for (const ListItem& item : items.items) {
    if (items.headings[item.heading].empty()) continue;
    Form& form = forms[key_of(items, item)];
    const uint32_t page = items.pages[item.page].group;
    form.pages.insert(page);
    form.pages_with[fmt::format("{}", fmt::join(words_of(item.text), " "))].insert(page);
  }
  for (const auto& [key, form] : forms) {
    if (form.pages.size() < kFormPages) continue;
    size_t times = 0;
    for (const auto& [item, pages] : form.pages_with) times += pages.size();
    const auto different = static_cast<double>(form.pages_with.size());
    if (static_cast<double>(times) >= kFormPagesOfItem * different) forms_.insert(key);
  }
}

bool TopicRules::is_row(const TopicCandidate& candidate) const {
  for (const uint32_t i : candidate.items) {
    const ListItem& item = items_.items[i];
    if (item.starred || items_.headings[item.heading].empty()) return false;
    if (!forms_.contains(key_of(items_, item))) return false;
  }
  return !candidate.items.empty();
}

bool TopicRules::is_only_part(const TopicCandidate& candidate) const {
  const StopWords& stop = stop_words("en");
  std::vector<std::string> words = words_of(candidate.phrase);
  std::erase_if(words, [&](const std::string& word) { return stop.contains(word); });
  if (words.size() != 1) return false;
  std::set<uint32_t> pages;
  for (const uint32_t i : candidate.items) {
    const ListItem& item = items_.items[i];
    if (words_of(item.text).size() == 1) pages.insert(items_.pages[item.page].group);
  }
  return pages.size() < support_;
}

}  // namespace dowser
