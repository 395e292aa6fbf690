#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

// A web of a few pages, packed.
class TopicsCommand : public testing::Test {
 protected:
  void add_page(const std::string& name, const std::string& html) {
    fs::create_directories(fs::path(folder_ / "site/a.example"));
    ASSERT_TRUE(put_file(folder_ / ("site/a.example/" + name), html).ok());
  }
  std::string pack() {
    const std::string archive = folder_ / "web.warc.gz";
    const Ran ran =
        run_dowser({"pack", folder_ / "site/a.example", "--host", "a.example", "--to", archive});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return archive;
  }
  void add_birds() {
    for (int i = 0; i < 6; ++i) {
      std::string own;
      for (int n = 0; n < 50; ++n) own += "w" + std::to_string(i) + "x" + std::to_string(n) + " ";
      add_page("bird" + std::to_string(i) + ".html", "<title>Page</title><h1>Birds</h1><p>birds " +
                                                         own +
                                                         "</p><ul><li>Swans<li>Black "
                                                         "swans<li>Number " +
                                                         std::to_string(i) + "</ul>");
    }
    for (int i = 0; i < 30; ++i) {
      add_page("other" + std::to_string(i) + ".html",
               "<h1>Fish</h1><p>nothing but trout, page " + std::to_string(i) + "</p>");
    }
  }
  static std::string one_sentence(const Ran& ran) {
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    return ran.err;
  }

  TempDir folder_;
};

TEST_F(TopicsCommand, finds_topics_in_an_archive_and_writes_every_form) {
  add_birds();
  const std::string html = folder_ / "topics.html", csv = folder_ / "topics.csv";
  const Ran ran = run_dowser({"topics", "birds", "--from", pack(), "--html", html, "--csv", csv});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("birds: 6 pages"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("6 of 36 pages contain the keyword"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("* Swans"), std::string::npos) << ran.out;
  for (size_t begin = 0; begin < ran.out.size();) {  // fits a terminal
    const size_t end = ran.out.find('\n', begin);
    EXPECT_LE(end - begin, 80u) << ran.out.substr(begin, end - begin);
    begin = end + 1;
  }
  const auto page = read_file(html);
  ASSERT_TRUE(page.ok());
  EXPECT_NE(page->find("http://a.example/bird0.html"), std::string::npos);
  const auto table = read_file(csv);
  ASSERT_TRUE(table.ok());
  EXPECT_NE(table->find("birds,Swans,"), std::string::npos) << *table;
}

TEST_F(TopicsCommand, prints_json_with_the_evidence) {
  add_birds();
  const Ran ran = run_dowser({"topics", "birds", "--from", pack(), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  const auto& found = json.at("keywords").at(0);
  EXPECT_EQ(found.at("n_keyword"), 6);
  EXPECT_EQ(found.at("collection"), 36);
  ASSERT_FALSE(found.at("topics").empty());
  EXPECT_EQ(found.at("topics").at(0).at("evidence").at(0).at("heading"), "Birds");
  EXPECT_EQ(found.at("items_left_out").at("digits"), 6);
}

TEST_F(TopicsCommand, keeps_the_index_and_makes_it_anew_when_the_archive_has_changed) {
  add_birds();
  const std::string archive = pack(), index = folder_ / "index.sqlite";
  ASSERT_EQ(run_dowser({"topics", "birds", "--from", archive, "--index", index}).code, 0);
  const auto first = fs::last_write_time(index);
  ASSERT_EQ(run_dowser({"topics", "birds", "--from", archive, "--index", index}).code, 0);
  EXPECT_EQ(fs::last_write_time(index), first);
  add_page("more.html", "<p>birds and more birds</p>");
  fs::remove(archive);
  pack();
  const Ran ran = run_dowser({"topics", "birds", "--from", archive, "--index", index});
  EXPECT_NE(ran.out.find("7 of 37 pages"), std::string::npos) << ran.out;
}

TEST_F(TopicsCommand, an_index_that_is_not_kept_leaves_no_file_behind) {
  add_birds();
  const std::string archive = pack(), temporary = folder_ / "temporary";
  fs::create_directory(temporary);
  ASSERT_EQ(setenv("TMPDIR", temporary.c_str(), 1), 0);
  const Ran ran = run_dowser({"topics", "birds", "--from", archive});
  unsetenv("TMPDIR");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(TopicsCommand, scores_given_counts) {
  ASSERT_TRUE(put_file(folder_ / "counts.tsv",
                         "artificial intelligence\t76,700,000\n"
                         "machine learning *\t16,300,000\t6,670,000\nhome\t\t\n")
                  .ok());
  const Ran ran = run_dowser({"topics", "--counts", folder_ / "counts.tsv"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("* machine learning"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("0.1886"), std::string::npos);
  EXPECT_NE(ran.out.find("Type III"), std::string::npos);
}

TEST_F(TopicsCommand, says_in_one_sentence_why_it_found_nothing) {
  add_page("one.html", "<p>birds alone</p>");
  const std::string archive = pack();
  const Ran no_lists = run_dowser({"topics", "birds", "--from", archive});
  EXPECT_EQ(no_lists.code, 0);
  EXPECT_NE(one_sentence(no_lists).find("no list items"), std::string::npos) << no_lists.err;
  const Ran no_page = run_dowser({"topics", "elephants", "--from", archive});
  EXPECT_EQ(no_page.code, 0);
  EXPECT_NE(one_sentence(no_page).find("no page contains \"elephants\""), std::string::npos);
  const Ran no_words = run_dowser({"topics", "...", "--from", archive});
  EXPECT_NE(one_sentence(no_words).find("no page contains"), std::string::npos);
}

TEST_F(TopicsCommand, usual_mistakes_get_one_sentence_and_the_right_code) {
  add_page("one.html", "<p>birds</p>");
  const std::string archive = pack();
  const auto message = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), "topics");
    const Ran ran = run_dowser(words);
    EXPECT_EQ(ran.code, code) << ran.err;
    return one_sentence(ran);
  };
  EXPECT_NE(message({}, 2).find("name the topic"), std::string::npos);
  EXPECT_NE(message({"birds"}, 2).find("--from"), std::string::npos);
  EXPECT_NE(message({"birds", "--from", "missing.warc.gz"}, 2).find("there is no file"),
            std::string::npos);
  EXPECT_NE(message({"birds", "--from", "google(url=x)"}, 1).find("there is no provider 'google'"),
            std::string::npos);
  EXPECT_NE(message({"birds", "--from", "searx(adress=x)"}, 1).find("it takes url"),
            std::string::npos);
  EXPECT_NE(message({"birds", "--from", archive, "--support", "0"}, 2).find("--support"),
            std::string::npos);
  EXPECT_NE(message({"birds", "--from", archive, "--by", "words"}, 2).find("pages, items or hosts"),
            std::string::npos);
  EXPECT_NE(message({"birds", "--form", archive}, 2).find("--from"), std::string::npos);
  EXPECT_NE(message({"birds", "--from", archive, "--html", "/no/such/folder/x.html"}, 1)
                .find("/no/such/folder"),
            std::string::npos);
  EXPECT_NE(message({"birds", "--from", archive, "--index", "/no/such/folder/i.sqlite"}, 1)
                .find("/no/such/folder"),
            std::string::npos);
  ASSERT_TRUE(put_file(folder_ / "empty.txt", "# nothing\n").ok());
  EXPECT_NE(message({"birds", "--from", folder_ / "empty.txt"}, 1).find("contains no addresses"),
            std::string::npos);
  ASSERT_TRUE(put_file(folder_ / "list.txt", "http://a.example/one.html\nnot one\n").ok());
  EXPECT_NE(message({"birds", "--from", folder_ / "list.txt"}, 1).find("line 2"),
            std::string::npos);
  ASSERT_TRUE(put_file(folder_ / "counts.tsv", std::string("k\t\0\n", 4)).ok());
  EXPECT_NE(message({"--counts", folder_ / "counts.tsv"}, 1).find("line 1"), std::string::npos);
}

TEST_F(TopicsCommand, a_full_disk_is_said_and_leaves_nothing_half) {
  add_birds();
  // Long enough that the index does not fit.
  for (int i = 0; i < 60; ++i) {
    std::string text = "<p>birds ";
    for (int word = 0; word < 400; ++word) text += fmt::format("w{}x{} ", i, word);
    add_page(fmt::format("long{}.html", i), text + "</p>");
  }
  const std::string archive = pack();
  // A file system of its own would need rights; a limit on the size of files fails the same way.
  const std::string index = folder_ / "index.sqlite";
  const std::string command =
      fmt::format("ulimit -f 200; trap '' XFSZ; {} topics birds --from {} --index {} > {} 2> {}",
                  dowser_program().string(), archive, index, folder_ / "o", folder_ / "e");
  const int code = std::system(("bash -c \"" + command + "\"").c_str());
  EXPECT_EQ(WEXITSTATUS(code), 1);
  const std::string said = *read_file(folder_ / "e");
  EXPECT_NE(said.find("index.sqlite"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename().string().find("index.sqlite"), std::string::npos);
  }
  for (const char* output : {"--html", "--csv"}) {
    std::filesystem::remove(folder_ / "full");
    std::filesystem::create_symlink("/dev/full", folder_ / "full");
    const Ran ran = run_dowser({"topics", "birds", "--from", archive, output, folder_ / "full"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(one_sentence(ran).find("No space left on device"), std::string::npos) << ran.err;
  }
}

TEST_F(TopicsCommand, a_file_of_addresses_is_read_from_a_web_and_counted_by_an_index) {
  add_birds();
  const std::string archive = pack();
  std::string list;
  for (int i = 0; i < 6; ++i) list += "http://a.example/bird" + std::to_string(i) + ".html\n";
  list += "http://a.example/missing.html\n";
  ASSERT_TRUE(put_file(folder_ / "list.txt", list).ok());
  const Ran none =
      run_dowser({"topics", "birds", "--from", folder_ / "list.txt", "--web", archive});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("--provider"), std::string::npos) << none.err;
  const Ran ran = run_dowser(
      {"topics", "birds", "--from", folder_ / "list.txt", "--web", archive, "--provider", "index"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("birds: 6 pages"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("6 of 36 pages contain the keyword"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace dowser
