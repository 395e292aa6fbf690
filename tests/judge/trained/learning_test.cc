#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "judge/judge.h"
#include "tests/judge/made_pages.h"

// Judges that learn on the way: bayes, svm, neighbours (one trainer, three learners) and seeds.

namespace dowser {
namespace {

struct Kind {
  const char* name;
  MakeJudge* make;
};
constexpr Kind kSampling[] = {
    {"bayes", make_bayes_judge}, {"svm", make_svm_judge}, {"neighbours", make_neighbours_judge}};
constexpr Kind kAll[] = {{"bayes", make_bayes_judge},
                         {"svm", make_svm_judge},
                         {"neighbours", make_neighbours_judge},
                         {"seeds", make_seeds_judge}};

Topic bird_topic() {
  Random random(5);
  Topic topic;
  for (int i = 0; i < 5; ++i) topic.examples.push_back(made_page(random, true));
  return topic;
}

std::unique_ptr<Judge> make(const Kind& kind, const Topic& topic,
                            std::optional<double> threshold = {}) {
  auto judge = kind.make({kind.name, {}}, {topic, threshold, {}});
  EXPECT_TRUE(judge.ok()) << judge.error().message;
  return std::move(*judge);
}

const JudgesWords& words_of(const Judge& judge) { return dynamic_cast<const JudgesWords&>(judge); }

// Every third page is about birds. What is left of the crawl's judge, and how often it changed.
struct Crawl {
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Judge> newest;
  Random random{9};
  uint32_t next = 0;
  std::vector<uint32_t> changes;  // visits, from 1

  explicit Crawl(const Judge& first) : trainer(trainer_of(first)) {}

  void go_on(uint32_t until) {
    for (; next < until; ++next) {
      const Visit visit = made_visit(next, made_page(random, next % 3 == 0), next < 2);
      if (std::unique_ptr<Judge> better = trainer->learn(visit)) {
        newest = std::move(better);
        changes.push_back(next + 1);
      }
    }
  }
};

std::vector<double> relevances(const Judge& judge) {
  Random random(77);
  std::vector<double> values;
  for (int i = 0; i < 20; ++i)
    values.push_back(judge.judge(made_page(random, i % 2)).relevance.value);
  return values;
}

TEST(LearningJudges, learn_to_tell_birds_from_stones) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kSampling) {
    const auto first = make(kind, topic);
    Crawl crawl(*first);
    crawl.go_on(100);
    ASSERT_TRUE(crawl.newest) << kind.name;
    EXPECT_NE(relevances(*first), relevances(*crawl.newest)) << kind.name;
    Random random(123);
    for (int i = 0; i < 20; ++i) {
      const Judgement judgement = crawl.newest->judge(made_page(random, i % 2));
      EXPECT_EQ(judgement.relevant, i % 2 == 1) << kind.name << " " << judgement.relevance.value;
    }
    EXPECT_EQ(crawl.newest->spec().text(), kind.name);
    EXPECT_EQ(crawl.newest->threshold(), 0.5);
  }
}

// However like the pages that came back: what was learned from them may have drifted.
TEST(LearningJudges, a_topic_of_words_alone_is_never_a_page_without_any_of_them) {
  const Topic topic{"owl feather nest", {}};
  for (const Kind& kind : kSampling) {
    const auto first = make(kind, topic);
    Crawl crawl(*first);
    crawl.go_on(100);
    ASSERT_TRUE(crawl.newest) << kind.name;
    const Page without = written_page("wing beak egg flight wing beak egg flight");
    EXPECT_EQ(crawl.newest->relevance(terms_of(without)).value, 0) << kind.name;
    EXPECT_FALSE(crawl.newest->judge(without).relevant) << kind.name;
    const Page with = written_page("owl feather nest wing beak egg flight");
    EXPECT_TRUE(crawl.newest->judge(with).relevant) << kind.name;
  }
}

TEST(LearningJudges, train_at_15_24_38_pages_and_so_on) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kSampling) {
    Crawl crawl(*make(kind, topic));
    crawl.go_on(200);
    EXPECT_EQ(crawl.changes, (std::vector<uint32_t>{15, 24, 38, 60, 96, 153})) << kind.name;
  }
}

TEST(LearningJudges, the_same_visits_make_the_same_judge) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kAll) {
    const auto first = make(kind, topic);
    Crawl a(*first), b(*first);
    a.go_on(60);
    b.go_on(60);
    EXPECT_EQ(relevances(*a.newest), relevances(*b.newest)) << kind.name;
  }
}

TEST(LearningJudges, a_crawl_that_goes_on_has_the_judge_that_it_had) {
  for (const Topic& topic : {bird_topic(), Topic{"owl feather nest", {}}}) {
    for (const Kind& kind : kAll) {
      const auto first = make(kind, topic);
      for (const uint32_t killed_at : {1u, 14u, 15u, 30u, 1300u}) {
        Crawl whole(*first), killed(*first);
        whole.go_on(killed_at);
        killed.go_on(killed_at);
        ByteWriter out;
        killed.trainer->save(out);
        Crawl resumed(*first);
        ByteReader in(out.bytes());
        auto newest = resumed.trainer->load(in);
        ASSERT_TRUE(newest.ok()) << newest.error().message;
        EXPECT_TRUE(in.at_end());
        ASSERT_EQ(*newest != nullptr, whole.newest != nullptr) << kind.name << killed_at;
        if (*newest) {
          EXPECT_EQ(relevances(**newest), relevances(*whole.newest)) << kind.name << killed_at;
          Random random(3);
          const Page page = made_page(random, true);
          const auto a = (*newest)->judge(page).reasons, b = whole.newest->judge(page).reasons;
          ASSERT_EQ(a.size(), b.size());
          for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].word, b[i].word);
        }
        resumed.newest = std::move(*newest);
        resumed.random = killed.random;
        resumed.next = killed.next;
        whole.go_on(killed_at + 50);
        resumed.go_on(killed_at + 50);
        if (whole.newest) {
          EXPECT_EQ(relevances(*resumed.newest), relevances(*whole.newest)) << kind.name;
        }
      }
    }
  }
}

TEST(LearningJudges, bytes_that_are_cut_short_are_an_error) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kAll) {
    const auto first = make(kind, topic);
    Crawl crawl(*first);
    crawl.go_on(20);
    ByteWriter out;
    crawl.trainer->save(out);
    for (size_t size = 0; size < out.bytes().size(); size += out.bytes().size() / 100 + 1) {
      ByteReader in(std::string_view(out.bytes()).substr(0, size));
      EXPECT_FALSE(trainer_of(*first)->load(in).ok()) << kind.name << " " << size;
    }
  }
}

TEST(LearningJudges, name_the_words_that_decided_for_and_against) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kSampling) {
    Crawl crawl(*make(kind, topic));
    crawl.go_on(100);
    Random random(4);
    const auto reasons = crawl.newest->judge(made_page(random, true)).reasons;
    ASSERT_FALSE(reasons.empty()) << kind.name;
    EXPECT_LE(reasons.size(), 14u);
    EXPECT_GT(reasons[0].weight, 0) << kind.name;
    const std::string birds = "owl feather nest wing beak egg flight";
    EXPECT_NE(birds.find(reasons[0].word), std::string::npos) << kind.name << reasons[0].word;
  }
}

TEST(LearningJudges, words_alone_are_enough_once_good_pages_came_by) {
  const Topic topic{"owl feather nest wing", {}};
  for (const Kind& kind : kSampling) {
    Crawl crawl(*make(kind, topic));
    crawl.go_on(100);
    ASSERT_TRUE(crawl.newest) << kind.name;
    Random random(123);
    for (int i = 0; i < 20; ++i) {
      const Judgement judgement = crawl.newest->judge(made_page(random, i % 2));
      EXPECT_EQ(judgement.relevant, i % 2 == 1) << kind.name << " " << judgement.relevance.value;
    }
  }
}

// "plumage" stands on none of the pages that were learned from, "egg" on those about birds.
TEST(LearningJudges, words_that_were_given_keep_their_say_in_links) {
  Topic topic;
  topic.words = "owl feather plumage";
  const auto first = make({"learned", make_learned_judge}, topic);
  const TermId plumage = term_ids("plumage", "en").at(0), egg = term_ids("egg", "en").at(0);
  const TermId marble = term_ids("marble", "en").at(0);
  EXPECT_EQ(words_of(*first).direction_of({&egg, 1}), 0);
  Crawl crawl(*first);
  crawl.go_on(200);
  ASSERT_TRUE(crawl.newest);
  const double given = words_of(*first).direction_of({&plumage, 1});
  EXPECT_GT(given, 0.3);
  EXPECT_GE(words_of(*crawl.newest).direction_of({&plumage, 1}), given / 2);
  EXPECT_GT(words_of(*crawl.newest).direction_of({&egg, 1}), 0.05);
  EXPECT_LE(words_of(*crawl.newest).direction_of({&marble, 1}), 0);
  const auto strongest = words_of(*crawl.newest).strongest_words(20);
  // Its stem is not the same in all languages, but it is named once.
  EXPECT_EQ(std::count_if(strongest.begin(), strongest.end(),
                          [](const auto& word) { return word.word == "plumage"; }),
            1);
}

TEST(LearningJudges, words_that_no_page_has_leave_the_cosine_in_place) {
  const Topic topic{"violin orchestra", {}};
  for (const Kind& kind : kSampling) {
    Crawl crawl(*make(kind, topic));
    crawl.go_on(100);
    EXPECT_FALSE(crawl.newest) << kind.name;
  }
}

TEST(LearningJudges, pages_that_say_nothing_or_say_it_again_are_not_learned_from) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kAll) {
    const auto trainer = trainer_of(*make(kind, topic));
    Random random(1);
    for (uint32_t i = 0; i < 50; ++i) {
      Visit visit = made_visit(i, made_page(random, false), i == 0);
      if (i % 4 == 0) visit.page = {};
      if (i % 4 == 1) visit.near_duplicate_of = VisitId{0};
      if (i % 4 == 2) visit.soft_404 = true;
      if (i % 4 == 3) visit.response.status = 404;
      EXPECT_FALSE(trainer->learn(visit)) << kind.name;
    }
  }
}

TEST(LearningJudges, before_they_have_learned_the_cosines_threshold_is_one_half) {
  const Topic topic = bird_topic();
  const auto cosine = std::move(*make_cosine_judge({"cosine", {}}, {topic, {}, {}}));
  Random random(8);
  for (const Kind& kind : kSampling) {
    const auto judge = make(kind, topic);
    for (int i = 0; i < 20; ++i) {
      const Page page = made_page(random, i % 2);
      const double c = cosine->judge(page).relevance.value, t = cosine->threshold();
      EXPECT_NEAR(judge->judge(page).relevance.value, c / (c + t), 1e-12);
      EXPECT_EQ(judge->judge(page).relevant, cosine->judge(page).relevant);
    }
  }
}

TEST(LearningJudges, the_users_threshold_wins) {
  const Topic topic = bird_topic();
  for (const Kind& kind : kAll) {
    const auto first = make(kind, topic, 0.99);
    Crawl crawl(*first);
    crawl.go_on(30);
    EXPECT_EQ(first->threshold(), 0.99);
    EXPECT_EQ(crawl.newest->threshold(), 0.99) << kind.name;
  }
}

TEST(LearningJudges, refuse_parameters_that_make_no_sense) {
  const Topic topic = bird_topic();
  const JudgeContext context{topic, {}, {}};
  EXPECT_EQ(make_bayes_judge({"bayes", {{"alpha", "0"}}}, context).error().message,
            "alpha of bayes must be above 0");
  EXPECT_EQ(make_svm_judge({"svm", {{"cost", "-1"}}}, context).error().message,
            "cost of svm must be above 0");
  EXPECT_EQ(make_neighbours_judge({"neighbours", {{"k", "0"}}}, context).error().message,
            "k of neighbours must be from 1 to 1000");
  EXPECT_FALSE(make_seeds_judge({"seeds", {{"k", "0"}}}, context).ok());
}

TEST(SeedsJudge, is_the_cosine_to_all_start_pages_taken_together) {
  const Topic topic{"violin", {}};
  const auto first = make({"seeds", make_seeds_judge}, topic);
  const auto trainer = trainer_of(*first);
  EXPECT_EQ(first->judge(written_page("owl")).relevance.value, 0);
  EXPECT_TRUE(trainer->learn(made_visit(0, written_page("owl owl night"), true)));
  EXPECT_FALSE(trainer->learn(made_visit(1, written_page("granite"))));
  const auto judge = trainer->learn(made_visit(2, written_page("owl dusk"), true));
  ASSERT_TRUE(judge);
  const double owl = 1 + std::log(3);
  EXPECT_NEAR(judge->judge(written_page("owl")).relevance.value, owl / std::sqrt(owl * owl + 2),
              1e-12);
  EXPECT_EQ(judge->judge(written_page("granite")).relevance.value, 0);
  EXPECT_EQ(judge->judge(written_page("owl")).reasons[0].word, "owl");
}

}  // namespace
}  // namespace dowser
