#include "text/terms.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace dowser {
namespace {

// The slow reference: each piece between blanks and cuts is analysed anew.
std::vector<PlacedTerm> slowly_placed(std::string_view text, std::string_view language,
                                      std::span<const uint32_t> cuts) {
  std::vector<PlacedTerm> terms;
  size_t begin = 0;
  const auto end_piece = [&](size_t end) {
    for (const TermId id : term_ids(text.substr(begin, end - begin), language)) {
      terms.push_back({id, static_cast<uint32_t>(begin)});
    }
    begin = end;
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (std::find(cuts.begin(), cuts.end(), at) != cuts.end()) end_piece(at);
    if (text[at] != ' ' && text[at] != '\n') continue;
    end_piece(at);
    begin = at + 1;
  }
  end_piece(text.size());
  return terms;
}

// Stop words, words with signs around them, several terms in a piece, and pieces that are long.
const std::vector<std::string> kPieces = {"birds",
                                          "Birds,",
                                          "the",
                                          "The",
                                          "bird's",
                                          "l'homme",
                                          "e-mail",
                                          "one-two-three",
                                          "42",
                                          "mp3",
                                          "Zürich",
                                          "Vögel",
                                          "日本語",
                                          "...",
                                          "a/b/c/d",
                                          "Dampfschifffahrtskapitän",
                                          "x",
                                          "(birds).",
                                          "\"Hello!\"",
                                          "dogs'.",
                                          "...bird's:",
                                          ".,;",
                                          "I",
                                          "twenty-three-bytes-here",
                                          "and-so-on-and-so-forth-without-any-blank"};

RC_GTEST_PROP(PlacedTerms, are_those_of_each_piece_however_often_it_was_read_before, ()) {
  std::string text;
  for (const auto& [i, blank] : *rc::gen::container<std::vector<std::pair<size_t, std::string>>>(
           rc::gen::pair(rc::gen::inRange<size_t>(0, kPieces.size()),
                         rc::gen::element<std::string>(" ", "\n", "  ")))) {
    text += kPieces[i] + blank;
  }
  auto cuts = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 200));
  std::sort(cuts.begin(), cuts.end());
  const auto language = *rc::gen::element<std::string>("en", "de", "fr", "tr", "xx", "");
  RC_ASSERT(placed_terms(text, language, cuts) == slowly_placed(text, language, cuts));
}

RC_GTEST_PROP(TermCounter, counts_as_a_map_does_and_sorts_by_term, ()) {
  // With few bits that differ, so that many terms want the same slot.
  const auto term =
      rc::gen::map(rc::gen::inRange<TermId>(0, 300), [](TermId t) { return t << 20 | (t & 3); });
  std::map<TermId, uint32_t> expected;
  size_t total = 0;
  TermCounter counter(0);
  for (const auto& [id, times] : *rc::gen::container<std::vector<std::pair<TermId, uint32_t>>>(
           rc::gen::pair(term, rc::gen::inRange<uint32_t>(0, 4)))) {
    counter.add(id, times);
    if (times > 0) expected[id] += times;
    total += times;
  }
  RC_ASSERT(counter.total() == total);
  std::vector<TermCount> counts;
  for (const auto& [id, count] : expected) counts.push_back({id, count});
  RC_ASSERT(std::move(counter).sorted() == counts);
}

TEST(LogCount, is_the_logarithm_to_the_last_bit) {
  for (const uint32_t count : {1u, 2u, 63u, 64u, 65u, 1'000'000u}) {
    EXPECT_EQ(log_count(count), 1 + std::log(static_cast<double>(count))) << count;
  }
}

}  // namespace
}  // namespace dowser
