#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "store/database.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Crawls of a small web, packed from files, that are checked by the program itself.
class CheckCommand : public testing::Test {
 protected:
  void make_web(int pages) {
    const fs::path site = dir_.path() / "site";
    fs::create_directories(site);
    for (int i = 0; i < pages; ++i) {
      std::string html = "<title>Page " + std::to_string(i) + "</title><p>";
      html += i % 2 ? "birds build a nest of feathers" : "stones lie in the water";
      for (int link = i + 1; link < i + 8; ++link) {
        html += " <a href=" + std::to_string(link) + ".html>next " + std::to_string(link) + "</a>";
      }
      for (int word = 0; word < 300; ++word) {
        html += " word" + std::to_string(word * 7 % 300) + "x" + std::to_string(i);
      }
      ASSERT_TRUE(put_file(site / (std::to_string(i) + ".html"), html).ok());
    }
    const Ran packed = run_dowser({"pack", site.string(), "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }

  std::vector<std::string> crawl(const std::string& name, std::vector<std::string> more = {}) {
    std::vector<std::string> all = {
        "crawl",   "--web",     web_,    "--seed",   "http://web.test/0.html",
        "--topic", "bird nest", "--out", dir_ / name};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz";
};

TEST_F(CheckCommand, says_a_line_a_part_and_exits_with_0_where_all_is_sound) {
  make_web(12);
  ASSERT_EQ(run_dowser(crawl("birds")).code, 0);
  const Ran ran = run_dowser({"check", dir_ / "birds"});
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_EQ(ran.err, "");
  for (const char* part : {"archive: 1 file, 37 records, ", "index: 12 lines, all good",
                           "catalogue: 12 pages, ", "state: 12 visits, ", "crawl.toml: "}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  }
}

TEST_F(CheckCommand, names_problems_repairs_them_and_says_where_the_originals_are) {
  make_web(12);
  ASSERT_EQ(run_dowser(crawl("birds")).code, 0);
  const fs::path catalogue = dir_.path() / "birds" / "catalogue.sqlite";
  ASSERT_TRUE(Database::create(catalogue)->execute("UPDATE pages SET title = 'x'").ok());
  const Ran found = run_dowser({"check", dir_ / "birds"});
  EXPECT_EQ(found.code, 1);
  EXPECT_NE(found.out.find("PROBLEM catalogue: page 3 or its links have changed"),
            std::string::npos)
      << found.out;
  EXPECT_NE(found.out.find("--repair rebuilds it"), std::string::npos);
  const Ran repaired = run_dowser({"check", dir_ / "birds", "--repair"});
  EXPECT_EQ(repaired.code, 0) << repaired.out << repaired.err;
  EXPECT_NE(repaired.out.find("REPAIRED catalogue"), std::string::npos);
  EXPECT_NE(repaired.out.find("set-aside"), std::string::npos);
  EXPECT_EQ(run_dowser({"resume", dir_ / "birds"}).code, 0);
  EXPECT_EQ(run_dowser({"check", dir_ / "birds"}).code, 0);
}

TEST_F(CheckCommand, prints_one_json_object) {
  make_web(12);
  ASSERT_EQ(run_dowser(crawl("birds")).code, 0);
  fs::remove(dir_.path() / "birds" / "index.cdxj");
  const Ran found = run_dowser({"check", dir_ / "birds", "--json"});
  EXPECT_EQ(found.code, 1);
  const json report = json::parse(found.out);
  EXPECT_EQ(report["sound"], false);
  EXPECT_EQ(report["problems"][0]["part"], "index");
  EXPECT_EQ(report["problems"][0]["repair"], true);
  const Ran repaired = run_dowser({"check", dir_ / "birds", "--json", "--repair"});
  EXPECT_EQ(repaired.code, 0);
  EXPECT_EQ(json::parse(repaired.out)["sound"], true);
  EXPECT_EQ(json::parse(repaired.out)["repaired"].size(), 1u);
}

TEST_F(CheckCommand, says_in_one_sentence_what_is_no_crawl) {
  const Ran ran = run_dowser({"check", dir_ / ""});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("does not contain a crawl"), std::string::npos) << ran.err;
}

TEST_F(CheckCommand, a_copy_of_a_model_that_changed_is_found_and_copied_again) {
  make_web(12);
  std::string labels = "url\tclass\n";
  for (int i = 0; i < 12; ++i) {
    labels +=
        "http://web.test/" + std::to_string(i) + ".html\t" + (i % 2 ? "bird" : "stone") + "\n";
  }
  ASSERT_TRUE(put_file(dir_ / "labels.tsv", labels).ok());
  const Ran learned = run_dowser({"learn", "bayes", "--labels", dir_ / "labels.tsv", "--web", web_,
                                  "--to", dir_ / "m.json", "--good", "bird"});
  ASSERT_EQ(learned.code, 0) << learned.err;
  ASSERT_EQ(run_dowser(crawl("birds", {"--model", dir_ / "m.json"})).code, 0);
  EXPECT_EQ(run_dowser({"check", dir_ / "birds"}).code, 0);
  const fs::path copy = dir_.path() / "birds" / "model.json";
  const std::string good = *read_file(copy);
  ASSERT_TRUE(put_file(copy, good + " ").ok());
  const Ran found = run_dowser({"check", dir_ / "birds"});
  EXPECT_EQ(found.code, 1);
  EXPECT_NE(found.out.find("PROBLEM model.json"), std::string::npos) << found.out;
  EXPECT_EQ(run_dowser({"check", dir_ / "birds", "--repair"}).code, 0);
  EXPECT_EQ(*read_file(copy), good);
}

TEST_F(CheckCommand, does_not_disturb_a_crawl_at_work) {
  make_web(2500);
  ASSERT_EQ(run_dowser(crawl("alone", {"--max-pages", "2500"})).code, 0);
  DowserProcess crawling(crawl("watched", {"--max-pages", "2500"}));
  const fs::path folder = dir_.path() / "watched";
  const fs::path index = folder / "index.unsorted";
  std::error_code failed;
  for (int i = 0; i < 600 && (!fs::exists(index, failed) || fs::file_size(index, failed) == 0);
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  int checks = 0;
  do {
    const Ran ran = run_dowser({"check", folder.string()});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    ++checks;
    const Ran repair = run_dowser({"check", folder.string(), "--repair"});
    EXPECT_EQ(repair.code, 0) << repair.out << repair.err;
  } while (!fs::exists(folder / "report.html", failed) && checks < 50);
  const Ran crawled = crawling.wait();
  EXPECT_EQ(crawled.code, 0) << crawled.err;
  for (const char* name : {"archive/crawl-00000.warc.gz", "index.cdxj"}) {
    EXPECT_EQ(*read_file(folder / name) == *read_file(dir_.path() / "alone" / name), true) << name;
  }
  EXPECT_EQ(run_dowser({"check", folder.string()}).code, 0);
}

}  // namespace
}  // namespace dowser
