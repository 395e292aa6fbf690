#include "tests/hostile/good_web.h"

#include <gtest/gtest.h>

#include <set>

namespace dowser {
namespace {

TEST(GoodWeb, every_page_can_be_reached_from_the_first) {
  const GoodWeb web(1000, 30, 7);
  std::vector<bool> seen(web.size());
  std::vector<size_t> waiting = {0};
  size_t count = 0;
  while (!waiting.empty()) {
    const size_t page = waiting.back();
    waiting.pop_back();
    if (seen[page]) continue;
    seen[page] = true;
    ++count;
    waiting.insert(waiting.end(), web.links(page).begin(), web.links(page).end());
  }
  EXPECT_EQ(count, 1000u);
}

TEST(GoodWeb, every_page_is_found_at_its_address_only) {
  const GoodWeb web(100, 7, 1);
  for (size_t i = 0; i < web.size(); ++i) {
    EXPECT_EQ(web.find(web.host_of(i), web.path_of(i)), i);
    if (i >= 7) {
      EXPECT_EQ(web.find(web.host_of(i) % 7 + 1, web.path_of(i)), std::nullopt);
    }
  }
  for (const char* path :
       {"", "/x", "/pages/", "/pages/99999.html", "/pages/8", "/pages/08.html"}) {
    EXPECT_EQ(web.find(1, path), std::nullopt) << path;
  }
  EXPECT_EQ(web.find(0, "/"), std::nullopt);
  EXPECT_EQ(web.find(8, "/"), std::nullopt);
}

TEST(GoodWeb, the_same_seed_gives_the_same_web) {
  const GoodWeb a(300, 5, 3), b(300, 5, 3), c(300, 5, 4);
  bool differs = false;
  for (size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(a.links(i), b.links(i));
    EXPECT_EQ(a.text(i), b.text(i));
    differs = differs || a.links(i) != c.links(i);
  }
  EXPECT_TRUE(differs);
}

TEST(GoodWeb, a_part_of_the_pages_is_on_the_topic_and_says_so) {
  const GoodWeb web(1000, 10, 1);
  size_t on_topic = 0;
  for (size_t i = 0; i < web.size(); ++i) {
    on_topic += web.on_topic(i);
    EXPECT_EQ(web.text(i).find("lighthouse") != std::string::npos ||
                  web.text(i).find("beacon") != std::string::npos,
              web.on_topic(i));
  }
  EXPECT_GT(on_topic, 50u);
  EXPECT_LT(on_topic, 500u);
}

TEST(GoodWeb, no_two_texts_share_many_words_in_a_row) {
  const GoodWeb web(200, 10, 1);
  std::set<std::string> texts, openings;
  for (size_t i = 0; i < web.size(); ++i) {
    texts.insert(web.text(i));
    openings.insert(web.text(i).substr(0, 40));
  }
  EXPECT_EQ(texts.size(), 200u);
  EXPECT_EQ(openings.size(), 200u);
}

TEST(GoodWeb, odd_sizes_are_put_right) {
  EXPECT_EQ(GoodWeb(0, 0, 1).size(), 1u);
  EXPECT_EQ(GoodWeb(3, 10, 1).hosts(), 3u);
  EXPECT_EQ(GoodWeb(3, 0, 1).hosts(), 1u);
}

}  // namespace
}  // namespace dowser
