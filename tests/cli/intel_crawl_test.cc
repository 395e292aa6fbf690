#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

// Crawls with semantic signatures, and what changed between two of them, through the real program.

namespace dowser {
namespace {

namespace fs = std::filesystem;

const char* const kTrees[] = {"alder", "birch",  "cedar", "hazel",
                              "maple", "willow", "aspen", "elm"};

std::string owls(int i) {
  return std::string("<p>The owl nest held several eggs near the ") + kTrees[i % 8] +
         ". Every owl nest has eggs, and the owl guards the nest with her eggs at night.</p>";
}
std::string stones(int i) {
  return std::string("<p>Granite comes from the quarry near the ") + kTrees[i % 8] +
         " where workers cut stone.</p>";
}
std::string link(const std::string& to) { return "<p><a href=\"" + to + "\">" + to + "</a></p>"; }

// A web of eight pages on owls that link to each other in a row, each also to a page on stones; a
// library learned from six texts.
struct OwlWeb {
  TempDir folder;
  std::string web = folder / "web.warc.gz", library = folder / "library";

  OwlWeb() {
    const std::string site = folder / "site/owls.test";
    fs::create_directories(site);
    for (int i = 0; i < 8; ++i) {
      const std::string n = std::to_string(i);
      write(site + "/owl" + n + ".html", "Owl " + n,
            owls(i) + link("stone" + n + ".html") + link("owl" + std::to_string(i + 1) + ".html"));
      write(site + "/stone" + n + ".html", "Stone " + n, stones(i) + link("hidden" + n + ".html"));
      write(site + "/hidden" + n + ".html", "Hidden", owls(i + 3));
      write(folder / ("training/" + n + ".html"), "Owl", owls(i));
      write(folder / ("background/" + n + ".html"), "Stone", stones(i));
    }
    Ran ran = run_dowser({"pack", folder / "site/owls.test", "--host", "owls.test", "--to", web});
    EXPECT_EQ(ran.code, 0) << ran.err;
    ran = run_dowser({"learn", "signatures", "--training", folder / "training", "--background",
                      folder / "background", "--to", library});
    EXPECT_EQ(ran.code, 0) << ran.err;
  }

  static void write(const std::string& file, const std::string& title, const std::string& body) {
    fs::create_directories(fs::path(file).parent_path());
    EXPECT_TRUE(put_file(
        file, "<html><head><title>" + title + "</title></head><body>" + body + "</body></html>"));
  }

  Ran crawl(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> line = {"crawl",
                                     "--web",
                                     web,
                                     "--seed",
                                     "http://owls.test/owl0.html",
                                     "--strategy",
                                     "intel-crawl",
                                     "--near-duplicates",
                                     "no",
                                     "--out",
                                     folder / out,
                                     "--json"};
    if (std::find(more.begin(), more.end(), "--example") == more.end()) {
      line.insert(line.end(), {"--model", library});
    }
    line.insert(line.end(), more.begin(), more.end());
    return run_dowser(line);
  }
  std::string hits(const std::string& out) const {
    const Ran ran = run_dowser({"export", folder / out, "--format", "hadf"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  }
};

TEST(IntelCrawl, expands_pages_with_a_hit_alone_and_keeps_their_hits) {
  const OwlWeb t;
  const Ran ran = t.crawl("out");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["relevant"], 8);
  EXPECT_EQ(json["fetched"], 16);  // owls and stones; what stones link to is never seen
  const std::string hits = t.hits("out");
  EXPECT_NE(hits.find("document=\"http://owls.test/owl7.html\""), std::string::npos) << hits;
  EXPECT_EQ(hits.find("stone"), std::string::npos);

  const Ran explained = run_dowser({"explain", t.folder / "out", "http://owls.test/owl3.html"});
  ASSERT_EQ(explained.code, 0) << explained.err;
  EXPECT_NE(explained.out.find("  hit         tr_"), std::string::npos) << explained.out;
  EXPECT_NE(explained.out.find("owl nest"), std::string::npos) << explained.out;
  const auto report = read_file(t.folder / "out/report.html");
  ASSERT_TRUE(report);
  EXPECT_NE(report->find("<h2>Clusters</h2>"), std::string::npos);
  EXPECT_EQ(run_dowser({"check", t.folder / "out"}).code, 0);
}

TEST(IntelCrawl, max_relevant_ends_any_strategy) {
  const OwlWeb t;
  for (const std::string strategy : {"intel-crawl", "breadth-first"}) {
    const Ran ran = t.crawl(strategy, {"--strategy", strategy, "--max-relevant", "3"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(nlohmann::json::parse(ran.out)["relevant"], 3) << strategy;
  }
}

TEST(IntelCrawl, max_relevant_is_stored_and_holds_when_the_crawl_is_resumed_or_repeated) {
  const OwlWeb t;
  ASSERT_EQ(t.crawl("part", {"--max-relevant", "3"}).code, 0);
  const Ran resumed = run_dowser({"resume", t.folder / "part", "--json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(nlohmann::json::parse(resumed.out)["relevant"], 3);
  const Ran again =
      run_dowser({"crawl", "--again", t.folder / "part", "--out", t.folder / "again", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["relevant"], 3);
  const Ran further = run_dowser({"resume", t.folder / "part", "--max-relevant", "5", "--json"});
  EXPECT_EQ(nlohmann::json::parse(further.out)["relevant"], 5);
}

TEST(IntelCrawl, a_crawl_that_was_stopped_and_lost_its_library_has_the_same_hits) {
  const OwlWeb t;
  ASSERT_EQ(t.crawl("whole").code, 0);
  ASSERT_EQ(t.crawl("part", {"--max-pages", "5"}).code, 0);
  fs::remove_all(t.library);
  const Ran resumed = run_dowser({"resume", t.folder / "part", "--max-pages", "1000"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(t.hits("part"), t.hits("whole"));
}

TEST(IntelCrawl, signatures_are_learned_from_examples_where_there_is_no_library) {
  const OwlWeb t;
  std::vector<std::string> more = {"--judge", "signatures"};
  for (int i = 0; i < 4; ++i) {
    more.insert(more.end(), {"--example", "http://owls.test/owl" + std::to_string(i) + ".html"});
  }
  const Ran ran = t.crawl("out", more);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["relevant"], 8);
}

TEST(IntelCrawl, what_cannot_work_is_said) {
  const OwlWeb t;
  const Ran words =
      run_dowser({"crawl", "--web", t.web, "--seed", "http://owls.test/owl0.html", "--topic", "owl",
                  "--strategy", "intel-crawl", "--judge", "signatures", "--out", t.folder / "a"});
  EXPECT_EQ(words.code, 2);
  EXPECT_NE(words.err.find("needs a library or example pages"), std::string::npos) << words.err;
  fs::create_directories(t.folder / "empty");
  const Ran empty = run_dowser({"crawl", "--web", t.web, "--seed", "http://owls.test/owl0.html",
                                "--model", t.folder / "empty", "--out", t.folder / "a"});
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("contains no .ssd file"), std::string::npos) << empty.err;
  ASSERT_TRUE(put_file(t.folder / "empty/a.ssd", "<html><body>not a library</body></html>"));
  const Ran foreign = run_dowser({"crawl", "--web", t.web, "--seed", "http://owls.test/owl0.html",
                                  "--model", t.folder / "empty", "--out", t.folder / "a"});
  EXPECT_EQ(foreign.code, 2);
  EXPECT_NE(foreign.err.find("is it the right kind of file?"), std::string::npos) << foreign.err;
  EXPECT_FALSE(fs::exists(t.folder / "a")) << "nothing is begun with a library that cannot be read";
  const Ran off =
      run_dowser({"crawl", "--web", t.web, "--seed", "http://owls.test/stone0.html", "--strategy",
                  "intel-crawl", "--model", t.library, "--out", t.folder / "b"});
  EXPECT_EQ(off.code, 0);
  EXPECT_NE(off.out.find("no page is relevant, so no link was followed"), std::string::npos)
      << off.out;
}

TEST(CrawlAgain, diff_tells_what_changed_between_two_crawls) {
  const OwlWeb t;
  ASSERT_EQ(t.crawl("old").code, 0);
  // The same site as it is later: one page changed, one in its markup only, one gone, one new.
  const std::string site = t.folder / "site/owls.test";
  OwlWeb::write(site + "/owl2.html", "Owl 2",
                owls(5) + "<p>A new sentence.</p>" + link("stone2.html") + link("owl3.html"));
  OwlWeb::write(site + "/owl3.html", "Owl 3",
                "<!-- altered -->" + owls(3) + link("stone3.html") + link("owl4.html"));
  fs::remove(site + "/owl6.html");
  OwlWeb::write(site + "/owl5.html", "Owl 5", owls(5) + link("stone5.html") + link("owl9.html"));
  OwlWeb::write(site + "/owl9.html", "Owl 9", owls(1) + "<p>More of it.</p>");
  ASSERT_EQ(
      run_dowser({"pack", site, "--host", "owls.test", "--to", t.folder / "later.warc.gz"}).code,
      0);
  const Ran again = run_dowser({"crawl", "--again", t.folder / "old", "--web",
                                t.folder / "later.warc.gz", "--out", t.folder / "new"});
  ASSERT_EQ(again.code, 0) << again.err;
  const Ran diff = run_dowser(
      {"diff", t.folder / "old", t.folder / "new", "--json", "--to", t.folder / "diff.html"});
  ASSERT_EQ(diff.code, 0) << diff.err;
  const auto step = nlohmann::json::parse(diff.out)["steps"][0];
  const auto urls = [&](const char* kind) {
    std::vector<std::string> all;
    for (const auto& page : step[kind]) all.push_back(page["url"]);
    return all;
  };
  using Urls = std::vector<std::string>;
  EXPECT_EQ(urls("text_changed"),
            (Urls{"http://owls.test/owl2.html", "http://owls.test/owl5.html"}));
  EXPECT_EQ(urls("markup_changed"), Urls{"http://owls.test/owl3.html"});
  EXPECT_EQ(urls("appeared"), Urls{"http://owls.test/owl9.html"});
  EXPECT_EQ(step["unchanged"], 4);
  EXPECT_EQ(step["links_came"].size(), 1u);
  EXPECT_EQ(step["links_went"].size(), 1u);
  EXPECT_FALSE(nlohmann::json::parse(diff.out)["hosts"].empty());
  EXPECT_TRUE(fs::exists(t.folder / "diff.html"));

  // A page that cannot be read has not "changed".
  fs::rename(t.folder / "old/archive", t.folder / "old/elsewhere");
  const Ran unreadable = run_dowser({"diff", t.folder / "old", t.folder / "new"});
  EXPECT_EQ(unreadable.code, 1) << unreadable.out;
  EXPECT_NE(unreadable.err.find("cannot be read from the archive of"), std::string::npos)
      << unreadable.err;
}

// Eight owls in a row: seven links between relevant pages, each also linking to a stone.
TEST(LinkNetwork, networkx_loads_graphml_and_gexf_with_the_counts_of_the_web) {
  if (std::system("python3 -c 'import networkx' 2> /dev/null") != 0) GTEST_SKIP() << "no networkx";
  const OwlWeb t;
  ASSERT_EQ(t.crawl("a").code, 0);
  ASSERT_EQ(t.crawl("b").code, 0);
  const auto counts = [&](const std::string& format, std::vector<std::string> more) {
    std::vector<std::string> line = {"export", t.folder / "a"};
    line.insert(line.end(), more.begin(), more.end());
    const std::string file = t.folder / ("n." + format), out = t.folder / "counts.txt";
    line.insert(line.end(), {"--format", format, "--to", file});
    const Ran ran = run_dowser(line);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string command = "python3 -c 'import networkx as n; g = n.read_" + format + "(\"" +
                                file +
                                "\"); print(len(g), g.number_of_edges(), "
                                "min(d[\"weight\"] for a, b, d in g.edges(data=True)) > 0)' > " +
                                out;
    EXPECT_EQ(std::system(command.c_str()), 0) << format;
    return *read_file(out);
  };
  EXPECT_EQ(counts("graphml", {}), "8 7 True\n");
  EXPECT_EQ(counts("gexf", {}), "8 7 True\n");
  EXPECT_EQ(counts("gexf", {t.folder / "b"}), "8 7 True\n");
  EXPECT_EQ(counts("graphml", {"--all"}), "16 15 False\n");
}

TEST(CrawlAgain, diff_works_without_signatures_and_names_what_is_no_crawl) {
  const OwlWeb t;
  for (const char* out : {"a", "b"}) {
    ASSERT_EQ(
        run_dowser({"crawl", "--web", t.web, "--seed", "http://owls.test/owl0.html", "--topic",
                    "owl nest eggs", "--judge", "keyword", "--out", t.folder / out})
            .code,
        0);
  }
  const Ran diff = run_dowser({"diff", t.folder / "a", t.folder / "b"});
  EXPECT_EQ(diff.code, 0) << diff.err;
  EXPECT_NE(diff.out.find("unchanged"), std::string::npos);
  const Ran none = run_dowser({"diff", t.folder / "a", t.folder / "none"});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("is not the folder of a crawl"), std::string::npos);
  EXPECT_EQ(run_dowser({"crawl", "--again", t.folder / "none", "--out", t.folder / "c"}).code, 1);
}

}  // namespace
}  // namespace dowser
