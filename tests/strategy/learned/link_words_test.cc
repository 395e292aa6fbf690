#include "strategy/learned/link_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace dowser {
namespace {

// Words of one letter each, at every second byte; the terms are the letters.
Page page_of(std::string_view letters) {
  Page page;
  for (const char letter : letters) {
    page.placed_terms.push_back(
        {static_cast<TermId>(letter), static_cast<uint32_t>(page.text.size())});
    page.text += letter;
    page.text += ' ';
  }
  return page;
}

Link link_over(uint32_t begin, uint32_t end) {
  Link link;
  link.anchor = {2 * begin, 2 * end};
  return link;
}

std::string text_of(std::span<const TermId> words) { return {words.begin(), words.end()}; }

std::vector<TermId> sorted(std::span<const TermId> words) {
  std::vector<TermId> all(words.begin(), words.end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(LinkWords, the_anchor_comes_first_then_what_else_stands_around) {
  const Page page = page_of("abcdefghijklmnopqrst");
  LinkWords words;
  words.read(page);
  const auto [all, of_anchor] = words.of(page, link_over(8, 10));
  EXPECT_EQ(text_of(all), "ijcdefghklmnop");
  EXPECT_EQ(of_anchor, 2u);
}

TEST(LinkWords, a_word_of_the_anchor_is_no_other_word) {
  const Page page = page_of("xayxaxybx");
  LinkWords words;
  words.read(page);
  const auto [all, of_anchor] = words.of(page, link_over(3, 6));
  EXPECT_EQ(text_of(all), "xayb");
  EXPECT_EQ(of_anchor, 2u);
}

// Six on either side, each once, by sorting.
TEST(LinkWords, the_same_words_as_a_slow_search) {
  Random random(1);
  LinkWords words;
  for (int round = 0; round < 300; ++round) {
    std::string letters;
    for (size_t left = random.below(60); left > 0; --left) {
      letters += static_cast<char>('a' + random.below(1 + random.below(26)));
    }
    const Page page = page_of(letters);
    words.read(page);
    for (int i = 0; i < 10; ++i) {
      const size_t begin = random.below(letters.size() + 1);
      const size_t end = begin + random.below(std::min<size_t>(letters.size() - begin, 15) + 1);
      const size_t first = begin - std::min<size_t>(begin, 6);
      const size_t last = std::min(end + 6, letters.size());
      const auto distinct = [&](size_t from, size_t to) {
        std::vector<TermId> terms =
            sorted(std::vector<TermId>(letters.begin() + static_cast<ptrdiff_t>(from),
                                       letters.begin() + static_cast<ptrdiff_t>(to)));
        terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
        return terms;
      };
      const auto [all, of_anchor] =
          words.of(page, link_over(static_cast<uint32_t>(begin), static_cast<uint32_t>(end)));
      EXPECT_EQ(sorted(all.first(of_anchor)), distinct(begin, end)) << letters;
      EXPECT_EQ(sorted(all), distinct(first, last)) << letters;
    }
  }
}

}  // namespace
}  // namespace dowser
