#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// `dowser search`, `annotate` and `library` through the real program, on a crawl of a small web.
class SearchCommand : public testing::Test {
 protected:
  void SetUp() override {
    page("0.html", "Birds", "All birds of the lake: swans, ducks and penguins.",
         {"1.html", "2.html", "3.html"});
    page("1.html", "Swan", "The swan is a large bird of the lake.", {"0.html"});
    page("2.html", "Penguin <b>", "A flightless bird on the ice, no lake needed.", {"0.html"});
    page("3.html", "図書館", "国立国会図書館は鳥の本がある。", {"0.html"});
    crawl();
  }
  void page(const std::string& name, const std::string& title, const std::string& words,
            const std::vector<std::string>& links) {
    std::string html = "<meta charset=utf-8><title>" + title + "</title><p>" + words + "</p>";
    for (const std::string& link : links) html += "<p><a href=\"" + link + "\">go</a></p>";
    fs::create_directories(dir_.path() / "web");
    ASSERT_TRUE(put_file(dir_.path() / "web" / name, html).ok());
  }
  void crawl() {
    const Ran packed =
        run_dowser({"pack", dir_ / "web", "--host", "web.test", "--to", dir_ / "web.warc.gz"});
    ASSERT_EQ(packed.code, 0) << packed.err;
    const Ran ran =
        run_dowser({"crawl", "--web", dir_ / "web.warc.gz", "--seed", "http://web.test/0.html",
                    "--topic", "bird swan lake", "--out", folder()});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  std::string folder() const { return dir_ / "crawl"; }
  Ran search(std::vector<std::string> more) {
    std::vector<std::string> all = {"search", folder()};
    all.insert(all.end(), more.begin(), more.end());
    return run_dowser(all);
  }
  std::vector<std::string> found(std::vector<std::string> more) {
    more.push_back("--json");
    const Ran ran = search(more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const json page = json::parse(ran.out);
    std::vector<std::string> names;
    for (const json& hit : page["hits"]) {
      const std::string url = hit["url"];
      names.push_back(url.substr(url.rfind('/') + 1));
    }
    return names;
  }
  using Names = std::vector<std::string>;

  TempDir dir_;
};

TEST_F(SearchCommand, the_first_search_builds_the_library_and_prints_results) {
  const Ran ran = search({"swan lake"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.find("3 of 4 items match, 2 with all words"), 0u) << ran.out;
  EXPECT_NE(ran.out.find("  1 Swan\n    http://web.test/1.html\n    The swan is a large bird"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.out.find('\033'), std::string::npos);  // no terminal, no marks
  EXPECT_TRUE(fs::exists(fs::path(folder()) / "library.sqlite"));
}

TEST_F(SearchCommand, boolean_queries_fields_and_languages) {
  EXPECT_EQ(found({"title:swan OR title:penguin"}).size(), 2u);
  EXPECT_EQ(found({"\"bird\" AND lake NOT ice"}), Names{"1.html"});
  EXPECT_EQ(found({"bird AND lake NOT ice"}).size(), 2u);  // one page has birds
  EXPECT_EQ(found({"国会図書館"}), Names{"3.html"});
  EXPECT_EQ(found({"--limit", "1", "--offset", "1", "lake"}).size(), 1u);
  EXPECT_EQ(found({"--by", "references", "birds OR bird"})[0], "0.html");
  EXPECT_EQ(found({"--host", "other.test", "bird"}).size(), 0u);
}

TEST_F(SearchCommand, nonsense_has_a_sentence_and_a_caret) {
  const Ran ran = search({"swan AND (lake"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "dowser search: this '(' is never closed\n"
            "  swan AND (lake\n"
            "           ^\n");
  EXPECT_EQ(search({}).code, 2);
  EXPECT_EQ(search({"swan", "--like", "1.html"}).code, 2);
  EXPECT_EQ(search({"swan", "--by", "colour"}).code, 2);
  EXPECT_EQ(search({"swan", "--year", "19x"}).code, 2);
  EXPECT_EQ(search({"swan", "--limit", "0"}).code, 2);
}

TEST_F(SearchCommand, no_hits_is_a_sentence_with_a_hint_and_no_failure) {
  const Ran ran = search({"pengiun"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "Nothing in " + folder() +
                " matches.\nNo page has the word \"pengiun\"; did you mean \"penguin\"?\n");
  const Ran filtered = search({"penguin", "--kind", "thesis"});
  EXPECT_EQ(filtered.code, 0);
  EXPECT_NE(filtered.out.find("2 would match without these conditions"), std::string::npos)
      << filtered.out;
}

TEST_F(SearchCommand, a_folder_without_a_crawl_is_refused) {
  const Ran ran = run_dowser({"search", dir_ / "web", "swan"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("is not the folder of a crawl"), std::string::npos) << ran.err;
}

TEST_F(SearchCommand, json_holds_everything_a_program_needs) {
  const Ran ran = search({"swan lake", "--json"});
  const json page = json::parse(ran.out);
  EXPECT_EQ(page["total"], 3);
  EXPECT_EQ(page["with_all_words"], 2);
  const json& hit = page["hits"][0];
  EXPECT_EQ(hit["kind"], "page");
  EXPECT_EQ(hit["format"], "html");
  EXPECT_EQ(hit["references"], 1);
  const std::string text = hit["snippet"]["text"];
  const json& mark = hit["snippet"]["marks"][0];
  EXPECT_EQ(text.substr(mark[0], static_cast<size_t>(mark[1]) - static_cast<size_t>(mark[0])),
            "swan");
}

TEST_F(SearchCommand, the_html_page_is_whole_and_obeys_no_page) {
  const std::string file = dir_ / "found.html";
  const Ran ran = search({"flightless", "--html", file});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string html = *read_file(file);
  EXPECT_NE(html.find("<mark>flightless</mark>"), std::string::npos);
  EXPECT_EQ(html.find("Penguin <b>"), std::string::npos);
  EXPECT_NE(html.find("Penguin &lt;b&gt;"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
}

TEST_F(SearchCommand, similar_pages_are_named_by_an_end_of_their_address) {
  const Ran ran = search({"--like", "1.html"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("http://web.test/0.html"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("http://web.test/1.html"), std::string::npos) << ran.out;
  const Ran unknown = search({"--like", "nothing"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("the library has no 'nothing'"), std::string::npos);
  const Ran several = search({"--like", ".html"});
  EXPECT_EQ(several.code, 1);
  EXPECT_NE(several.err.find("give more of the address"), std::string::npos) << several.err;
}

TEST_F(SearchCommand, notes_are_found_and_survive_whatever_happens_to_the_library) {
  const auto annotate = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"annotate", folder()};
    all.insert(all.end(), more.begin(), more.end());
    return run_dowser(all);
  };
  EXPECT_EQ(annotate({"1.html", "Read this again, it is superb", "--author", "Ada"}).out,
            "note 1 on http://web.test/1.html\n");
  EXPECT_EQ(annotate({"http://web.test/2.html", "dull"}).code, 0);
  EXPECT_EQ(found({"note:superb"}), Names{"1.html"});
  fs::remove(fs::path(folder()) / "library.sqlite");
  EXPECT_EQ(found({"note:superb"}), Names{"1.html"});
  ASSERT_EQ(run_dowser({"library", "build", folder()}).code, 0);
  ASSERT_EQ(run_dowser({"resume", folder()}).code, 0);
  EXPECT_EQ(found({"note:superb AND bird"}), Names{"1.html"});
  EXPECT_NE(search({"swan"}).out.find("note 1 by Ada: Read this again"), std::string::npos);
  EXPECT_EQ(json::parse(annotate({"--list", "--json"}).out).size(), 2u);
  EXPECT_NE(annotate({"2.html", "--list"}).out.find("dull"), std::string::npos);
  EXPECT_EQ(annotate({"--remove", "1"}).code, 0);
  EXPECT_EQ(annotate({"--remove", "1"}).code, 1);
  EXPECT_EQ(annotate({"--remove", "x"}).code, 2);
  EXPECT_TRUE(found({"note:superb"}).empty());
  EXPECT_EQ(annotate({"nothing.html", "text"}).code, 1);
  EXPECT_EQ(annotate({"1.html"}).code, 2);
  EXPECT_EQ(annotate({"1.html", "  "}).code, 2);
  EXPECT_EQ(annotate({"1.html", "too", "many"}).code, 2);
}

TEST_F(SearchCommand, own_files_are_added_listed_and_removed) {
  const std::string paper = dir_ / "paper.txt";
  ASSERT_TRUE(put_file(paper, "A quagmire of swans\n\nText about a quagmire.\n").ok());
  const Ran added = run_dowser({"library", "add", folder(), paper, dir_ / "missing.pdf"});
  EXPECT_EQ(added.code, 1);  // of the missing one
  EXPECT_NE(added.out.find("paper.txt: "), std::string::npos) << added.out;
  EXPECT_NE(added.err.find("missing.pdf"), std::string::npos);
  const Ran hit = search({"quagmire"});
  EXPECT_NE(hit.out.find("added:paper.txt"), std::string::npos) << hit.out;
  EXPECT_NE(run_dowser({"library", "list", folder()}).out.find("paper.txt"), std::string::npos);
  EXPECT_EQ(run_dowser({"annotate", folder(), "paper.txt", "mine"}).code, 0);
  EXPECT_EQ(found({"note:mine"}), Names{"added:paper.txt"});
  EXPECT_EQ(run_dowser({"library", "remove", folder(), "paper.txt"}).code, 0);
  EXPECT_EQ(run_dowser({"library", "remove", folder(), "paper.txt"}).code, 1);
  EXPECT_TRUE(found({"quagmire"}).empty());
}

TEST_F(SearchCommand, two_searches_at_once_build_one_library) {
  DowserProcess one({"search", folder(), "swan"}), two({"search", folder(), "swan"});
  const Ran first = one.wait(), second = two.wait();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(first.out, second.out);
}

TEST_F(SearchCommand, a_damaged_library_is_built_again_with_a_sentence) {
  ASSERT_EQ(search({"swan"}).code, 0);
  const fs::path file = fs::path(folder()) / "library.sqlite";
  std::string bytes = *read_file(file);
  for (size_t i = 100; i < bytes.size(); i += 50) bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
  ASSERT_TRUE(put_file(file, bytes).ok());
  const Ran ran = search({"swan"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("is being rebuilt"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("http://web.test/1.html"), std::string::npos) << ran.out;
  EXPECT_EQ(search({"swan"}).err, "");
}

}  // namespace
}  // namespace dowser
