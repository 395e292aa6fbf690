#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "guard/near_duplicates.h"
#include "mine/topics/item_rules.h"
#include "model/page.h"
#include "text/stems.h"

// The items of the lists on pages, in which people write down what a topic consists of.

namespace dowser {

struct ListItem {
  std::string text;      // as on the page, white space folded
  uint32_t page = 0;     // index into ListItems::pages
  uint32_t heading = 0;  // index into ListItems::headings
  bool starred = false;  // an enclosing item, or the heading of an enclosing list, has the keyword
};

struct ItemPage {
  std::string url, title, language;
  uint32_t group = 0;  // near duplicates are one group
  uint32_t host = 0;   // a number for each host
  bool noisy = false;  // then nothing was taken from it
  uint32_t lists = 0;  // of which an item was taken
};

struct ListItems {
  std::vector<ItemPage> pages;
  std::vector<ListItem> items;
  std::vector<std::string> headings;         // what introduces a list; "" for lists without one
  size_t lists = 0;                          // of which an item was taken
  std::array<size_t, kItemFaults> faults{};  // items that were seen, by what is wrong with them
  size_t in_templates = 0;                   // and those that stand in menus and the like
};

class ItemCollector {
 public:
  explicit ItemCollector(std::string_view keyword, DigitRule digits = {});

  // Takes the items of the page's content. Lists in menus, headers and footers are skipped; if the
  // template of the host is known, the caller marks its blocks before.
  void add(const Page& page);
  const ListItems& items() const { return items_; }
  ListItems take() { return std::move(items_); }

  // Whether the words, the last of them in singular or plural, occur as a phrase outside lists and
  // tables: in a paragraph, a heading, a title.
  bool is_in_prose(const std::vector<std::string>& words) const;
  // Whether a single word is an adjective: it ends like one, and nearly always stands before
  // another word there, as "linear" of linear equations. False if there are too few places to tell.
  bool is_adjective(const std::vector<std::string>& words) const;
  // Whether a phrase of two or three words is the name of a person or the like: each is written
  // with a capital in it, and none is ever written without one in the prose.
  bool is_name(std::string_view phrase) const;

 private:
  std::vector<std::string> stems(std::string_view text);
  bool holds_keyword(std::string_view text);
  void add_prose(std::string_view text);

  Stemmer stemmer_{"porter"};
  std::vector<std::string> keyword_;
  DigitRule digits_;
  NearDuplicates near_duplicates_;
  absl::flat_hash_map<std::string, uint32_t> hosts_;
  ListItems items_;
  std::vector<TermId> prose_;      // the words of all pages outside lists; 0 separates texts
  std::vector<bool> ends_phrase_;  // of each of them: a stop word, or between texts
  struct Written {
    uint32_t small = 0, capital = 0;
  };
  absl::flat_hash_map<TermId, Written> written_;  // how often without and with a capital in prose
};

}  // namespace dowser
