#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

// Sixteen pages of which the odd ones are about birds, packed and labelled.
class CompareCommand : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path site = dir_.path() / "site";
    std::filesystem::create_directories(site);
    std::string labels = "url\ttopic\n";
    for (int i = 0; i < 16; ++i) {
      const std::string name = std::to_string(i) + ".html";
      std::string html = "<title>Page " + std::to_string(i) + "</title><p>";
      html += i % 2 ? "birds build a nest of feathers" : "stones lie in the water";
      for (const int step : {1, 2, 5}) {
        html += " <a href=" + std::to_string((i + step) % 16) + ".html>next</a>";
      }
      ASSERT_TRUE(put_file(site / name, html).ok());
      if (i % 2) labels += "http://web.test/" + name + "\tbirds\n";
    }
    ASSERT_TRUE(put_file(labels_, labels).ok());
    const Ran packed = run_dowser({"pack", site.string(), "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }

  static std::vector<std::string> joined(std::vector<std::string> all,
                                         const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::vector<std::string> compare(const std::vector<std::string>& more) const {
    return joined({"compare", "--web", web_, "--labels", labels_, "--positives", "2",
                   "--seed-count", "1", "--seed-distance", "1", "--draws", "2", "--budget", "10"},
                  more);
  }

  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz", labels_ = dir_ / "labels.tsv";
};

TEST_F(CompareCommand, prints_a_table_and_leaves_results_and_report) {
  const std::string out = dir_ / "out";
  const Ran ran = run_dowser(compare({"--strategies", "best-first; random", "--out", out}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("strategy ")) << ran.out;
  for (const char* name : {"\noracle ", "\nbest-first ", "\nrandom ", "\nbreadth-first "}) {
    EXPECT_NE(ran.out.find(name), std::string::npos) << name << "\n" << ran.out;
  }
  EXPECT_TRUE(ran.out.ends_with("report: " + out + "/report.html\n")) << ran.out;
  const json results = json::parse(*read_file(out + "/results.json"));
  EXPECT_EQ(results["format"], "dowser-comparison 1");
  EXPECT_EQ(results["options"]["web"][0], "web.warc.gz");
  EXPECT_EQ(results["options"]["missing"], "drop");
  EXPECT_EQ(results["topics"][0]["runs"].size(), 4u * 2);
  EXPECT_NE(read_file(out + "/report.html")->find("<h2 id=\"birds\">"), std::string::npos);
}

TEST_F(CompareCommand, with_json_prints_one_object_and_nothing_else) {
  const Ran ran = run_dowser(compare({"--json", "--out", dir_ / "out"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["judged_by"], "labels");
  EXPECT_GT(result["strategies"].size(), 5u);
  EXPECT_EQ(result["strategies"][0]["name"], "oracle");
  EXPECT_EQ(result["strategies"][0]["mean"]["focus"]["mean"], 1.0);
}

TEST_F(CompareCommand, leaves_the_same_bytes_on_any_number_of_threads) {
  ASSERT_EQ(run_dowser(compare({"--threads", "1", "--out", dir_ / "a"})).code, 0);
  ASSERT_EQ(run_dowser(compare({"--threads", "3", "--out", dir_ / "b"})).code, 0);
  for (const char* file : {"/results.json", "/report.html"}) {
    EXPECT_EQ(*read_file((dir_ / "a") + file), *read_file((dir_ / "b") + file)) << file;
  }
}

TEST_F(CompareCommand, works_without_labels_and_from_given_start_pages) {
  ASSERT_TRUE(put_file(dir_ / "seeds.txt", "# here\nhttp://web.test/0.html\r\n").ok());
  const Ran ran =
      run_dowser({"compare", "--web", web_, "--example", "http://web.test/1.html",
                  "http://web.test/5.html", "http://web.test/9.html", "http://web.test/13.html",
                  "--seeds", dir_ / "seeds.txt", "--draws", "1", "--missing", "404", "--strategies",
                  "best-first", "--out", dir_ / "deep/er/out"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("There are no labels"), std::string::npos) << ran.out;
  EXPECT_TRUE(std::filesystem::exists(dir_ / "deep/er/out/report.html"));
}

TEST_F(CompareCommand, wrong_usage_gets_one_sentence_and_leaves_nothing) {
  ASSERT_TRUE(put_file(dir_ / "bad.tsv", "http://web.test/1.html birds\n").ok());
  ASSERT_TRUE(put_file(dir_ / "empty.txt", "\n").ok());
  const std::string out = dir_ / "new", deep = dir_ / "deep/er/new";
  const std::vector<std::string> example = {"--example", "http://web.test/1.html"};
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  for (const Case& c : std::vector<Case>{
           {{"compare", "--labels", labels_, "--out", out}, 2, "name the archive with --web FILE"},
           {{"compare", "--web", web_, "--labels", labels_}, 2, "name a new folder with --out DIR"},
           {{"compare", "--web", web_, "--out", out},
            2,
            "say which pages are on the topic with either --labels FILE or --example URL"},
           {compare(joined({"--out", out}, example)), 2, "either --labels FILE or --example URL"},
           {compare({"--out", out, "--strategies", "random; best-frist"}), 2,
            "there is no strategy 'best-frist' (did you mean 'best-first'?): choose one of"},
           {compare({"--out", out, "--strategies", "best-first with cosin"}), 2,
            "there is no judge 'cosin' (did you mean 'cosine'?)"},
           {compare({"--out", out, "--strategies", "best-first-n(m=3)"}), 2,
            "best-first-n has no parameter 'm'"},
           {compare({"--out", out, "--strategies", " ; "}), 2, "--strategies is empty"},
           {compare({"--out", out, "--budget", "many"}), 2,
            "--budget must be a whole number of at least 10"},
           {compare({"--out", out, "--budget", "9"}), 2, "at least 10"},
           {compare({"--out", out, "--draws", "0"}), 2, "at least 1"},
           {compare({"--out", out, "--draws", "-1"}), 2, "at least 1"},
           {compare({"--out", out, "--delay", "soon"}), 2, "soon"},
           {compare({"--out", out, "--missing", "keep"}), 2, "--missing is either drop or 404"},
           {compare({"--out", out, "--positive", "3"}), 2, "did you mean --positives?"},
           {compare({"--out", dir_.path().string()}), 1,
            "is not empty: name a new folder with --out"},
           {compare({"--out", "/proc/dowser-cannot-write-here"}), 1, "cannot make the folder"},
           {compare({"--out", out, "--seeds", dir_ / "none.txt"}), 1, "none.txt"},
           {compare({"--out", out, "--seeds", dir_ / "empty.txt"}), 1, "has no lines"},
           {compare({"--out", out, "--web", dir_ / "none.warc.gz"}), 1, "none.warc.gz"},
           {compare({"--out", out, "--labels", dir_ / "bad.tsv"}), 1, "line 1 of"},
           {compare({"--out", out, "--topic-label", "fish"}), 1,
            "no page is labelled 'fish': there are birds"},
           {compare({"--out", deep, "--topic-label", "fish"}), 1, "no page is labelled 'fish'"},
           {{"compare", "--web", web_, "--example", "http://web.test/1.html", "--out", out},
            1,
            "give at least 4 pages with --example"},
       }) {
    const Ran ran = run_dowser(c.arguments);
    EXPECT_EQ(ran.code, c.code) << c.says << "\n" << ran.err;
    EXPECT_NE(ran.err.find(c.says), std::string::npos) << c.says << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_FALSE(std::filesystem::exists(out)) << c.says;
  }
  EXPECT_FALSE(std::filesystem::exists(dir_ / "deep")) << "nor the folders above";
}

TEST_F(CompareCommand, an_empty_folder_of_the_user_stays_when_nothing_came_of_it) {
  std::filesystem::create_directories(dir_ / "mine");
  EXPECT_EQ(run_dowser(compare({"--out", dir_ / "mine", "--topic-label", "fish"})).code, 1);
  EXPECT_TRUE(std::filesystem::exists(dir_ / "mine"));
}

}  // namespace
}  // namespace dowser
