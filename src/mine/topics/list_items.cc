#include "mine/topics/list_items.h"

#include <algorithm>
#include <array>

#include "text/number_forms.h"
#include "text/stop_words.h"
#include "text/terms.h"
#include "text/tokens.h"

namespace dowser {
namespace {

// A list of links is a list as good as any other, as long as the host does not repeat it on its
// other pages.
bool is_readable(BlockRole role) {
  return role == BlockRole::kContent || role == BlockRole::kLinks || role == BlockRole::kBeside ||
         role == BlockRole::kMenu || role == BlockRole::kAside;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

std::string lower_of(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = is_capital(c) ? static_cast<char>(c | 0x20) : c;
  return lower;
}

// English endings that most adjectives of science have, and few nouns.
bool ends_like_adjective(std::string_view word) {
  constexpr std::array<std::string_view, 12> kEndings = {
      "al", "ic", "ive", "ous", "ary", "able", "ible", "ear", "ical", "ular", "less", "ful"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return word.ends_with(ending); });
}

}  // namespace

ItemCollector::ItemCollector(std::string_view keyword, DigitRule digits)
    : keyword_(stems(keyword)), digits_(std::move(digits)) {
  items_.headings.emplace_back();
}

std::vector<std::string> ItemCollector::stems(std::string_view text) {
  std::vector<std::string> words = tokens(text, {.digits = true});
  for (std::string& word : words) word = stemmer_.stem(word);
  return words;
}

bool ItemCollector::holds_keyword(std::string_view text) {
  if (keyword_.empty()) return false;
  const std::vector<std::string> words = stems(text);
  return std::search(words.begin(), words.end(), keyword_.begin(), keyword_.end()) != words.end();
}

void ItemCollector::add_prose(std::string_view text) {
  static const StopWords& stop = stop_words("en");
  for_each_token(text, {.digits = true}, [&](std::string_view word) {
    prose_.push_back(term_id(word));
    ends_phrase_.push_back(stop.contains(word));
  });
  for_each_token(text, {.lower = false, .digits = true}, [&](std::string_view word) {
    Written& written = written_[term_id(lower_of(word))];
    ++(is_capital(word[0]) ? written.capital : written.small);
  });
  prose_.push_back(0);
  ends_phrase_.push_back(true);
}

bool ItemCollector::is_in_prose(const std::vector<std::string>& words) const {
  if (words.empty()) return false;
  std::vector<TermId> wanted;
  for (const std::string& word : words) wanted.push_back(term_id(word));
  for (const std::string& form : number_forms(words.back())) {
    wanted.back() = term_id(form);
    if (std::search(prose_.begin(), prose_.end(), wanted.begin(), wanted.end()) != prose_.end()) {
      return true;
    }
  }
  return false;
}

bool ItemCollector::is_adjective(const std::vector<std::string>& words) const {
  constexpr size_t kEnough = 5;
  constexpr double kNearlyAlways = 0.8;
  if (words.size() != 1 || !ends_like_adjective(words.front())) return false;
  const TermId word = term_id(words.front());
  size_t places = 0, before_another = 0;
  for (size_t i = 0; i + 1 < prose_.size(); ++i) {
    if (prose_[i] != word) continue;
    ++places;
    before_another += !ends_phrase_[i + 1];
  }
  return places >= kEnough &&
         static_cast<double>(before_another) >= kNearlyAlways * static_cast<double>(places);
}

bool ItemCollector::is_name(std::string_view phrase) const {
  const std::vector<std::string> words = tokens(phrase, {.lower = false, .digits = true});
  if (words.size() < 2 || words.size() > 3) return false;
  // Addresses of mail have names without capitals.
  constexpr uint32_t kMostSmall = 3;  // of ten
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    if (!is_capital(word[0])) return false;
    if (word.size() == 1) return true;
    const auto it = written_.find(term_id(lower_of(word)));
    if (it == written_.end()) return true;
    return 10 * it->second.small <= kMostSmall * (it->second.small + it->second.capital);
  });
}

void ItemCollector::add(const Page& page) {
  ItemPage entry;
  entry.url = page.url.href();
  entry.title = page.title;
  entry.language = page.language;
  const auto number = static_cast<uint32_t>(items_.pages.size());
  const auto repeat = near_duplicates_.add(VisitId{number}, page.text);
  entry.group = repeat ? repeat->of.value : number;
  entry.host =
      hosts_.try_emplace(std::string(page.url.hostname()), static_cast<uint32_t>(hosts_.size()))
          .first->second;
  entry.noisy = is_noisy_page(page.text);
  if (entry.noisy) {
    items_.pages.push_back(std::move(entry));
    return;
  }
  // Of each list, once: does something around it hold the keyword, and which heading has it?
  struct Around {
    bool known = false, starred = false, used = false;
    uint32_t heading = 0;
  };
  std::vector<Around> around(page.lists.size());
  const auto look = [&](size_t list) {
    Around& a = around[list];
    if (a.known) return;
    a.known = true;
    const int32_t heading = page.lists[list].heading;
    if (heading >= 0) {
      const std::string_view text = page.words(page.blocks[static_cast<size_t>(heading)].text);
      a.starred = holds_keyword(text);
      a.heading = static_cast<uint32_t>(items_.headings.size());
      items_.headings.emplace_back(text);
    }
  };
  add_prose(page.title);
  for (const Block& block : page.blocks) {
    if (block.kind != BlockKind::kListItem && block.kind != BlockKind::kTableCell &&
        is_readable(block.role)) {
      add_prose(page.words(block.text));
    }
    if (block.kind != BlockKind::kListItem || block.list < 0) continue;
    if (!is_readable(block.role)) {
      ++items_.in_templates;
      continue;
    }
    const std::string_view text = page.words(block.text);
    const ItemFault fault = fault_of_item(text, digits_);
    ++items_.faults[static_cast<size_t>(fault)];
    if (fault != ItemFault::kNone) continue;
    bool starred = false;
    for (int32_t list = block.list; list >= 0;
         list = page.lists[static_cast<size_t>(list)].parent) {
      look(static_cast<size_t>(list));
      starred |= around[static_cast<size_t>(list)].starred;
    }
    Around& own = around[static_cast<size_t>(block.list)];
    if (!own.used) {
      own.used = true;
      ++entry.lists;
      ++items_.lists;
    }
    items_.items.push_back({std::string(text), number, own.heading, starred});
  }
  items_.pages.push_back(std::move(entry));
}

}  // namespace dowser
