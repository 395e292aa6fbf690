#include <gtest/gtest.h>

#include "judge/trained/model_judge.h"
#include "judge/trained/train_model.h"
#include "tests/judge/made_pages.h"

namespace dowser {
namespace {

// Birds and stones, or owls and other birds below "bird".
struct Made {
  ModelPlan plan;
  std::vector<LabelledPage> pages;
  TermWords words;

  explicit Made(std::string kind) {
    plan.kind = std::move(kind);
    plan.classes = {{"stone", "", false, 0}, {"bird", "", true, 0}};
    Random random(1);
    for (uint32_t i = 0; i < 40; ++i) add(made_page(random, i % 2), i % 2);
  }
  void add(const Page& page, uint32_t label) {
    pages.push_back({page.terms, label});
    add_words(page, words);
  }
  Model model() const {
    Model model = *train_model(plan, pages);
    model.words = words;
    model.languages = {"en"};
    model.date = "2026-11-16";
    model.test = Model::Test{"by hand", 7, 0.25, 1.0 / 3};
    return model;
  }
};

Made made_tree() {
  Made made("bayes");
  made.plan.classes = {{"stone", "", false, 0},
                       {"animal", "", true, 0},
                       {"bird", "animal", false, 0},
                       {"fish", "animal", false, 0}};
  for (LabelledPage& page : made.pages) page.label = page.label == 0 ? 0 : 2;
  for (int i = 0; i < 20; ++i) {
    made.add(written_page("fin gill scale water pike trout common" + std::to_string(i)), 3);
  }
  return made;
}

Result<std::unique_ptr<Judge>> judge_of(const std::string& kind, const std::string& text,
                                        std::optional<double> threshold = {}) {
  static const Topic kNone;
  return make_model_judge({kind, {}}, {kNone, threshold, text});
}

TEST(ModelFile, says_the_same_when_it_is_read_and_written_again) {
  for (const Model& model : {Made("bayes").model(), Made("svm").model(), made_tree().model()}) {
    const std::string text = model_text(model);
    const Result<Model> read = read_model(text);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(model_text(*read), text);
    EXPECT_TRUE(read->tree == model.tree);
    EXPECT_TRUE(read->svm == model.svm);
    EXPECT_EQ(*model_kind(text), model.kind);
    EXPECT_EQ(read->date, "2026-11-16");
    EXPECT_EQ(read->test->macro_f1, 1.0 / 3);
    EXPECT_NE(text.find("{\"word\": \"feather\", \"term\": "), text.npos);
  }
}

TEST(ModelFile, of_the_earlier_form_is_read) {
  std::string text = model_text(Made("svm").model());
  const std::string begin = "{\"dowser_model\": 1, \"kind\": \"svm\", \"version\": 1,";
  ASSERT_TRUE(text.starts_with(begin)) << text.substr(0, 100);
  text.replace(0, begin.size(), "{\"format\": \"dowser-model 1\", \"kind\": \"svm\",");
  const Result<Model> read = read_model(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->svm == Made("svm").model().svm);
}

TEST(ModelFile, says_in_a_sentence_what_is_wrong_with_it) {
  const std::string bayes = model_text(Made("bayes").model());
  const std::string svm = model_text(Made("svm").model());
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
  };
  struct Row {
    std::string text, error;
  };
  for (const Row& row : std::vector<Row>{
           {"", "this is not a model file: make one with dowser learn"},
           {"[1]", "this is not a model file: make one with dowser learn"},
           {bayes.substr(0, bayes.size() / 2),
            "this is not a model file: make one with dowser learn"},
           {changed(bayes, "\"dowser_model\": 1", "\"dowser_model\": 2"),
            "the model file has the form 2, and this program reads form 1: train the model again"},
           {changed(bayes, "\"version\": 1", "\"version\": 2"),
            "the model of the kind bayes has version 2, and this program reads versions up to 1: "
            "train the model again"},
           {changed(bayes, "\"bayes\"", "\"oracle\""),
            "the model is of the kind \"oracle\": judges can use models of the kinds \"bayes\", "
            "\"svm\", \"rbf-svm\", \"weighted-bayes\""},
           {changed(bayes, "\"alpha\": 1", "\"alpha\": \"x\""),
            "the model file is broken: 'alpha' is not a number"},
           {changed(bayes, "\"alpha\"", "\"beta\""),
            "the model file is broken: 'alpha' is missing"},
           {changed(bayes, "\"alpha\": 1", "\"alpha\": 0"),
            "the parts of a model of naive Bayes contradict each other: alpha is not above 0"},
           {changed(bayes, "\"below\": \"\"", "\"below\": \"x\""),
            "the model file is broken: there is no class 'x'"},
           {changed(bayes, "\"name\": \"bird\"", "\"name\": \"stone\""),
            "the model file is broken: the class 'stone' has no name or is there twice"},
           {changed(bayes, "\"counts\": [", "\"counts\": [1, "),
            "the model file is broken: 'counts' of a feature has 3 numbers instead of 2"},
           {changed(bayes, "\"term\": ", "\"term\": -"),
            "the model file is broken: 'term' is not a whole number from 0 to 4294967295"},
           {changed(bayes, "\"choosers\"", "\"losers\""),
            "the model file is broken: 'choosers' is missing"},
           {changed(svm, "\"biases\": [", "\"biases\": [1, "),
            "the model file is broken: there is not one bias for each machine"},
           {changed(svm, "\"sigmoids\": [[", "\"sigmoids\": [[1, "),
            "the model file is broken: a sigmoid is not two numbers"}}) {
    const Result<Model> model = read_model(row.text);
    ASSERT_FALSE(model.ok()) << row.error;
    EXPECT_EQ(model.error().message, row.error);
  }
}

TEST(ModelFile, whatever_is_changed_reading_ends_with_a_model_or_an_error) {
  Random random(1);
  for (const Model& model : {Made("bayes").model(), Made("svm").model()}) {
    const std::string text = model_text(model);
    for (int i = 0; i < 300; ++i) {
      std::string broken = text;
      for (int n = 0; n < 3; ++n) {
        broken[random.below(broken.size())] = "0-9[]{},\"ex. "[random.below(13)];
      }
      static_cast<void>(read_model(broken));
    }
  }
}

TEST(ModelJudge, gives_relevance_class_and_words) {
  for (const char* kind : {"bayes", "svm"}) {
    const auto judge = judge_of(kind, model_text(Made(kind).model()));
    ASSERT_TRUE(judge.ok()) << judge.error().message;
    Random random(2);
    for (int i = 0; i < 20; ++i) {
      const Judgement judgement = (*judge)->judge(made_page(random, i % 2));
      EXPECT_EQ(judgement.relevant, i % 2 == 1) << kind;
      EXPECT_EQ(judgement.relevant, judgement.relevance.value >= 0.5) << kind;
      EXPECT_EQ(judgement.label, i % 2 ? "bird" : "stone") << kind;
      EXPECT_FALSE(judgement.reasons.empty());
    }
    EXPECT_EQ((*judge)->judge(Page()).relevance.value, 0);
    EXPECT_FALSE(trainer_of(**judge));
    EXPECT_EQ((*judge)->spec().text(), kind);
  }
}

TEST(ModelJudge, of_a_tree_asks_whether_the_best_leaf_is_below_a_good_class) {
  const auto judge = judge_of("bayes", model_text(made_tree().model()));
  ASSERT_TRUE(judge.ok()) << judge.error().message;
  const Judgement fish = (*judge)->judge(written_page("pike trout gill fin"));
  EXPECT_TRUE(fish.relevant);
  EXPECT_EQ(fish.label, "fish");
  EXPECT_GT(fish.relevance.value, 0.9);
  const Judgement stone = (*judge)->judge(written_page("granite quarry marble"));
  EXPECT_FALSE(stone.relevant);
  EXPECT_EQ(stone.label, "stone");
}

TEST(ModelJudge, the_users_threshold_wins) {
  const auto judge = judge_of("bayes", model_text(Made("bayes").model()), 0);
  EXPECT_TRUE((*judge)->judge(written_page("granite quarry")).relevant);
}

TEST(ModelJudge, refuses_a_model_of_another_kind) {
  const auto judge = judge_of("svm", model_text(Made("bayes").model()));
  ASSERT_FALSE(judge.ok());
  EXPECT_EQ(judge.error().message, "the model is for the judge bayes, not for svm");
}

TEST(TrainModel, is_right_on_pages_that_it_did_not_see) {
  for (const char* kind : {"bayes", "svm"}) {
    const Made made(kind);
    const Result<TestResult> result = cross_validate(made.plan, made.pages, 5);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->pages(), 40u);
    EXPECT_EQ(result->accuracy(), 1);
    EXPECT_EQ(result->macro_f1(), 1);
  }
}

TEST(TrainModel, can_do_with_the_words_that_tell_most) {
  for (const char* kind : {"bayes", "svm"}) {
    Made made(kind);
    made.plan.most_features = 8;
    const Model model = made.model();
    EXPECT_EQ((model.tree ? model.tree->choosers[0]->features : model.svm->features).size(), 8u);
  }
}

TEST(TestResult, f1_is_the_mean_over_the_classes) {
  // class 0: 3 pages, 2 of them found, 2 said; class 1: 1 page, found, 2 said
  const TestResult result{{{3, 2, 2}, {1, 2, 1}}};
  EXPECT_NEAR(result.accuracy(), 0.75, 1e-12);
  EXPECT_NEAR(result.classes[0].f1(), 0.8, 1e-12);
  EXPECT_NEAR(result.macro_f1(), (0.8 + 2.0 / 3) / 2, 1e-12);
}

}  // namespace
}  // namespace dowser
