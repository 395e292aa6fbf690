#include "learn/signature/signature_relevance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dowser {
namespace {

TermId term(std::string_view word) { return word == "owl" ? 1 : word == "nest" ? 2 : 3; }

// Of "owl" and "nest" it is known that three of four pages with them are on the topic.
Signature owls(uint32_t training, uint32_t background) {
  Signature s;
  s.words = {"owl", "nest", "egg"};
  s.centroid[0] = 1;
  s.angle = 2;
  s.evidence = {training, 10, background, 100};
  s.of_words[0] = s.of_words[1] = {6, 10, 1, 100};
  return s;
}

class Relevance : public testing::Test {
 protected:
  std::vector<uint32_t> counts(uint32_t owl, uint32_t nest, uint32_t egg) const {
    std::vector<uint32_t> counts(3);
    counts[scanner_.groups().keyword_of(1)] = owl;
    counts[scanner_.groups().keyword_of(2)] = nest;
    counts[scanner_.groups().keyword_of(3)] = egg;
    return counts;
  }

  const std::vector<Signature> library_ = {owls(4, 0), owls(1, 8)};
  const SignatureScanner scanner_{library_, term};
  const SignatureRelevance relevance_{library_, scanner_.groups(), term, [](std::string_view word) {
                                        return word == "egg" ? 5 : 1000;
                                      }};
};

// The example of the essay, with a second signature of precision 0.1 and a third word, of which
// only the idf is known.
TEST_F(Relevance, is_as_computed_by_hand) {
  const double strong = -std::log(0.2), weak = -std::log(0.9), word = -std::log(0.25);
  const double half = 0.06 * (strong + weak + 4 * (word + word + 5 / 4.0));
  const double evidence = strong + word * 2 * 4 / 5 + word * 1 * 4 / 4;
  EXPECT_NEAR(relevance_(std::vector<HitCount>{{0, 7}}, counts(2, 1, 0), 600),
              evidence / (evidence + half), 1e-12);
  const double n = 0.25 + 0.75 * 2;  // twice the usual length
  const double longer = strong / n + word * 2 * 4 / (2 + 3 * n) + word * 1 * 4 / (1 + 3 * n);
  EXPECT_NEAR(relevance_(std::vector<HitCount>{{0, 1}}, counts(2, 1, 0), 1200),
              longer / (longer + half), 1e-12);
}

TEST_F(Relevance, is_0_without_a_hit_and_never_below_the_least_with_one) {
  EXPECT_EQ(relevance_({}, counts(9, 9, 9), 600), 0);
  for (const size_t length : {0, 3, 600, 2400, 1'000'000}) {
    EXPECT_GE(relevance_(std::vector<HitCount>{{1, 1}}, counts(0, 0, 0), length),
              relevance_.least());
  }
  EXPECT_GT(relevance_.least(), 0);
}

TEST_F(Relevance, places_count_as_their_numbers_do) {
  const std::vector<TermId> words = {1, 2, 9, 1};
  std::vector<GroupScanner::Event> events;
  for (uint32_t i = 0; i < words.size(); ++i) scanner_.groups().add(words[i], i, events);
  const std::vector<HitCount> hits = {{0, 1}, {1, 1}};
  EXPECT_EQ(relevance_(hits, events, 600), relevance_(hits, counts(2, 1, 0), 600));
}

}  // namespace
}  // namespace dowser
