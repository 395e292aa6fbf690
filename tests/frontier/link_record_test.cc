#include "frontier/link_record.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace dowser {
namespace {

TEST(LinkRecord, what_is_written_is_read_back) {
  const bool held = rc::check([](uint64_t fingerprint, std::string href, double a, double c,
                                 uint32_t parent, uint32_t depth, bool is_seed) {
    const Score score(a, 0, c);
    Trail trail{VisitId{parent}, depth, depth / 3};
    if (is_seed) trail.parent.reset();
    const std::string bytes = encode_link(fingerprint, href, score, trail);
    const auto record = decode_link(bytes);
    RC_ASSERT(record.has_value());
    RC_ASSERT(record->fingerprint == fingerprint);
    RC_ASSERT(record->href == href);
    RC_ASSERT(record->score == score);
    RC_ASSERT(record->trail.parent == trail.parent);
    RC_ASSERT(record->trail.depth == trail.depth);
    RC_ASSERT(record->trail.position == trail.position);
    const auto standing = decode_standing(encode_standing(score, trail));
    RC_ASSERT(standing.has_value());
    RC_ASSERT(standing->first == score);
    RC_ASSERT(standing->second.parent == trail.parent);
  });
  EXPECT_TRUE(held);
}

TEST(LinkRecord, a_host_is_read_back) {
  const auto record = decode_host(encode_host({300, Time{-5}, std::chrono::seconds(7), true}));
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->taken, 300u);
  EXPECT_EQ(record->ready_at, Time{-5});
  EXPECT_EQ(record->delay, std::chrono::seconds(7));
  EXPECT_TRUE(record->abandoned);
  EXPECT_EQ(record->fatigue, 0);
}

TEST(LinkRecord, a_host_that_is_put_back_is_read_back_whether_it_rests_or_not) {
  for (const uint64_t rests : {uint64_t{0}, uint64_t{700}}) {
    const auto record =
        decode_host(encode_host({.taken = 3, .rests_until = rests, .fatigue = 1.25}));
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->rests_until, rests);
    EXPECT_EQ(record->fatigue, 1.25);
  }
}

TEST(LinkRecord, zeros_at_the_end_of_a_score_take_no_bytes) {
  EXPECT_EQ(encode_standing(Score(0), {}).size(), 4u);
  EXPECT_EQ(encode_standing(Score(1), {}).size(), 12u);
  EXPECT_EQ(encode_standing(Score(0, 0, 1), {}).size(), 28u);
}

TEST(LinkRecord, bytes_that_are_cut_off_are_no_record) {
  const std::string link = encode_link(1, "", Score(1, 2), {VisitId{500}, 300, 2});
  const std::string host = encode_host({300, Time{1}, Duration(1), false});
  for (size_t n = 0; n < link.size(); ++n) EXPECT_FALSE(decode_link(link.substr(0, n))) << n;
  for (size_t n = 0; n < host.size(); ++n) EXPECT_FALSE(decode_host(host.substr(0, n))) << n;
  EXPECT_FALSE(decode_standing("\x05"));
}

}  // namespace
}  // namespace dowser
