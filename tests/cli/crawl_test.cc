#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "store/database.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

// A web of twelve pages, packed from files, in which the odd ones are about birds.
class CrawlCommand : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path site = dir_.path() / "site";
    std::filesystem::create_directories(site);
    for (int i = 0; i < 12; ++i) {
      std::string html = "<title>Page " + std::to_string(i) + "</title><p>";
      html += i % 2 ? "birds build a nest of feathers" : "stones lie in the water";
      for (int link = i + 1; link < i + 4; ++link) {
        html += " <a href=" + std::to_string(link) + ".html>next " + std::to_string(link) + "</a>";
      }
      ASSERT_TRUE(put_file(site / (std::to_string(i) + ".html"), html).ok());
    }
    const Ran packed = run_dowser({"pack", site.string(), "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }

  std::vector<std::string> crawl(std::vector<std::string> more) {
    std::vector<std::string> all = {
        "crawl",   "--web",     web_,   "--seed", "http://web.test/0.html",
        "--topic", "bird nest", "--out"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz";
};

TEST_F(CrawlCommand, prints_one_json_object_and_leaves_the_whole_folder) {
  const std::string out = dir_ / "out";
  const Ran ran =
      run_dowser(crawl({out, "--max-pages", "8", "--strategy", "best-first", "--json"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["fetched"], 8);
  EXPECT_GE(result["relevant"], 4);
  EXPECT_NEAR(result["harvest_rate"].get<double>(), result["relevant"].get<double>() / 8, 1e-9);
  EXPECT_EQ(result["out"], out);
  EXPECT_TRUE(result.contains("seconds"));
  for (const char* file : {"crawl.toml", "archive/crawl-00000.warc.gz", "index.cdxj",
                           "catalogue.sqlite", "report.html"}) {
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  }
  EXPECT_NE(read_file(out + "/report.html")->find("bird nest"), std::string::npos);
}

TEST_F(CrawlCommand, the_same_crawl_leaves_the_same_bytes) {
  ASSERT_EQ(run_dowser(crawl({dir_ / "a"})).code, 0);
  ASSERT_EQ(run_dowser(crawl({dir_ / "b"})).code, 0);
  for (const char* file : {"/archive/crawl-00000.warc.gz", "/index.cdxj"}) {
    EXPECT_EQ(*read_file((dir_ / "a") + file), *read_file((dir_ / "b") + file)) << file;
  }
  for (const char* table : {"pages", "links", "hosts"}) {
    EXPECT_EQ(run_dowser({"export", dir_ / "a", "--table", table}).out,
              run_dowser({"export", dir_ / "b", "--table", table}).out);
  }
}

TEST_F(CrawlCommand, can_be_repeated_from_its_crawl_toml) {
  ASSERT_EQ(run_dowser(crawl({dir_ / "a", "--max-pages", "5"})).code, 0);
  const Ran again = run_dowser(
      {"crawl", "--config", (dir_ / "a") + "/crawl.toml", "--out", dir_ / "b", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out)["fetched"], 5);
  EXPECT_EQ(run_dowser({"export", dir_ / "a"}).out, run_dowser({"export", dir_ / "b"}).out);
}

TEST_F(CrawlCommand, context_graph_wants_back_links) {
  const Ran without = run_dowser(crawl({dir_ / "a", "--strategy", "context-graph"}));
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("context-graph needs back-links: name an archive or an earlier crawl "
                             "with --back-links"),
            std::string::npos)
      << without.err;
  EXPECT_FALSE(std::filesystem::exists(dir_ / "a"));
  const std::vector<std::string> with = {
      "--strategy", "context-graph", "--example", "http://web.test/5.html", "--back-links",
      web_,         "--json"};
  std::vector<std::string> all = crawl({dir_ / "a"});
  all.insert(all.end(), with.begin(), with.end());
  const Ran ran = run_dowser(all);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["fetched"], 12);
  EXPECT_NE(read_file((dir_ / "a") + "/crawl.toml")->find("back-links"), std::string::npos);
}

TEST_F(CrawlCommand, explain_names_parent_score_and_words) {
  std::vector<std::string> all = crawl({dir_ / "out"});
  all.insert(all.end(), {"--strategy", "best-first"});
  ASSERT_EQ(run_dowser(all).code, 0);
  const Ran ran = run_dowser({"explain", dir_ / "out", "http://web.test/3.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* text : {"because of a link on http://web.test/", "score", "= page=", "relevance",
                           "bird", "nest", "\"next 3\"", "p>a"}) {
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  }
  const json parts =
      json::parse(run_dowser({"explain", dir_ / "out", "http://web.test/3.html", "--json"}).out);
  EXPECT_EQ(parts["url"], "http://web.test/3.html");
  EXPECT_TRUE(parts["parent_url"].is_string());
  const Ran seed = run_dowser({"explain", dir_ / "out", "http://web.test/0.html"});
  EXPECT_NE(seed.out.find("because it is a seed"), std::string::npos);
  const Ran unknown = run_dowser({"explain", dir_ / "out", "http://web.test/99.html"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(unknown.err, "dowser explain: this crawl has not fetched http://web.test/99.html\n");
}

TEST_F(CrawlCommand, explain_shows_the_evidence_and_what_was_learned) {
  std::vector<std::string> all = crawl({dir_ / "out"});
  all.insert(all.end(), {"--strategy", "learned", "--max-pages", "4"});
  ASSERT_EQ(run_dowser(all).code, 0);
  const Ran page = run_dowser({"explain", dir_ / "out", "http://web.test/3.html"});
  EXPECT_NE(page.out.find("linked      from"), std::string::npos) << page.out;
  EXPECT_NE(page.out.find("  host        explored: "), std::string::npos) << page.out;
  // The terms are those of the score that the link was offered with, and add up to it.
  Database links = std::move(*Database::open((dir_ / "out") + "/catalogue.sqlite"));
  Statement offered =
      std::move(*links.prepare("SELECT score, parts FROM links WHERE won AND score IS NOT NULL"));
  size_t offers = 0;
  while (*offered.step()) {
    ++offers;
    const std::string terms(offered.text(1));
    double sum = 0;
    for (size_t at = terms.find('='); at != terms.npos; at = terms.find('=', at + 1)) {
      sum += std::strtod(terms.c_str() + at + 1, nullptr);
    }
    EXPECT_NEAR(sum, offered.real(0), 1e-4) << terms;
  }
  EXPECT_GT(offers, 3u);
  const Ran model = run_dowser({"explain", dir_ / "out", "--model"});
  ASSERT_EQ(model.code, 0) << model.err;
  for (const char* text : {"learned", "after 4 pages", "words that point to the topic", "bird",
                           "best by tag path", "p>a", "best by directory", "http://web.test/"}) {
    EXPECT_NE(model.out.find(text), std::string::npos) << text << "\n" << model.out;
  }
  EXPECT_EQ(json::parse(run_dowser({"explain", dir_ / "out", "--model", "--json"}).out)["visits"],
            4);
  // Known and not fetched: who links to it.
  Database database = std::move(*Database::open((dir_ / "out") + "/catalogue.sqlite"));
  Statement waiting =
      std::move(*database.prepare("SELECT url FROM links WHERE refused IS NULL AND url NOT IN "
                                  "(SELECT url FROM pages) LIMIT 1"));
  ASSERT_TRUE(*waiting.step());
  const Ran other = run_dowser({"explain", dir_ / "out", std::string(waiting.text(0))});
  EXPECT_NE(other.out.find("not fetched yet"), std::string::npos) << other.out;
  EXPECT_NE(other.out.find(" when it was offered\n"), std::string::npos) << other.out;
  const Ran neither = run_dowser({"explain", dir_ / "out"});
  EXPECT_EQ(neither.code, 2);
  EXPECT_EQ(neither.err, "dowser explain: name the address of a page, or give --model\n");
}

TEST_F(CrawlCommand, export_writes_csv_and_jsonl) {
  ASSERT_EQ(run_dowser(crawl({dir_ / "out", "--max-pages", "4"})).code, 0);
  const Ran csv = run_dowser({"export", dir_ / "out", "--format", "csv"});
  EXPECT_TRUE(csv.out.starts_with("id,url,final_url,host,status,")) << csv.out;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 5);
  const Ran lines = run_dowser({"export", dir_ / "out", "--relevant"});
  const json first = json::parse(lines.out.substr(0, lines.out.find('\n')));
  EXPECT_EQ(first["relevant"], 1);
  EXPECT_TRUE(first["reasons"].is_array());
}

TEST_F(CrawlCommand, no_cell_of_a_csv_export_is_a_formula_in_a_spreadsheet) {
  ASSERT_EQ(run_dowser(crawl({dir_ / "out", "--max-pages", "6"})).code, 0);
  {
    Database database = std::move(*Database::create(dir_.path() / "out/catalogue.sqlite"));
    const char* titles[] = {"＝1+1", "+1", "-cmd|' /C calc'!A0", "@SUM(1,2)", "\t=1", "1=1"};
    for (int i = 0; i < 6; ++i) {
      auto update = database.prepare("UPDATE pages SET title = ?1, relevance = -0.5 WHERE id = ?2");
      update->bind(1, titles[i]).bind(2, int64_t{i});
      ASSERT_TRUE(update->step().ok());
    }
  }
  const Ran csv = run_dowser({"export", dir_ / "out", "--format", "csv"});
  for (const char* cell : {",'＝1+1,", ",'+1,", ",'-cmd|' /C calc'!A0,", ",\"'@SUM(1,2)\",",
                           ",'\t=1,", ",1=1,", ",-0.5,"}) {
    EXPECT_NE(csv.out.find(cell), std::string::npos) << cell << "\n" << csv.out;
  }
  const Ran lines = run_dowser({"export", dir_ / "out"});
  EXPECT_NE(lines.out.find("\"＝1+1\""), std::string::npos) << "jsonl stays as it is";
}

TEST_F(CrawlCommand, what_a_page_says_is_never_obeyed_by_a_terminal) {
  ASSERT_EQ(run_dowser(crawl({dir_ / "out", "--max-pages", "2"})).code, 0);
  const std::string title = "\033]0;owned\007 \u202Egnp.exe \u009B31m";
  {
    Database database = std::move(*Database::create(dir_.path() / "out/catalogue.sqlite"));
    auto update = database.prepare("UPDATE pages SET title = ?1");
    ASSERT_TRUE(update->bind(1, title).step().ok());
  }
  const std::string first =
      json::parse(run_dowser({"export", dir_ / "out"})
                      .out.substr(0, run_dowser({"export", dir_ / "out"}).out.find('\n')))["url"];
  // The library reads titles from the archive.
  ASSERT_EQ(run_dowser({"search", dir_ / "out", "bird OR birds"}).code, 0);
  {
    Database library = std::move(*Database::open_for_writing(dir_.path() / "out/library.sqlite"));
    auto update = library.prepare("UPDATE items SET title = ?1");
    ASSERT_TRUE(update->bind(1, title).step().ok());
  }
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"export", dir_ / "out"},
                                             {"export", dir_ / "out", "--format", "csv"},
                                             {"explain", dir_ / "out", first},
                                             {"explain", dir_ / "out", first, "--json"},
                                             {"search", dir_ / "out", "bird OR birds"},
                                             {"search", dir_ / "out", "bird OR birds", "--json"}}) {
    const Ran ran = run_dowser(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("gnp.exe"), std::string::npos) << arguments[0] << ran.out;
    for (const char* bad : {"\033]", "\007", "\u202E", "\u009B"}) {
      EXPECT_EQ(ran.out.find(bad), std::string::npos) << arguments[0] << " " << arguments.back();
    }
  }
}

TEST_F(CrawlCommand, a_password_in_a_link_is_kept_nowhere) {
  std::filesystem::create_directories(dir_.path() / "secret");
  ASSERT_TRUE(put_file(dir_ / "secret/a.html",
                       "<p>birds <a href='http://me:hunter2@web.test/b.html'>bird nest</a>")
                  .ok());
  ASSERT_TRUE(put_file(dir_ / "secret/b.html", "<p>birds build a nest").ok());
  ASSERT_EQ(
      run_dowser({"pack", dir_ / "secret", "--host", "web.test", "--to", dir_ / "s.warc.gz"}).code,
      0);
  const Ran ran = run_dowser({"crawl", "--web", dir_ / "s.warc.gz", "--seed",
                              "http://you:hunter3@web.test/a.html", "--topic", "birds", "--out",
                              dir_ / "kept", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["fetched"], 2) << "the link leads to the page all the same";
  const std::string tables = run_dowser({"export", dir_ / "kept"}).out +
                             run_dowser({"export", dir_ / "kept", "--table", "links"}).out +
                             *read_file(dir_ / "kept/index.cdxj") +
                             *read_file(dir_ / "kept/report.html");
  EXPECT_NE(tables.find("http://web.test/b.html"), std::string::npos);
  EXPECT_EQ(tables.find("hunter"), std::string::npos) << tables;
}

TEST_F(CrawlCommand, an_address_of_an_earlier_crawl_that_cannot_be_fetched_is_left_out) {
  ASSERT_EQ(run_dowser(crawl({dir_ / "out"})).code, 0);
  for (const char* address : {"mailto:me@example.org", "data:text/html,x", "about:blank", "x:"}) {
    {
      Database database = std::move(*Database::create(dir_.path() / "out/catalogue.sqlite"));
      auto update = database.prepare("UPDATE pages SET final_url = ?1 WHERE relevant");
      ASSERT_TRUE(update->bind(1, address).step().ok());
    }
    std::filesystem::remove_all(dir_.path() / "next");
    const Ran next = run_dowser(
        crawl({dir_ / "next", "--strategy", "infospiders-db", "--previous", dir_ / "out"}));
    EXPECT_EQ(next.code, 0) << address << ": " << next.err;
  }
}

TEST_F(CrawlCommand, judge_says_which_words_decided) {
  const Ran ran = run_dowser(
      {"judge", "http://web.test/1.html", "--web", web_, "--topic", "bird nest", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json page = json::parse(ran.out)["pages"][0];
  EXPECT_EQ(page["relevant"], true);
  EXPECT_EQ(page["reasons"].size(), 2u);
}

TEST_F(CrawlCommand, wrong_usage_gets_one_sentence_and_exit_code_2_or_1) {
  ASSERT_TRUE(put_file(dir_ / "bad.toml", "max-page = 3\n").ok());
  ASSERT_TRUE(put_file(dir_ / "noise.warc.gz", "this is no archive").ok());
  ASSERT_TRUE(put_file(dir_ / "file", "x").ok());
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  const std::string out = dir_ / "new";
  for (const Case& c : std::vector<Case>{
           {crawl({out, "--max-page", "3"}), 2,
            "there is no option --max-page (did you mean --max-pages?)"},
           {crawl({out, "--max-pages"}), 2, "--max-pages needs a value"},
           {crawl({out, "--max-pages", "many"}), 2, "max-pages must be a whole number"},
           {crawl({out, "--max-url-length", "5000"}), 2, "max-url-length can be at most 2048"},
           {crawl({out, "--max-page-size", "0"}), 2,
            "max-page-size must be a whole number of at least 1"},
           {crawl({out, "--timeout", "0s"}), 2, "timeout must be above 0s"},
           {crawl({out, "--connect-timeout", "soon"}), 2, "connect-timeout: "},
           {crawl({out, "--stop-at-recall", "90"}), 2,
            "stop-at-recall must be a number from 0 to 1, not '90'"},
           {crawl({out, "--strategy", "best-frist"}), 2,
            "there is no strategy 'best-frist' (did you mean 'best-first'?): choose one of "
            "best-first,"},
           {crawl({out, "--strategy", "best-first-n(m=3)"}), 2,
            "best-first-n has no parameter 'm'"},
           {crawl({out, "--judge", "cosin"}), 2,
            "there is no judge 'cosin' (did you mean 'cosine'?)"},
           {crawl({out, "--config", dir_ / "bad.toml"}), 2,
            "there is no setting 'max-page' (did you mean 'max-pages'?)"},
           {crawl({out, "--seed", "ftp://x"}), 1, "'ftp://x' is not an address to start from"},
           {crawl({out, "--seeds", dir_ / "none.txt"}), 1, "none.txt: No such file or directory"},
           {crawl({out, "--web", dir_ / "none.warc.gz"}), 1, "none.warc.gz"},
           {crawl({out, "--web", dir_ / "noise.warc.gz"}), 1, "noise.warc.gz"},
           {crawl({dir_ / "file"}), 1, "is a file: name a folder with --out"},
           {crawl({dir_.path().string()}), 1, "is not empty: name a new folder with --out"},
           {crawl({"/proc/dowser-cannot-write-here"}), 1, "cannot make the folder"},
           {{"crawl", "--topic", "bird"}, 2, "--seed URL or --seeds FILE"},
           {{"crawl", "--seed", "http://a.test/", "--topic", "bird", "--out", out},
            2,
            "on the live web, give an address where server administrators can reach you: --contact "
            "ADDRESS"},
           {{"crawl", "--web", web_, "--seed", "http://elsewhere.test/", "--topic", "bird", "--out",
             out},
            1,
            "none of the addresses to start from is in the archive: not http://elsewhere.test/"},
           {{"crwal"}, 2, "there is no command 'crwal' (did you mean 'crawl'?)"},
           {{"explain", dir_ / "none", "http://web.test/"}, 1, "cannot open"},
           {{"export"}, 2, "DIR is missing"},
           {{"export", dir_ / "none", "--format", "xml"},
            2,
            "format must be csv, jsonl, hadf, arff"},
           {{"judge", dir_ / "none.html", "--topic", "bird"},
            1,
            "none.html: No such file or directory"},
       }) {
    const Ran ran = run_dowser(c.arguments);
    EXPECT_EQ(ran.code, c.code) << c.says << "\n" << ran.err;
    EXPECT_NE(ran.err.find(c.says), std::string::npos) << c.says << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(out)) << "a crawl that cannot start leaves nothing";
}

// The reason to be, on a real collection.
TEST(SchoolsCrawl, best_first_finds_more_than_twice_the_birds_of_breadth_first) {
  const auto web = test_data("schools.warc.gz");
  const auto labels = test_data("schools-labels.tsv");
  if (!web || !labels) GTEST_SKIP() << kNoData;
  const std::string labelled = *read_file(*labels);
  TempDir dir;
  const auto birds = [&](const std::string& strategy) {
    const Ran ran =
        run_dowser({"crawl", "--web", web->string(), "--topic", "bird species feather nest wing",
                    "--seed", "http://schools-wikipedia.org/wp/e/Europe.htm", "--strategy",
                    strategy, "--max-pages", "500", "--out", dir / strategy, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    int found = 0;
    std::istringstream pages(run_dowser({"export", dir / strategy}).out);
    for (std::string line; std::getline(pages, line);) {
      const std::string url = json::parse(line)["final_url"];
      found += labelled.find(url + "\tbirds\n") != std::string::npos;
    }
    return found;
  };
  const int best = birds("best-first"), breadth = birds("breadth-first");
  RecordProperty("best_first", best);
  RecordProperty("breadth_first", breadth);
  EXPECT_GE(best, 2 * breadth);
  EXPECT_GE(best, 50);
}

}  // namespace
}  // namespace dowser
