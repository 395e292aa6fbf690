#include <gtest/gtest.h>

#include "judge/cindi/profile_keywords.h"
#include "judge/cindi/word_counts.h"
#include "judge/trained/learned_judge.h"
#include "tests/judge/made_pages.h"

namespace dowser {
namespace {

Result<std::unique_ptr<Judge>> cindi_judge(const std::string& text, const JudgeContext& context) {
  return make_cindi_judge(*Spec::parse(text), context);
}

Page titled_page(std::string address, std::string title, std::string keywords = "") {
  Page page = written_page("granite quarry marble");
  page.url = *Url::parse(address);
  page.title = std::move(title);
  page.keywords = std::move(keywords);
  return page;
}

TEST(ProfileKeywords, are_found_in_title_and_meta_keywords_and_host) {
  const ProfileKeywords keywords(*load_profile("computer-science"));
  const auto find = [&](const Page& page) { return keywords.find(page).value_or("-"); };
  EXPECT_EQ(find(titled_page("http://a.org/", "The Machine Learning Group")), "machine learning");
  EXPECT_EQ(find(titled_page("http://a.org/", "Home", "news, database system")),
            "database systems");
  EXPECT_EQ(find(titled_page("http://a.org/", "Learning about a machine")), "-");
  EXPECT_EQ(find(titled_page("http://www.cs.example.edu/", "Home")), "cs");
  EXPECT_EQ(find(titled_page("http://www.example.it/", "Home")), "-");
  EXPECT_EQ(ProfileKeywords(Profile()).find(titled_page("http://www.cs.example.edu/", "cs")),
            std::nullopt);
}

TEST(WordCounts, make_the_bayes_that_training_on_the_same_pages_makes) {
  Random random(4);
  WordCounts counts;
  std::vector<Example> examples;
  for (int i = 0; i < 60; ++i) {
    const bool birds = i % 3 == 0;
    const Page page = made_page(random, birds);
    counts.add(page.terms, birds);
    examples.push_back({count_vector(page.terms), birds});
  }
  EXPECT_EQ(counts.relevant(), 20u);
  EXPECT_EQ(counts.others(), 40u);
  const WeightedBayes bayes = *counts.bayes(3);
  WeightedBayesOptions options;
  options.features = bayes.parts().bayes.features;
  EXPECT_EQ(bayes.parts(), WeightedBayes::train(examples, options)->parts());
  ByteWriter out;
  counts.save(out);
  ByteReader in(out.bytes());
  WordCounts loaded;
  loaded.load(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  EXPECT_EQ(loaded.bayes(0)->parts(), counts.bayes(0)->parts());
}

TEST(CindiJudge, judges_by_keyword_then_by_svm_then_by_bayes) {
  Random random(2);
  Topic topic;
  for (int i = 0; i < 5; ++i) topic.examples.push_back(made_page(random, true));
  const Profile profile = *load_profile("computer-science");
  JudgeContext context{topic};
  context.profile = &profile;
  auto judge =
      cindi_judge("cindi(bayes_from_relevant=40, bayes_from_other=60, retrain_every=30)", context);
  ASSERT_TRUE(judge.ok()) << judge.error().message;
  const Page computing = titled_page("http://a.org/", "Computer science");
  EXPECT_TRUE((*judge)->judge(computing).relevant);
  EXPECT_EQ((*judge)->judge(computing).reasons.front().word,
            "keyword of the profile: computer science");
  const auto without = cindi_judge("cindi(keywords=no)", context);
  EXPECT_FALSE((*without)->judge(computing).relevant);

  const std::unique_ptr<Trainer> trainer = trainer_of(**judge);
  std::unique_ptr<Judge> newest;
  std::vector<uint32_t> trained_at;
  for (uint32_t i = 0; i < 200; ++i) {
    Visit visit = made_visit(i, made_page(random, i % 2 == 0));
    visit.judgement.relevant = i % 2 == 0;
    if (auto next = trainer->learn(visit)) {
      newest = std::move(next);
      trained_at.push_back(i + 1);
    }
  }
  // The support vector machine by its schedule, and naive Bayes from the 60th other page on.
  EXPECT_EQ(trained_at, (std::vector<uint32_t>{15, 24, 38, 60, 96, 120, 150, 180}));
  ASSERT_TRUE(newest);
  EXPECT_TRUE(newest->judge(computing).relevant);
  int right = 0;
  for (int i = 0; i < 100; ++i) {
    right += newest->judge(made_page(random, i % 2 == 0)).relevant == (i % 2 == 0);
  }
  EXPECT_GT(right, 95);
}

TEST(CindiJudge, refuses_wrong_parameters_in_a_sentence) {
  Topic topic;
  topic.words = "owl";
  const auto error = [&](const std::string& text) {
    const auto made = cindi_judge(text, {topic});
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(error("cindi(cost=0)"), "cost of cindi must be above 0");
  EXPECT_EQ(error("cindi(weights=none)"),
            "weights of cindi must be one of tf-idf, count, binary, rdf-rkf, rdf-rkf-topic, not "
            "'none'");
}

}  // namespace
}  // namespace dowser
