#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

// A web of thirty pages on two sites, packed from files: birds, fish and stones, each with a link
// to the next two.
class LearnCommand : public testing::Test {
 protected:
  static constexpr int kPages = 30;

  void SetUp() override {
    static const char* const kWords[] = {"owl feather nest wing beak", "fin gill pike trout water",
                                         "granite quarry marble basalt"};
    static const char* const kClasses[] = {"bird", "fish", "stone"};
    std::filesystem::create_directories(dir_.path() / "site");
    std::string labels = "url\tclass\tsite\n# a comment\n";
    for (int i = 0; i < kPages; ++i) {
      std::string html =
          "<title>Page</title><p>the common words of page " + std::to_string(i) + " ";
      html += kWords[i % 3];
      for (int link = i + 1; link < i + 3; ++link) {
        html += " <a href=" + std::to_string(link % kPages) + ".html>next</a>";
      }
      ASSERT_TRUE(put_file(file(i), html).ok());
      labels += address(i) + "\t" + kClasses[i % 3] + "\t" + (i < 15 ? "east" : "west") + "\n";
    }
    labels += "http://web.test/nowhere.html\tstone\teast\n";
    ASSERT_TRUE(put_file(labels_, labels).ok());
    const Ran packed = run_dowser({"pack", dir_ / "site", "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }

  static std::string address(int page) {
    return "http://web.test/" + std::to_string(page) + ".html";
  }
  std::string file(int page) const { return dir_ / ("site/" + std::to_string(page) + ".html"); }

  Ran learn(std::vector<std::string> more) const {
    std::vector<std::string> all = {"learn", more.front(), "--labels", labels_,
                                    "--web", web_,         "--to",     model_};
    all.insert(all.end(), more.begin() + 1, more.end());
    return run_dowser(all);
  }

  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz", labels_ = dir_ / "labels.tsv", model_ = dir_ / "m.json";
};

TEST_F(LearnCommand, trains_on_one_site_and_tests_on_the_other) {
  for (const char* kind : {"bayes", "svm"}) {
    const Ran ran = learn({kind, "--good", "bird", "--test-on", "site=west", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json result = json::parse(ran.out);
    EXPECT_EQ(result["kind"], kind);
    EXPECT_EQ(result["pages"], 15);
    EXPECT_EQ(result["missing"], 1);
    EXPECT_EQ(result["accuracy"], 1);
    EXPECT_EQ(result["macro_f1"], 1);
    EXPECT_EQ(result["classes"][0]["learned_from"], 5);
    EXPECT_EQ(result["classes"][0]["tested_on"], 5);
    const json model = json::parse(*read_file(model_));
    EXPECT_EQ(model["dowser_model"], 1);
    EXPECT_EQ(model["test"]["how"], "on held-out pages: site=west");

    const Ran judged = run_dowser({"judge", file(0), file(1), "--model", model_, "--json"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    const json pages = json::parse(judged.out)["pages"];
    EXPECT_EQ(json::parse(judged.out)["judge"], kind);
    EXPECT_EQ(pages[0]["label"], "bird");
    EXPECT_EQ(pages[0]["relevant"], true);
    EXPECT_EQ(pages[1]["label"], "fish");
    EXPECT_EQ(pages[1]["relevant"], false);
    EXPECT_GT(pages[0]["reasons"].size(), 3u);
  }
}

TEST_F(LearnCommand, prints_a_table_of_the_classes_and_the_judge_the_class_of_a_page) {
  const Ran ran = learn({"svm", "--good", "bird", "--without", "2=fish", "--folds", "3"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* text : {"bird", "stone", "good", "accuracy 1.000", "3-fold cross-validation",
                           "1 labelled pages are not in the archive", "trained on 20 pages"}) {
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  }
  EXPECT_EQ(ran.out.find("fish"), std::string::npos);
  const Ran judged = run_dowser({"judge", address(3), "--web", web_, "--model", model_});
  ASSERT_EQ(judged.code, 0) << judged.err;
  EXPECT_NE(judged.out.find("class       bird"), std::string::npos) << judged.out;
}

TEST_F(LearnCommand, the_classifiers_of_cindi_tell_the_good_class_from_all_others) {
  for (const std::vector<std::string>& kind : {std::vector<std::string>{"weighted-bayes"},
                                               {"rbf-svm"},
                                               {"rbf-svm", "--weights", "binary"}}) {
    std::vector<std::string> options = kind;
    for (const char* more : {"--good", "bird", "--test-on", "site=west", "--json"}) {
      options.emplace_back(more);
    }
    const Ran ran = learn(options);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json result = json::parse(ran.out);
    EXPECT_EQ(result["kind"], kind[0]);
    EXPECT_EQ(result["accuracy"], 1);
    ASSERT_EQ(result["classes"].size(), 2u);
    EXPECT_EQ(result["classes"][0]["name"], "other");
    EXPECT_EQ(result["classes"][0]["learned_from"], 10);
    EXPECT_EQ(result["classes"][1]["learned_from"], 5);

    const Ran judged = run_dowser({"judge", file(0), file(1), "--model", model_, "--json"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    const json pages = json::parse(judged.out)["pages"];
    EXPECT_EQ(pages[0]["relevant"], true) << judged.out;
    EXPECT_EQ(pages[1]["relevant"], false) << judged.out;
    const std::string out = dir_ / ("crawl-" + std::to_string(options.size()) + kind[0]);
    const Ran crawled = run_dowser({"crawl", "--web", web_, "--seed", address(0), "--model", model_,
                                    "--strategy", "breadth-first", "--out", out, "--json"});
    ASSERT_EQ(crawled.code, 0) << crawled.err;
    EXPECT_EQ(json::parse(crawled.out)["relevant"], kPages / 3);
  }
  EXPECT_EQ(learn({"svm", "--good", "bird", "--weights", "binary"}).code, 2);
  EXPECT_EQ(learn({"rbf-svm", "--good", "bird", "--weights", "heavy"}).code, 2);
}

TEST_F(LearnCommand, a_tree_makes_classes_of_classes) {
  ASSERT_TRUE(put_file(dir_ / "tree", "bird\tanimal\nfish\tanimal\n").ok());
  const Ran ran = learn({"bayes", "--good", "animal", "--tree", dir_ / "tree", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["accuracy"], 1);
  const Ran judged = run_dowser({"judge", file(1), file(2), "--model", model_, "--json"});
  ASSERT_EQ(judged.code, 0) << judged.err;
  const json pages = json::parse(judged.out)["pages"];
  EXPECT_EQ(pages[0]["label"], "fish");
  EXPECT_EQ(pages[0]["relevant"], true);
  EXPECT_EQ(pages[1]["relevant"], false);
}

TEST_F(LearnCommand, learns_from_pages_that_a_person_names) {
  std::vector<std::string> words = {"learn", "bayes", "--web", web_, "--to", model_};
  words.insert(words.end(), {"--good-page", file(0), address(3), file(6)});
  words.insert(words.end(), {"--other-page", file(2), file(5), address(8)});
  words.insert(words.end(), {"--folds", "2"});
  const Ran ran = run_dowser(words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Ran judged = run_dowser({"judge", file(9), "--model", model_, "--json"});
  EXPECT_EQ(json::parse(judged.out)["pages"][0]["label"], "good") << judged.out;
}

TEST_F(LearnCommand, a_crawl_is_judged_by_the_model_and_keeps_a_copy_to_go_on_with) {
  ASSERT_EQ(learn({"bayes", "--good", "bird"}).code, 0);
  const Ran ran =
      run_dowser({"crawl", "--web", web_, "--seed", address(0), "--model", model_, "--strategy",
                  "best-first", "--max-pages", "9", "--out", dir_ / "out", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["fetched"], 9);
  EXPECT_GE(json::parse(ran.out)["relevant"], 3);
  std::filesystem::remove(model_);
  const Ran more =
      run_dowser({"resume", dir_ / "out", "--max-pages", std::to_string(kPages), "--json"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(json::parse(more.out)["fetched"], kPages);
  EXPECT_EQ(json::parse(more.out)["relevant"], kPages / 3);
}

TEST_F(LearnCommand, wrong_usage_is_one_sentence) {
  ASSERT_TRUE(put_file(dir_ / "circle", "bird\tfish\nfish\tbird\n").ok());
  ASSERT_TRUE(put_file(dir_ / "broken.json", "{}").ok());
  struct Row {
    std::vector<std::string> words;
    int code;
    std::string error;
  };
  for (const Row& row : std::vector<Row>{
           {{"learn"},
            2,
            "name what to train: dowser learn bayes, svm, rbf-svm, weighted-bayes, anchors, hmm or "
            "signatures"},
           {{"learn", "oracle", "--to", "x"},
            2,
            "name what to train: dowser learn bayes, svm, rbf-svm, weighted-bayes, anchors, hmm or "
            "signatures, not 'oracle'"},
           {{"learn", "bayes"}, 2, "name the file for the model with --to FILE"},
           {{"learn", "bayes", "--to", "x"},
            2,
            "name what to learn from: --labels FILE.tsv, or --good-page PAGE and --other-page "
            "PAGE"},
           {{"learn", "bayes", "--to", "x", "--labels", labels_},
            2,
            "name the archive that contains the pages with --web FILE"},
           {{"learn", "bayes", "--to", "x", "--labels", labels_, "--web", web_},
            2,
            "name the relevant classes with --good CLASS"},
           {{"learn", "svm", "--to", "x", "--labels", labels_, "--web", web_, "--good", "bird",
             "--tree", "x"},
            2,
            "a tree of classes is for bayes only"},
           {{"learn", "bayes", "--to", model_, "--labels", labels_, "--web", web_, "--good",
             "birds"},
            1,
            "there is no class 'birds' (did you mean 'bird'?): there are bird, fish, stone"},
           {{"learn", "bayes", "--to", model_, "--labels", labels_, "--web", web_, "--good", "bird",
             "--test-on", "town=west"},
            1,
            "the labels have no column 'town': give its number, starting from 1, or url, class, "
            "site"},
           {{"learn", "bayes", "--to", model_, "--labels", labels_, "--web", web_, "--good", "bird",
             "--test-on", "site=north"},
            1,
            "no line of the labels has site=north"},
           {{"learn", "bayes", "--to", model_, "--labels", labels_, "--web", web_, "--good", "bird",
             "--tree", dir_ / "circle"},
            1,
            "the classes of " + (dir_ / "circle") + " form a cycle"},
           {{"judge", file(0), "--model", dir_ / "broken.json"},
            1,
            "this is not a model file: make one with dowser learn"},
           {{"judge", file(0)},
            2,
            "name the topic with --topic \"words\", --example PAGE, --model FILE or --crawl "
            "DIR"}}) {
    const Ran ran = run_dowser(row.words);
    EXPECT_EQ(ran.code, row.code) << row.error;
    EXPECT_EQ(ran.err, "dowser " + row.words[0] + ": " + row.error + "\n");
  }
  ASSERT_EQ(learn({"bayes", "--good", "bird"}).code, 0);
  const Ran other = run_dowser({"judge", file(0), "--model", model_, "--judge", "svm"});
  EXPECT_EQ(other.err, "dowser judge: the model is for the judge bayes, not for svm\n");
  const Ran none = run_dowser({"judge", file(0), "--model", model_, "--judge", "keyword"});
  EXPECT_EQ(none.err,
            "dowser judge: the judge keyword does not use a model: leave out --judge or --model\n");
}

}  // namespace
}  // namespace dowser
