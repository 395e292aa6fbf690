#include "strategy/learned/known_hosts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/strategy/written_visit.h"

namespace dowser {
namespace {

constexpr double kMean = 0.2;  // relevance of all pages

Visit page_of(std::string_view host, uint32_t number, std::optional<uint32_t> parent) {
  const std::string address = fmt::format("http://{}/{}", host, number);
  return written_visit(number, parent, 0, written_page(address, "words"));
}

// So many pages of the host with this relevance.
void fetch(KnownHosts& hosts, std::string_view host, uint32_t pages, double relevance) {
  for (uint32_t i = 0; i < pages; ++i) hosts.learn(page_of(host, i + 1, 0), relevance, kMean);
}

TEST(KnownHosts, a_host_that_brings_as_much_as_ever_is_not_put_back) {
  KnownHosts hosts{TopicWords()};
  fetch(hosts, "a.org", 100, kMean);
  EXPECT_EQ(hosts.fatigue(), 0);
}

TEST(KnownHosts, a_host_is_put_back_further_the_less_it_brings) {
  KnownHosts half{TopicWords()}, nothing{TopicWords()};
  fetch(half, "a.org", 100, 0.09);  // (0.2 + 0.02) / (0.09 + 0.02) = 2: it has halved once
  EXPECT_NEAR(half.fatigue(), 4, 1e-9);
  fetch(nothing, "a.org", 100, 0);
  EXPECT_EQ(nothing.fatigue(), 12) << "at most three times";
}

TEST(KnownHosts, a_host_with_few_pages_is_hardly_put_back) {
  KnownHosts hosts{TopicWords()};
  fetch(hosts, "a.org", 2, 0);
  EXPECT_NEAR(hosts.fatigue(), 1.2, 1e-9);  // 2 of 20
}

TEST(KnownHosts, only_the_newest_pages_of_a_host_count_and_only_its_own) {
  KnownHosts hosts{TopicWords()};
  fetch(hosts, "a.org", 100, 0);
  fetch(hosts, "b.org", 100, kMean);
  EXPECT_EQ(hosts.fatigue(), 0);
  fetch(hosts, "a.org", 200, kMean);
  EXPECT_LT(hosts.fatigue(), 0.01) << "it brings something again";
}

class FairStart : public testing::Test {
 protected:
  FairStart() {
    for (const char* host : {"a.org", "b.org"}) {
      for (uint32_t i = 1; i <= 9; ++i) offer(host, i, std::string_view(host) == "a.org" ? 9 : 1);
      hosts_.learn(page_of(host, 0, {}), 0, kMean);
    }
    hosts_.learn(page_of("c.org", 0, 0), 0, kMean);  // the third visit
  }
  void offer(std::string_view host, uint32_t number, double score) {
    frontier_.offer(page_of(host, number, 0).candidate.url, Score(score), {VisitId{0}, 1, 0});
  }
  std::string host_taken() {
    FrontierView view(frontier_);
    const auto taken = hosts_.take_fair_start(view, exploration_);
    return taken ? std::string(taken->url.host()) : "-";
  }

  Frontier frontier_{FrontierOptions{}};
  KnownHosts hosts_{TopicWords("bird feather nest")};
  Exploration exploration_{.height = 5, .pages = 4, .known = 0};
};

TEST_F(FairStart, the_host_of_a_seed_that_is_known_least_comes_first) {
  hosts_.learn(page_of("a.org", 1, 0), 0, kMean);
  hosts_.learn(page_of("a.org", 2, 0), 0, kMean);
  hosts_.learn(page_of("a.org", 3, 0), 0, kMean);  // the sixth visit
  EXPECT_EQ(host_taken(), "b.org") << "although the links of the other have better scores";
}

TEST_F(FairStart, links_in_flight_count_and_it_ends_when_each_host_had_its_share) {
  EXPECT_EQ(host_taken(), "a.org");
  EXPECT_EQ(host_taken(), "b.org") << "one page of a.org is in flight";
  for (int i = 0; i < 4; ++i) host_taken();
  EXPECT_EQ(host_taken(), "-") << "four pages of each";
}

TEST_F(FairStart, it_is_the_turn_of_the_seeds_at_every_third_visit_only) {
  hosts_.learn(page_of("c.org", 1, 0), 0, kMean);
  EXPECT_EQ(host_taken(), "-");
}

// Of the best pages all have one word of the topic, or all words.
TEST_F(FairStart, it_ends_when_the_best_pages_have_the_words_of_the_topic) {
  for (const auto& [words, host] :
       {std::pair("a bird", "a.org"), std::pair("bird feather nest", "-")}) {
    for (uint32_t i = 0; i < 30; ++i) {
      const std::string address = fmt::format("http://c.org/{}", i);
      hosts_.learn(written_visit(i, 0, 0.5, written_page(address, words)), 0.5, kMean);
    }
    EXPECT_EQ(host_taken(), host) << words;
  }
}

TEST_F(FairStart, there_is_none_without_words) {
  KnownHosts hosts{TopicWords()};
  for (const char* host : {"a.org", "b.org"}) hosts.learn(page_of(host, 0, {}), 0, kMean);
  hosts.learn(page_of("c.org", 0, 0), 0, kMean);
  FrontierView view(frontier_);
  EXPECT_FALSE(hosts.take_fair_start(view, exploration_));
}

TEST_F(FairStart, a_crawl_with_one_host_of_seeds_has_none) {
  KnownHosts hosts{TopicWords()};
  hosts.learn(page_of("a.org", 0, {}), 0, kMean);
  fetch(hosts, "a.org", 2, 0);
  FrontierView view(frontier_);
  EXPECT_FALSE(hosts.take_fair_start(view, exploration_));
}

TEST_F(FairStart, what_is_known_is_saved) {
  ByteWriter out;
  hosts_.save(out);
  ByteReader in(out.bytes());
  KnownHosts loaded{TopicWords("bird feather nest")};
  loaded.load(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  ByteWriter again;
  loaded.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  EXPECT_EQ(loaded.fatigue(), hosts_.fatigue());
}

}  // namespace
}  // namespace dowser
