#include "strategy/page_words.h"

#include <gtest/gtest.h>

#include "tests/strategy/written_visit.h"

namespace dowser {
namespace {

std::vector<TermId> ids(std::span<const PlacedTerm> terms) {
  std::vector<TermId> ids;
  for (const PlacedTerm& term : terms) ids.push_back(term.id);
  return ids;
}

const Page& page() {
  static const Page page = written_page(
      "http://w.test/",
      "Birds of the world:\n([parrots|http://w.test/1], grey-[crowned|http://w.test/2] "
      "cranes)\n[|http://w.test/3] dog's-\xC3\xA9tudes [The end|http://w.test/4]");
  return page;
}

TEST(PageWords, all_words_are_those_of_the_text_in_order) {
  const PageWords words(page());
  EXPECT_EQ(ids(words.all()), term_ids(page().text, "en"));
  for (const PlacedTerm& term : words.all()) EXPECT_LT(term.place, page().text.size());
}

TEST(PageWords, the_words_of_a_link_are_those_of_its_anchor_alone) {
  const PageWords words(page());
  for (const Link& link : page().links) {
    EXPECT_EQ(ids(words.anchor(link)), term_ids(page().anchor(link), "en")) << link.position;
  }
  EXPECT_EQ(ids(words.anchor(page().links[1])), term_ids("crowned", "en"));
}

TEST(PageWords, the_words_around_a_link_are_those_of_its_context) {
  const PageWords words(page());
  for (const Link& link : page().links) {
    for (const int n : {0, 1, 2, 10}) {
      const Page::Context context = page().context(link, n);
      EXPECT_EQ(ids(words.around(page(), link, n)),
                term_ids(std::string(context.before) + std::string(page().anchor(link)) +
                             std::string(context.after),
                         "en"))
          << link.position << " " << n;
    }
  }
}

TEST(PageWords, places_are_those_of_the_pieces_between_blanks_and_cuts) {
  const std::string_view text = "The red lighthouse,\nwhite-washed";
  const uint32_t cuts[] = {26};
  const auto terms = placed_terms(text, "en", cuts);
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_EQ(terms[0].place, 4u);   // red
  EXPECT_EQ(terms[1].place, 8u);   // lighthouse
  EXPECT_EQ(terms[2].place, 20u);  // white
  EXPECT_EQ(terms[3].place, 26u);  // washed, behind the cut
  EXPECT_EQ(placed_terms(text, "en")[3].place, 20u);
  EXPECT_EQ(ids(terms), term_ids(text, "en"));
  EXPECT_EQ(count_terms(terms), count_terms({text}, "en"));
}

}  // namespace
}  // namespace dowser
