#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

// A web of a guide: front page -> regions -> towns -> lighthouses, and as many pages about trains.
// Somebody looked for lighthouses in two regions.
class SessionCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(dir_.path() / "site");
    page("index", "front page of the guide", {"region1", "region2", "region3", "trains"});
    page("trains", "railway timetable locomotive", {"train1", "train2", "train3", "train4"});
    for (int i = 1; i <= 4; ++i) {
      page(fmt::format("train{}", i), fmt::format("railway locomotive carriage number{}", i),
           {fmt::format("train{}", i % 4 + 1), "index"});
    }
    for (int r = 1; r <= 3; ++r) {
      page(fmt::format("region{}", r), "region coast map towns",
           {fmt::format("town{}", r), "trains"});
      page(fmt::format("town{}", r), "town harbour street sights",
           {fmt::format("light{}a", r), fmt::format("light{}b", r), "trains"});
      for (const char c : {'a', 'b'}) {
        page(fmt::format("light{}{}", r, c),
             fmt::format("lighthouse lamp keeper tower beacon name{}{}", r, c), {"index"});
      }
    }
    const Ran packed = run_dowser({"pack", dir_ / "site", "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
    std::string clicks = "user\tstarted\tseconds\ttarget\tclicks\n";
    for (int r = 1; r <= 2; ++r) {
      clicks +=
          fmt::format("u{0}\t12970908{0}9\t60\t{1}\t{2} {3} < {4} {5} {1}\n", r,
                      address(fmt::format("light{}a", r)), address("index"), address("trains"),
                      address(fmt::format("region{}", r)), address(fmt::format("town{}", r)));
    }
    clicks += fmt::format("u3\t1297090899\t60\t{}\t{}\n", address("light1b"), address("town1"));
    ASSERT_TRUE(put_file(dir_ / "clicks.tsv", clicks).ok());
  }

  void page(const std::string& name, const std::string& text,
            const std::vector<std::string>& links) {
    std::string html = fmt::format("<title>{}</title><p>{} {}", name, text, text);
    for (const std::string& link : links)
      html += fmt::format(" <a href={}.html>{}</a>", link, "go");
    ASSERT_TRUE(put_file(dir_ / ("site/" + name + ".html"), html).ok());
  }
  static std::string address(const std::string& name) {
    return name == "index" ? "http://web.test/index.html" : "http://web.test/" + name + ".html";
  }
  Ran import(const std::string& goals = "add") {
    return run_dowser({"session", "import", dir_ / "clicks.tsv", "--web", web_, "--goals", goals,
                       "--to", sessions_});
  }

  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz", sessions_ = dir_ / "s.sessions",
              model_ = dir_ / "m.json";
};

TEST_F(SessionCommand, imports_lists_shows_and_draws) {
  const Ran imported = import();
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_NE(imported.out.find("3 sessions; goals: 1 added, 2 visited; without a marked page: 0"),
            std::string::npos)
      << imported.out;
  EXPECT_NE(import("visited").out.find("goals: 0 added, 2 visited; without a marked page: 1"),
            std::string::npos);
  ASSERT_EQ(import().code, 0);
  const json list = json::parse(run_dowser({"session", "list", sessions_, "--json"}).out);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0]["topic"], "light1a");
  EXPECT_EQ(list[0]["pages"], 5);
  EXPECT_EQ(list[0]["useful"], 1);
  const std::string name = list[0]["name"];
  const json show = json::parse(run_dowser({"session", "show", sessions_, name, "--json"}).out);
  EXPECT_EQ(show[0]["steps"][2]["kind"], "back");
  EXPECT_NE(run_dowser({"session", "show", sessions_, name}).out.find("2 links to a useful page"),
            std::string::npos);
  const Ran graph = run_dowser({"session", "graph", sessions_, "--to", dir_ / "graph.svg"});
  ASSERT_EQ(graph.code, 0) << graph.err;
  EXPECT_NE(read_file(dir_ / "graph.svg")->find("light1b"), std::string::npos);
  // It is an archive like others.
  EXPECT_EQ(run_dowser({"inspect", "archive", sessions_}).code, 0);
}

TEST_F(SessionCommand, names_the_first_damaged_places_of_a_file_and_counts_the_rest) {
  ASSERT_EQ(import().code, 0);
  const std::string good = *read_file(sessions_);
  std::string damaged;
  for (int i = 0; i < 15; ++i) damaged += good + "junk";
  ASSERT_TRUE(put_file(dir_ / "damaged.sessions", damaged).ok());
  const Ran ran = run_dowser({"session", "list", dir_ / "damaged.sessions"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 11) << ran.err;
  EXPECT_NE(ran.err.find("damaged.sessions: and 5 more damaged places"), std::string::npos)
      << ran.err;
}

TEST_F(SessionCommand, learns_a_model_that_can_be_looked_at_and_leads_a_crawl) {
  ASSERT_EQ(import().code, 0);
  const Ran learned =
      run_dowser({"learn", "hmm", sessions_, "--to", model_, "--report", dir_ / "report.html"});
  ASSERT_EQ(learned.code, 0) << learned.err;
  const std::string first = *read_file(model_);
  ASSERT_EQ(run_dowser({"learn", "hmm", sessions_, "--to", model_}).code, 0);
  EXPECT_EQ(*read_file(model_), first);  // the same bytes
  EXPECT_NE(read_file(dir_ / "report.html")->find("lighthouse"), std::string::npos);
  const json model = json::parse(run_dowser({"inspect", "model", model_, "--json"}).out);
  EXPECT_EQ(model["kind"], "hmm");
  EXPECT_EQ(model["sessions"], 3);
  EXPECT_EQ(model["transitions"].size(), 4u);
  EXPECT_NE(run_dowser({"inspect", "model", model_}).out.find("T0"), std::string::npos);

  // The third region was never browsed: its lighthouses come before every train.
  const Ran crawled =
      run_dowser({"crawl", "--web", web_, "--seed", address("region3"), "--model", model_,
                  "--strategy", "hmm", "--max-pages", "5", "--out", dir_ / "out"});
  ASSERT_EQ(crawled.code, 0) << crawled.err;
  const std::string pages = run_dowser({"export", dir_ / "out", "--format", "csv"}).out;
  EXPECT_NE(pages.find("light3a"), std::string::npos) << pages;
  EXPECT_NE(pages.find("light3b"), std::string::npos) << pages;
  const Ran why = run_dowser({"explain", dir_ / "out", address("light3a")});
  for (const char* part : {"cluster", "alpha T0", "predicted T0"}) {
    EXPECT_NE(why.out.find(part), std::string::npos) << why.out;
  }
  const json judged = json::parse(
      run_dowser({"judge", dir_ / "site/light3a.html", "--model", model_, "--json"}).out);
  EXPECT_EQ(judged["judge"], "lsi");
  EXPECT_TRUE(judged["pages"][0]["relevant"]);
}

TEST_F(SessionCommand, a_model_that_has_learned_no_way_is_announced) {
  // Somebody looked for a lighthouse and gave up among the trains.
  const std::string lost = fmt::format("u\t1297090899\t60\t{}\t{} {} {}\n", address("light1a"),
                                       address("train1"), address("train2"), address("train3"));
  ASSERT_TRUE(put_file(dir_ / "clicks.tsv", lost).ok());
  ASSERT_EQ(import().code, 0);
  const Ran learned = run_dowser(
      {"learn", "hmm", sessions_, "--to", model_, "--report", dir_ / "report.html", "--json"});
  ASSERT_EQ(learned.code, 0) << learned.err;
  EXPECT_NE(read_file(dir_ / "report.html")->find("knows nothing about the way"),
            std::string::npos);
  EXPECT_NE(learned.err.find("warning: none of the visited pages links to a useful page"),
            std::string::npos)
      << learned.err;
  EXPECT_TRUE(json::parse(learned.out)["knows_no_way"]);
  EXPECT_NE(run_dowser({"inspect", "model", model_}).err.find("warning"), std::string::npos);
  const Ran crawled =
      run_dowser({"crawl", "--web", web_, "--seed", address("region3"), "--model", model_,
                  "--strategy", "hmm", "--max-pages", "2", "--out", dir_ / "empty-model"});
  EXPECT_EQ(crawled.code, 0) << crawled.err;
  EXPECT_NE(crawled.err.find("has learned nothing about the way"), std::string::npos)
      << crawled.err;

  // Where a way is known, nothing is said.
  ASSERT_TRUE(put_file(dir_ / "clicks.tsv", fmt::format("u\t1297090899\t60\t{0}\t{1} {0}\n",
                                                        address("light1a"), address("town1"))));
  ASSERT_EQ(import().code, 0);
  EXPECT_EQ(run_dowser({"learn", "hmm", sessions_, "--to", model_}).err, "");
  EXPECT_EQ(run_dowser({"inspect", "model", model_}).err, "");
}

TEST_F(SessionCommand, the_log_of_a_server_trains_a_model_as_it_is) {
  std::string log;
  for (int r = 1; r <= 2; ++r) {
    const std::string way[] = {"index", fmt::format("region{}", r), fmt::format("town{}", r),
                               fmt::format("light{}a", r)};
    for (int i = 0; i < 4; ++i) {
      log += fmt::format(
          "10.0.0.{} - - [17/May/2015:10:0{}:00 +0000] \"GET /{}.html HTTP/1.1\" 200 100 \"{}\" "
          "\"Firefox\"\n",
          r, i, way[i], i == 0 ? "-" : address(way[i - 1]));
    }
  }
  ASSERT_TRUE(put_file(dir_ / "access.log", log).ok());
  const Ran used =
      run_dowser({"usage", dir_ / "access.log", "--site", "web.test", "--web", web_, "--sessions",
                  sessions_, "--target", "/light*", "--out", dir_ / "usage"});
  ASSERT_EQ(used.code, 0) << used.err;
  const json list = json::parse(run_dowser({"session", "list", sessions_, "--json"}).out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["pages"], 4);
  EXPECT_EQ(list[0]["useful"], 1);
  ASSERT_EQ(run_dowser({"learn", "hmm", sessions_, "--to", model_}).code, 0);
  // Two sessions are too few to learn from them what the words of links say.
  const Ran crawled =
      run_dowser({"crawl", "--web", web_, "--seed", address("region3"), "--model", model_,
                  "--strategy", "hmm(as=printed)", "--max-pages", "5", "--out", dir_ / "out"});
  ASSERT_EQ(crawled.code, 0) << crawled.err;
  const std::string pages = run_dowser({"export", dir_ / "out", "--format", "csv"}).out;
  EXPECT_NE(pages.find("light3a"), std::string::npos) << pages;
}

TEST_F(SessionCommand, pages_that_lead_to_where_people_began_can_be_learned_from_too) {
  ASSERT_TRUE(
      put_file(dir_ / "one.tsv", fmt::format("u\t1297090819\t60\t{}\t{} {}\n", address("light1a"),
                                             address("town1"), address("light1a")))
          .ok());
  ASSERT_EQ(
      run_dowser({"session", "import", dir_ / "one.tsv", "--web", web_, "--to", sessions_}).code,
      0);
  const auto learned_pages = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"learn", "hmm", sessions_, "--to", model_, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_dowser(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out)["pages"].get<int>();
  };
  EXPECT_EQ(learned_pages({}), 2);                      // the town and its lighthouse
  EXPECT_EQ(learned_pages({"--back-links", web_}), 3);  // and the region
  EXPECT_EQ(learned_pages({"--back-links", web_, "--back-layers", "2"}), 4);  // the front page
}

TEST_F(SessionCommand, wrong_usage_and_broken_files_are_told_in_a_sentence) {
  ASSERT_EQ(import().code, 0);
  ASSERT_EQ(run_dowser({"learn", "hmm", sessions_, "--to", model_}).code, 0);
  ASSERT_TRUE(put_file(dir_ / "cut.json", read_file(model_)->substr(0, 2000)).ok());
  const auto model_of = [&](const std::string& name, const std::string& kind, int version) {
    return put_file(
        dir_ / name,
        fmt::format(R"({{"dowser_model": 1, "kind": "{}", "version": {}}})", kind, version));
  };
  ASSERT_TRUE(model_of("foreign.json", "bayes", 1).ok());
  ASSERT_TRUE(model_of("later.json", "hmm", 9).ok());
  const std::string none = dir_ / "visited.sessions";
  ASSERT_TRUE(put_file(dir_ / "one.tsv", fmt::format("u\t1297090819\t60\t{}\t{}\n",
                                                     address("light1a"), address("index")))
                  .ok());
  ASSERT_EQ(run_dowser({"session", "import", dir_ / "one.tsv", "--web", web_, "--goals", "visited",
                        "--to", none})
                .code,
            0);
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string says;
  };
  for (const Case& c : std::vector<Case>{
           {{"session"}, 2, "Usage: dowser session"},
           {{"session", "lits"}, 2, "did you mean 'list'"},
           {{"session", "import", dir_ / "clicks.tsv", "--to", "x"}, 1, "--web FILE"},
           {{"session", "import", dir_ / "clicks.tsv"}, 2, "--to FILE"},
           {{"session", "show", sessions_, "nobody"}, 1, "there is no session called 'nobody'"},
           {{"session", "list", web_}, 1, "contains no browsing session"},
           {{"session", "list", dir_ / "clicks.tsv"}, 1, "clicks.tsv"},
           {{"learn", "hmm", none, "--to", model_ + "2"}, 1, "no page is marked as useful"},
           {{"learn", "hmm", sessions_, "--back-links", dir_ / "nowhere", "--to", model_ + "2"},
            1,
            "nowhere"},
           {{"crawl", "--web", web_, "--seed", address("index"), "--strategy", "hmm", "--model",
             dir_ / "foreign.json", "--out", dir_ / "o1"},
            2,
            "dowser learn hmm"},
           {{"crawl", "--web", web_, "--seed", address("index"), "--strategy", "hmm", "--model",
             dir_ / "later.json", "--out", dir_ / "o1"},
            2,
            "version 9"},
           {{"learn", "hmm", sessions_, "--states", "99", "--to", model_ + "2"}, 1, "2 to 20"},
           {{"inspect", "model", dir_ / "cut.json"}, 1, "not a model file"},
           {{"crawl", "--web", web_, "--seed", address("index"), "--strategy", "hmm", "--topic",
             "x", "--out", dir_ / "o2"},
            2,
            "--model"},
           {{"compare", "--web", web_, "--example", address("light1a"), "--strategies", "hmm",
             "--out", dir_ / "o3"},
            1,
            "--sessions FILE"}}) {
    const Ran ran = run_dowser(c.words);
    EXPECT_EQ(ran.code, c.code) << ran.err;
    EXPECT_NE(ran.err.find(c.says), std::string::npos) << c.says << ": " << ran.err;
    EXPECT_FALSE(std::filesystem::exists(model_ + "2"));
  }
}

}  // namespace
}  // namespace dowser
