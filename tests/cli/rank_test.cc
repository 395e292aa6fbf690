#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "store/database.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Small webs of several sites, packed from files and ranked by the program itself.
class RankCommand : public testing::Test {
 protected:
  // A page of a site with links to these addresses.
  void page(const std::string& host, const std::string& name, const std::string& words,
            const std::vector<std::string>& links) {
    std::string html = "<title>" + words + "</title><p>" + words;
    for (const std::string& link : links) html += " <a href=\"" + link + "\">" + link + "</a>";
    fs::create_directories(dir_.path() / host);
    ASSERT_TRUE(put_file(dir_.path() / host / name, html).ok());
    if (std::find(hosts_.begin(), hosts_.end(), host) == hosts_.end()) hosts_.push_back(host);
  }
  std::vector<std::string> archives() {
    std::vector<std::string> files;
    for (const std::string& host : hosts_) {
      files.push_back(dir_ / (host + ".warc.gz"));
      const Ran packed = run_dowser({"pack", dir_ / host, "--host", host, "--to", files.back()});
      EXPECT_EQ(packed.code, 0) << packed.err;
    }
    return files;
  }
  std::vector<std::string> rank(std::vector<std::string> more) {
    std::vector<std::string> all = {"rank"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Twelve sites link to an honest page, a farm of sixty pages to its own.
  std::vector<std::string> web_with_farm() {
    page("honest.org", "a.html", "birds of prey", {});
    std::vector<std::string> farm;
    for (int i = 0; i < 60; ++i) farm.push_back("http://farm.com/" + std::to_string(i) + ".html");
    page("farm.com", "target.html", "buy now", farm);
    for (int i = 0; i < 60; ++i) {
      page("farm.com", std::to_string(i) + ".html", "farm", {"http://farm.com/target.html"});
    }
    for (int i = 0; i < 12; ++i) {
      page("site" + std::to_string(i) + ".org", "p.html", "birds and nests",
           {"http://honest.org/a.html"});
    }
    return archives();
  }
  // A crawl of ten pages on one site.
  std::string crawl() {
    for (int i = 0; i < 10; ++i) {
      page("web.test", std::to_string(i) + ".html", i % 2 ? "birds nest" : "stones",
           {std::to_string((i + 1) % 10) + ".html", std::to_string((i + 3) % 10) + ".html"});
    }
    const Ran ran =
        run_dowser({"crawl", "--web", archives().front(), "--seed", "http://web.test/0.html",
                    "--topic", "birds nest", "--out", dir_ / "crawl"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return dir_ / "crawl";
  }
  // The one sentence of a run that fails.
  std::string failure(const std::vector<std::string>& arguments, int code) {
    const Ran ran = run_dowser(rank(arguments));
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("dowser rank: ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    return ran.err;
  }
  static int64_t count(const std::string& catalogue, const std::string& sql) {
    Result<Database> database = Database::open(catalogue);
    EXPECT_TRUE(database.ok());
    Result<Statement> row = database->prepare(sql);
    if (!row || !row->step().ok()) return -1;
    return row->integer(0);
  }

  TempDir dir_;
  std::vector<std::string> hosts_;
};

TEST_F(RankCommand, link_farms_lose_and_win_with_plain) {
  std::vector<std::string> files = web_with_farm();
  files.push_back("--json");
  const json found = json::parse(run_dowser(rank(files)).out, nullptr, false);
  ASSERT_EQ(found["pages"], 74);
  EXPECT_EQ(found["sites"], 14);
  const json& best = found["rankings"][0];
  EXPECT_EQ(best["pagerank"]["pages"][0]["url"], "http://honest.org/a.html");
  EXPECT_EQ(best["hits"]["authorities"][0]["url"], "http://honest.org/a.html");
  EXPECT_TRUE(best["pagerank"]["converged"] && best["hits"]["converged"]);
  files.push_back("--plain");
  const json plain = json::parse(run_dowser(rank(files)).out, nullptr, false);
  const json& first = plain["rankings"][0];
  EXPECT_EQ(first["pagerank"]["pages"][0]["url"], "http://farm.com/target.html");
  EXPECT_EQ(first["hits"]["authorities"][0]["url"], "http://farm.com/target.html");
}

TEST_F(RankCommand, each_topic_has_a_ranking_of_its_own) {
  std::vector<std::string> files = web_with_farm();
  for (const char* word : {"--topic", "birds", "--topic", "farm", "--json"}) files.push_back(word);
  const json found = json::parse(run_dowser(rank(files)).out, nullptr, false);
  ASSERT_EQ(found["rankings"].size(), 3u);
  EXPECT_EQ(found["rankings"][0]["topic"], nullptr);
  EXPECT_EQ(found["rankings"][1]["topic"], "birds");
  EXPECT_EQ(found["rankings"][1]["pagerank"]["pages"][0]["url"], "http://honest.org/a.html");
  EXPECT_EQ(found["rankings"][1]["hits"]["root_pages"], 13);
  EXPECT_EQ(found["rankings"][2]["pagerank"]["pages"][0]["url"], "http://farm.com/target.html");
}

TEST_F(RankCommand, a_crawl_keeps_its_ranks_and_can_still_be_checked_and_resumed) {
  const std::string folder = crawl();
  const Ran ran = run_dowser(rank({folder}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("10 pages on 1 hosts"), std::string::npos) << ran.out;
  const std::string catalogue = folder + "/catalogue.sqlite";
  EXPECT_EQ(count(catalogue, "SELECT COUNT(*) FROM ranks"), 20);  // without topic, and its own
  EXPECT_EQ(count(catalogue, "SELECT COUNT(*) FROM page_links WHERE in_links = 2"), 10);
  EXPECT_EQ(count(catalogue, "SELECT 1000 * SUM(pagerank) + 0.5 FROM ranks WHERE ranking = 0"),
            1000);
  ASSERT_EQ(run_dowser(rank({folder, "--topic", "stones"})).code, 0);  // replaces them
  EXPECT_EQ(count(catalogue, "SELECT COUNT(*) FROM rankings WHERE topic = 'stones'"), 1);
  EXPECT_EQ(count(catalogue, "SELECT COUNT(*) FROM ranks"), 20);
  const Ran checked = run_dowser({"check", folder});
  EXPECT_EQ(checked.code, 0) << checked.out;
  const Ran resumed = run_dowser({"resume", folder});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(count(catalogue, "SELECT COUNT(*) FROM ranks"), 20);
}

TEST_F(RankCommand, a_dry_run_leaves_the_catalogue_alone) {
  const std::string folder = crawl();
  ASSERT_EQ(run_dowser(rank({folder, "--dry-run"})).code, 0);
  EXPECT_EQ(count(folder + "/catalogue.sqlite",
                  "SELECT COUNT(*) FROM sqlite_master WHERE name = 'ranks'"),
            0);
}

TEST_F(RankCommand, lists_pages_like_another_by_common_links) {
  page("a.org", "list.html", "list", {"x.html", "y.html", "z.html"});
  page("a.org", "other.html", "other", {"x.html", "y.html"});
  for (const char* name : {"x.html", "y.html", "z.html"}) page("a.org", name, name, {});
  std::vector<std::string> files = archives();
  for (const char* word : {"--like", "http://a.org/x.html", "--json"}) files.push_back(word);
  const json found = json::parse(run_dowser(rank(files)).out, nullptr, false);
  ASSERT_EQ(found["like"].size(), 2u);
  EXPECT_EQ(found["like"][0]["url"], "http://a.org/y.html");
  EXPECT_EQ(found["like"][0]["co_citations"], 2);
  EXPECT_EQ(found["like"][0]["co_citation"], 1.0);
}

TEST_F(RankCommand, writes_csv_that_no_spreadsheet_computes) {
  page("a.org", "x.html", "=1+1, \"quoted\"", {"y.html"});
  page("a.org", "y.html", "plain", {});
  std::vector<std::string> files = archives();
  files.insert(files.end(), {"--csv", dir_ / "ranks.csv"});
  ASSERT_EQ(run_dowser(rank(files)).code, 0);
  const Result<std::string> csv = read_file(dir_ / "ranks.csv");
  ASSERT_TRUE(csv.ok());
  EXPECT_TRUE(
      csv->starts_with("url,title,in_links,out_links,external_in_links,community,pagerank,"
                       "hub,authority\r\nhttp://a.org/y.html,plain,1,0,0,0,0.649"))
      << *csv;
  EXPECT_NE(csv->find("http://a.org/x.html,\"'=1+1, \"\"quoted\"\"\",0,1,"), std::string::npos)
      << *csv;
}

TEST_F(RankCommand, one_page_and_pages_without_links_are_no_error) {
  page("a.org", "x.html", "alone", {"x.html", "http://elsewhere.org/"});
  const Ran ran = run_dowser(rank(archives()));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("No page links to another"), std::string::npos) << ran.out;
}

TEST_F(RankCommand, bad_input_is_one_clear_sentence) {
  page("a.org", "x.html", "alone", {});
  const std::string file = archives().front();
  EXPECT_NE(failure({dir_ / "missing"}, 1).find("there is no "), std::string::npos);
  fs::create_directories(dir_.path() / "empty");
  EXPECT_NE(failure({dir_ / "empty"}, 1).find("has no catalogue.sqlite"), std::string::npos);
  ASSERT_TRUE(put_file(dir_ / "text.warc.gz", "this is no archive").ok());
  failure({dir_ / "text.warc.gz"}, 1);
  ASSERT_TRUE(put_file(dir_ / "nothing.warc.gz", "").ok());
  EXPECT_NE(failure({dir_ / "nothing.warc.gz"}, 1).find("nothing.warc.gz"), std::string::npos);
  fs::create_directories(dir_.path() / "bad");
  ASSERT_TRUE(put_file(dir_ / "bad/catalogue.sqlite", std::string(5000, 'x')).ok());
  failure({dir_ / "bad"}, 1);
  EXPECT_NE(failure({file, "--topic", "the of and"}, 1).find("very common words"),
            std::string::npos);
  EXPECT_NE(failure({file, "--like", "http://b.org/"}, 1).find("has no page http://b.org/"),
            std::string::npos);
  EXPECT_NE(failure({file, "--damping", "1"}, 2).find("--damping"), std::string::npos);
  EXPECT_NE(failure({file, "--root", "0"}, 2).find("--root"), std::string::npos);
  EXPECT_NE(failure({file, "--hits", "some"}, 2).find("--hits"), std::string::npos);
  EXPECT_NE(failure({file, "--plane"}, 2).find("--plain"), std::string::npos);
  EXPECT_NE(failure({}, 2).find("DIR|ARCHIVE"), std::string::npos);
  EXPECT_NE(failure({file, "--csv", dir_ / "no/where.csv"}, 1).find("where.csv"),
            std::string::npos);
  EXPECT_NE(failure({file, "--graphml", "/dev/full"}, 1).find("/dev/full"), std::string::npos);
}

TEST_F(RankCommand, a_folder_that_a_crawl_uses_is_left_alone) {
  const std::string folder = crawl();
  const Result<FolderLock> lock = FolderLock::take(folder);
  ASSERT_TRUE(lock.ok());
  EXPECT_NE(failure({folder}, 1).find("--dry-run"), std::string::npos);
  EXPECT_EQ(run_dowser(rank({folder, "--dry-run"})).code, 0);
}

TEST_F(RankCommand, the_values_are_those_of_networkx) {
  const auto archive = test_data("webkb.warc.gz");
  if (!archive) GTEST_SKIP() << kNoData;
  if (std::system("/usr/bin/python3 -c 'import networkx, scipy' 2> /dev/null") != 0) {
    GTEST_SKIP() << "no python3-networkx and python3-scipy: tools/install test brings them";
  }
  const std::string command = "/usr/bin/python3 '" +
                              (source_dir() / "bench/rank_check.py").string() + "' '" +
                              dowser_program().string() + "' '" + archive->string() + "' '" +
                              dir_.path().string() + "' > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(RankCommand, control_c_ends_it_with_130_and_leaves_nothing) {
  const auto archive = test_data("webkb.warc.gz");
  if (!archive) GTEST_SKIP() << kNoData;
  DowserProcess process(rank({archive->string(), "--csv", dir_ / "ranks.csv"}));
  process.wait_until_it_handles(SIGINT);
  process.signal(SIGINT);
  const Ran ran = process.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

}  // namespace
}  // namespace dowser
