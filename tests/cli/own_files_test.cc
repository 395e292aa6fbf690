#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/file.h"
#include "tests/support.h"

// A file of the user's, a database of another program and a symbolic link in every place that a
// command writes to: all of them are left as they are, and each refusal says what to do.

namespace dowser {
namespace {

namespace fs = std::filesystem;

class OwnFiles : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 6; ++i) {
      const std::string next = std::to_string((i + 1) % 6) + ".html";
      page(std::to_string(i) + ".html",
           "a bird number" + std::to_string(i) + " of the lake <a href='" + next + "'>next</a>");
    }
    ASSERT_EQ(run_dowser({"pack", dir_ / "web", "--host", "web.test", "--to", web()}).code, 0);
    const Ran ran = run_dowser({"crawl", "--web", web(), "--seed", "http://web.test/0.html",
                                "--topic", "bird lake", "--max-pages", "4", "--out", crawl()});
    ASSERT_EQ(ran.code, 0) << ran.err;
    fs::copy(crawl(), dir_ / "as it was", fs::copy_options::recursive);
  }
  void page(const std::string& name, const std::string& text) {
    fs::create_directories(dir_.path() / "web");
    ASSERT_TRUE(put_file(dir_.path() / "web" / name, "<p>" + text).ok());
  }
  void renew_crawl() {
    fs::remove_all(crawl());
    fs::copy(dir_ / "as it was", crawl(), fs::copy_options::recursive);
  }

  void make_database(const std::string& path) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)", nullptr,
                           nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(db);
  }

  std::string crawl() const { return dir_ / "crawl"; }
  std::string web() const { return dir_ / "web.warc.gz"; }

  // Command lines that write to the file.
  std::map<std::string, std::vector<std::string>> writers(const std::string& file) const {
    return {
        {"export", {"export", crawl(), "--to", file}},
        {"export csv", {"export", crawl(), "--format", "csv", "--to", file}},
        {"export graphml", {"export", crawl(), "--format", "graphml", "--to", file}},
        {"export hadf", {"export", crawl(), "--format", "hadf", "--to", file}},
        {"stats", {"stats", crawl(), "--html", file}},
        {"diff", {"diff", crawl(), dir_ / "as it was", "--to", file}},
        {"search html", {"search", crawl(), "bird", "--html", file}},
        {"search library", {"search", crawl(), "bird", "--library", file}},
        {"library build", {"library", "build", crawl(), "--library", file}},
        {"annotate", {"annotate", crawl(), "1.html", "a note", "--library", file}},
        {"rank csv", {"rank", web(), "--csv", file}},
        {"rank graphml", {"rank", web(), "--graphml", file}},
        {"pack", {"pack", dir_ / "web", "--host", "web.test", "--to", file}},
        {"topics csv", {"topics", "bird", "--from", web(), "--csv", file}},
        {"topics html", {"topics", "bird", "--from", web(), "--html", file}},
        {"topics index", {"topics", "bird", "--from", web(), "--index", file}},
        {"seeds", {"seeds", "--sitemap", dir_ / "sitemap.xml", "--to", file}},
        {"usage", {"usage", dir_ / "log", "--sessions", file}},
        {"learn bayes", {"learn", "bayes", "--web", web(), "--to", file}},
        {"learn hmm", {"learn", "hmm", dir_ / "sessions", "--to", file}},
        {"learn hmm report", {"learn", "hmm", dir_ / "sessions", "--report", file}},
        {"session import", {"session", "import", dir_ / "a.har", "--to", file}},
        {"session graph", {"session", "graph", dir_ / "sessions", "--to", file}},
        {"signature cluster", {"signature", "cluster", dir_ / "hits.hadf", "--svg", file}},
        {"signature hits", {"signature", "hits", web(), "--to", file}},
    };
  }

  // One sentence, which names the file and says what to do.
  static void expect_refusal(const Ran& ran, const std::string& file, const std::string& what) {
    EXPECT_TRUE(ran.code == 1 || ran.code == 2) << what << ": " << ran.out << ran.err;
    EXPECT_EQ(ran.out, "") << what;
    EXPECT_NE(ran.err.find(file), std::string::npos) << what << ": " << ran.err;
    const bool says_what_to_do = ran.err.find("name another file") != std::string::npos ||
                                 ran.err.find("move it away") != std::string::npos ||
                                 ran.err.find("put the file itself there") != std::string::npos;
    EXPECT_TRUE(says_what_to_do) << what << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }

  TempDir dir_;
};

TEST_F(OwnFiles, no_command_writes_over_a_file_of_the_user) {
  const std::string text = dir_ / "notes.txt", database = dir_ / "mine.sqlite",
                    link = dir_ / "link", dangling = dir_ / "dangling";
  std::ofstream(text) << "years of work";
  make_database(database);
  const std::string database_before = *read_file(database);
  fs::create_symlink("notes.txt", link);
  fs::create_symlink("nowhere", dangling);
  for (const std::string& file : {text, database, link, dangling}) {
    for (const auto& [name, command] : writers(file)) {
      expect_refusal(run_dowser(command), file, name);
      ASSERT_EQ(*read_file(text), "years of work") << name;
      ASSERT_EQ(*read_file(database), database_before) << name;
      ASSERT_TRUE(fs::is_symlink(link) && fs::is_symlink(dangling)) << name;
      ASSERT_FALSE(fs::exists(dir_ / "nowhere")) << name;
    }
  }
}

TEST_F(OwnFiles, no_result_takes_the_place_of_a_file_of_a_crawl) {
  ASSERT_EQ(run_dowser({"annotate", crawl(), "1.html", "a note", "--author", "me"}).code, 0);
  for (const char* own : {"catalogue.sqlite", "crawl.toml", "crawl.log", "index.cdxj",
                          "annotations.sqlite", "report.html", "archive/crawl-00000.warc.gz",
                          "archive/new.csv", "state/CURRENT", "added/new"}) {
    const fs::path file = fs::path(crawl()) / own;
    const auto before = read_file(file);
    for (const auto& [name, command] : writers(file.string())) {
      const Ran ran = run_dowser(command);
      EXPECT_NE(ran.code, 0) << name << " to " << own;
      EXPECT_NE(ran.err.find("belongs to the crawl in"), std::string::npos) << name << ran.err;
      const auto after = read_file(file);
      ASSERT_EQ(after.ok(), before.ok()) << name << " to " << own;
      if (before) {
        ASSERT_EQ(*after, *before) << name << " to " << own;
      }
    }
  }
}

// The commands that change a crawl.
std::vector<std::vector<std::string>> changes(const std::string& crawl, const std::string& paper) {
  return {{"resume", crawl, "--max-pages", "6"},
          {"rejudge", crawl, "--threshold", "0.2"},
          {"search", crawl, "bird"},
          {"annotate", crawl, "1.html", "a note", "--author", "me"},
          {"library", "add", crawl, paper},
          {"rank", crawl},
          {"check", crawl, "--repair"}};
}

TEST_F(OwnFiles, a_link_inside_of_a_crawl_is_never_followed_for_writing) {
  const std::string start_up = dir_ / "start-up";
  ASSERT_TRUE(put_file(dir_ / "paper.txt", "about birds"));
  const std::string outside = dir_ / "outside";
  for (const char* own :
       {"crawl.log", "report.html", "index.cdxj", "index.unsorted", "crawl.toml", "library.sqlite",
        "annotations.sqlite", "judge.model", "added", "set-aside"}) {
    const bool is_folder = std::string_view(own) == "added" || std::string_view(own) == "set-aside";
    for (const auto& command : changes(crawl(), dir_ / "paper.txt")) {
      renew_crawl();
      fs::remove_all(outside);
      std::ofstream(start_up) << "echo hello\n";
      const fs::path place = fs::path(crawl()) / own;
      // What is there may be what a resume wants to read.
      if (is_folder) {
        fs::create_directory(outside);
      } else {
        if (fs::exists(place)) fs::copy_file(place, start_up, fs::copy_options::overwrite_existing);
      }
      const std::string before = *read_file(start_up);
      fs::remove_all(place);
      fs::create_symlink(is_folder ? outside : start_up, place);
      const Ran ran = run_dowser(command);
      EXPECT_EQ(*read_file(start_up), before) << command[0] << " with a link at " << own;
      EXPECT_TRUE(!is_folder || fs::is_empty(outside)) << command[0] << " with a link at " << own;
      EXPECT_LE(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    }
  }
}

TEST_F(OwnFiles, a_file_of_the_user_in_a_crawl_is_left_or_set_aside) {
  ASSERT_TRUE(put_file(dir_ / "paper.txt", "about birds"));
  make_database(dir_ / "mine.sqlite");
  const std::string database = *read_file(dir_ / "mine.sqlite");
  const auto is_somewhere = [&](const std::string& name, const std::string& content) {
    for (const auto& entry : fs::recursive_directory_iterator(crawl())) {
      if (entry.is_regular_file() && entry.path().filename() == name &&
          *read_file(entry.path()) == content) {
        return true;
      }
    }
    return false;
  };
  for (const char* own :
       {"crawl.log", "report.html", "index.cdxj", "index.unsorted", "library.sqlite",
        "annotations.sqlite", "judge.model", "added/paper.txt"}) {
    for (const std::string& content : {std::string("my notes\nof years\n"), database}) {
      for (const auto& command : changes(crawl(), dir_ / "paper.txt")) {
        renew_crawl();
        const fs::path place = fs::path(crawl()) / own;
        fs::create_directories(place.parent_path());
        ASSERT_TRUE(put_file(place, content));
        const Ran ran = run_dowser(command);
        EXPECT_TRUE(is_somewhere(place.filename(), content)) << command[0] << " " << own << "\n"
                                                             << ran.err;
        EXPECT_LE(std::count(ran.err.begin(), ran.err.end(), '\n'), 2) << ran.err;
      }
    }
  }
}

// Commands that read the archive of a crawl once took every file in its folder for a part of it.
TEST_F(OwnFiles, a_file_of_the_user_in_the_archive_folder_is_not_read) {
  const std::vector<std::vector<std::string>> readers = {
      {"topics", "bird", "--from", crawl()},
      {"rank", crawl(), "--topic", "bird"},
      {"seeds", "--back-links", crawl(), "--page", "http://web.test/1.html"},
      {"crawl", "--web", web(), "--seed", "http://web.test/0.html", "--topic", "bird lake",
       "--strategy", "context-graph", "--example", "http://web.test/2.html", "--back-links",
       crawl(), "--out", dir_ / "second"}};
  std::vector<std::string> printed;
  for (const auto& command : readers) {
    const Ran ran = run_dowser(command);
    ASSERT_EQ(ran.code, 0) << command[0] << ": " << ran.err;
    printed.push_back(ran.out);
  }
  fs::remove_all(dir_ / "second");
  const fs::path archive = fs::path(crawl()) / "archive";
  std::ofstream(archive / "notes.txt") << "which file is which";
  fs::copy_file(web(), archive / "of-a-friend.warc.gz");
  for (size_t i = 0; i < readers.size(); ++i) {
    const Ran ran = run_dowser(readers[i]);
    EXPECT_EQ(ran.code, 0) << readers[i][0] << ": " << ran.err;
    if (readers[i][0] != "crawl") {
      EXPECT_EQ(ran.out, printed[i]) << readers[i][0];
    }
  }
}

}  // namespace
}  // namespace dowser
