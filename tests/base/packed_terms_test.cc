#include "base/packed_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dowser {
namespace {

TEST(PackedTerms, come_back_as_they_were) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<TermCount> terms(random() % 300);
    for (TermCount& t : terms)
      t = {static_cast<TermId>(random()), static_cast<uint32_t>(1 + random() % 1000)};
    if (!terms.empty()) terms.back() = {UINT32_MAX, UINT32_MAX};
    std::sort(terms.begin(), terms.end(),
              [](const TermCount& a, const TermCount& b) { return a.term < b.term; });
    std::vector<TermCount> back = {{1, 1}};  // is replaced
    unpack_terms(packed_terms(terms), back);
    EXPECT_EQ(back, terms);
  }
}

TEST(PackedTerms, a_term_of_a_page_takes_about_five_bytes) {
  std::vector<TermCount> terms;
  for (uint32_t i = 0; i < 300; ++i) terms.push_back({i * 14'000'000, 3});
  EXPECT_LE(packed_terms(terms).size(), 300u * 5);
}

TEST(PackedTerms, damaged_bytes_do_no_harm) {
  std::vector<TermCount> terms;
  unpack_terms(std::string(100, '\xff'), terms);
  unpack_terms("\x01", terms);
  EXPECT_EQ(terms.size(), 1u);
}

}  // namespace
}  // namespace dowser
