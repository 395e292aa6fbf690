#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "archive/warc_reader.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/state.h"
#include "store/database.h"
#include "tests/support.h"

// Bad luck of every kind between a crawl and its resume, through the real program. After a refusal
// every file must be as it was, and when the trouble is over the crawl must go on with nothing lost
// and nothing twice.

namespace dowser {
namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr int kPages = 48;

class Recovery : public testing::Test {
 protected:
  void SetUp() override {
    Random random(5);
    const path site = dir_.path() / "site";
    std::filesystem::create_directories(site);
    for (int i = 0; i < kPages; ++i) {
      std::string html = "<title>Page " + std::to_string(i) + "</title><p>";
      for (int word = 0; word < 30; ++word) {
        html += random.below(5) == 0 ? "bird nest " : "w" + std::to_string(random.below(900)) + " ";
      }
      for (const int to : {i + 1, i + 2, static_cast<int>(random.below(kPages))}) {
        const std::string name = std::to_string(to % kPages);
        html += " <a href=" + name + ".html>to " + name + "</a>";
      }
      ASSERT_TRUE(put_file(site / (std::to_string(i) + ".html"), html).ok());
    }
    const Ran packed = run_dowser({"pack", site.string(), "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }

  std::vector<std::string> crawl_words(const std::string& strategy = "best-first") const {
    return {"crawl",   "--web",       web_,    "--seed", "http://web.test/0.html",
            "--topic", "bird nest",   "--out", out(),    "--strategy",
            strategy,  "--max-pages", "30"};
  }
  // A crawl of 30 pages that came to its end.
  void crawl(const std::string& strategy = "best-first") const {
    const Ran ran = run_dowser(crawl_words(strategy));
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  Ran resume(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"resume", out(), "--max-pages", "1000"};
    words.insert(words.end(), more.begin(), more.end());
    return run_dowser(words);
  }

  std::string out() const { return dir_ / "out"; }
  std::string out(const std::string& name) const { return dir_ / ("out/" + name); }

  // Digests of all files, but for those with which SQLite lets readers in.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> digests;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(out())) {
      if (!entry.is_regular_file()) continue;
      const std::string name = entry.path().lexically_relative(out()).string();
      const bool is_empty_wal = name.ends_with("-wal") && entry.file_size() == 0;
      if (name.ends_with("-shm") || is_empty_wal) continue;
      digests[name] = sha1_digest(*read_file(entry.path()));
    }
    return digests;
  }

  // One sentence, and what to do.
  static void expect_refusal(const Ran& ran) {
    EXPECT_EQ(ran.code, 1) << ran.err << ran.out;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }

  std::multiset<std::string> archived() const {
    std::multiset<std::string> targets;
    for (const auto& entry : std::filesystem::directory_iterator(out("archive"))) {
      auto reader = WarcReader::open(entry.path());
      if (!reader) continue;
      while (auto record = reader->next()) {
        if (record->type == RecordType::kResponse) targets.insert(record->target);
      }
    }
    return targets;
  }

  int64_t number(const std::string& sql) const {
    auto db = Database::open(out("catalogue.sqlite"));
    auto rows = db->prepare(sql);
    EXPECT_TRUE(*rows->step());
    return rows->integer(0);
  }

  // The crawl goes on to its end: every page is there, once.
  void expect_whole(const Ran& ran) const {
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto targets = archived();
    EXPECT_EQ(targets.size(), size_t{kPages});
    EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), size_t{kPages});
    EXPECT_EQ(number("SELECT COUNT(*) FROM pages"), kPages);
    const std::string index = *read_file(out("index.cdxj"));
    EXPECT_EQ(std::count(index.begin(), index.end(), '\n'), kPages);
  }

  // Resumes twice while something is wrong, and once more when it is not.
  template <class Break, class Mend>
  void refuses_until_mended(Break break_it, Mend mend_it, const std::string& says) {
    break_it();
    const auto before = files();
    for (int i = 0; i < 2; ++i) {
      const Ran ran = resume();
      expect_refusal(ran);
      EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
      EXPECT_EQ(files(), before);
    }
    mend_it();
    expect_whole(resume());
  }

  static std::string quoted(const std::string& text) { return "'" + text + "'"; }
  // Through a shell, for limits and redirections. The exit code.
  static int shell(const std::string& command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  static std::string command_line(const std::vector<std::string>& words) {
    std::string line = quoted(dowser_program().string());
    for (const std::string& word : words) line += " " + quoted(word);
    return line;
  }

  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz";
};

TEST_F(Recovery, a_missing_catalogue_is_refused_and_nothing_changes) {
  crawl();
  const path file = out("catalogue.sqlite"), away = dir_ / "away";
  refuses_until_mended([&] { std::filesystem::rename(file, away); },
                       [&] { std::filesystem::rename(away, file); }, "dowser check");
}

TEST_F(Recovery, a_catalogue_that_cannot_be_read_is_refused_and_nothing_changes) {
  crawl();
  const path file = out("catalogue.sqlite");
  const std::string good = *read_file(file);
  std::string bad = good;
  bad.replace(0, 16, "no database here");
  refuses_until_mended([&] { (void)put_file(file, bad); }, [&] { (void)put_file(file, good); },
                       "not a database");
  // A folder of that name.
  const path away = dir_ / "away";
  std::filesystem::rename(file, away);
  std::filesystem::create_directory(file);
  const auto before = files();
  expect_refusal(resume());
  EXPECT_EQ(files(), before);
  std::filesystem::remove(file);
  std::filesystem::rename(away, file);
  expect_whole(resume());
}

TEST_F(Recovery, an_older_catalogue_is_refused_and_nothing_changes) {
  crawl();
  const path file = out("catalogue.sqlite");
  const std::string old = *read_file(file);
  ASSERT_EQ(run_dowser({"resume", out(), "--max-pages", "40"}).code, 0);
  const std::string good = *read_file(file);
  refuses_until_mended([&] { (void)put_file(file, old); }, [&] { (void)put_file(file, good); },
                       "--accept-loss");
}

TEST_F(Recovery, an_archive_that_is_not_mounted_is_refused_and_nothing_changes) {
  crawl();
  const path folder = out("archive"), away = dir_ / "away";
  refuses_until_mended([&] { std::filesystem::rename(folder, away); },
                       [&] { std::filesystem::rename(away, folder); }, "mounted");
  // An empty folder, as a mount point is.
  std::filesystem::rename(folder, away);
  std::filesystem::create_directory(folder);
  const auto before = files();
  expect_refusal(resume());
  EXPECT_EQ(files(), before);
  std::filesystem::remove(folder);
  std::filesystem::rename(away, folder);
  expect_whole(resume());
}

TEST_F(Recovery, an_archive_that_was_cut_is_refused_and_with_accept_loss_fetched_again) {
  crawl();
  const path file = out("archive/crawl-00000.warc.gz");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  const auto before = files();
  const Ran refused = resume();
  expect_refusal(refused);
  EXPECT_NE(refused.err.find("--accept-loss"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("dowser check"), std::string::npos) << refused.err;
  EXPECT_EQ(files(), before);
  const Ran accepted = resume({"--accept-loss"});
  expect_whole(accepted);
  EXPECT_NE(accepted.err.find("were moved to"), std::string::npos) << accepted.err;
  EXPECT_NE(accepted.err.find("fetched again"), std::string::npos) << accepted.err;
  EXPECT_TRUE(std::filesystem::exists(out("set-aside")));
}

TEST_F(Recovery, a_lost_state_is_refused_and_nothing_changes) {
  crawl();
  const path folder = out("state"), away = dir_ / "away";
  refuses_until_mended([&] { std::filesystem::rename(folder, away); },
                       [&] { std::filesystem::rename(away, folder); }, "nothing was changed");
}

TEST_F(Recovery, flipped_bytes_in_the_state_never_take_pages_away) {
  crawl();
  const path whole = dir_.path() / "whole";
  std::filesystem::rename(out(), whole);
  Random random(11);
  int refused = 0;
  for (int round = 0; round < 40; ++round) {
    std::filesystem::copy(whole, out(), std::filesystem::copy_options::recursive);
    std::vector<path> candidates;
    for (const auto& entry : std::filesystem::directory_iterator(out("state"))) {
      if (entry.file_size() > 0) candidates.push_back(entry.path());
    }
    std::sort(candidates.begin(), candidates.end());
    // Most of what matters is in the log and the tables.
    const path file = candidates[static_cast<size_t>(round) % candidates.size()];
    std::string bytes = *read_file(file);
    const size_t at = random.below(bytes.size());
    if (round % 4 == 3) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
    }
    ASSERT_TRUE(put_file(file, bytes).ok());
    const auto before = files();
    const Ran ran = resume();
    if (ran.code == 0) {
      expect_whole(ran);
    } else {
      ++refused;
      expect_refusal(ran);
      EXPECT_EQ(files(), before) << file << " " << at;
    }
    std::filesystem::remove_all(out());
  }
  EXPECT_GT(refused, 5);
}

TEST_F(Recovery, files_of_the_user_in_the_archive_folder_stay) {
  crawl();
  for (const char* name : {"crawl-00000.warc.gz.bak", "crawl-merged.warc.gz", "crawl-zzz.txt",
                           "crawl-00001.warc", "crawl-000001.warc.gz"}) {
    ASSERT_TRUE(put_file(out(std::string("archive/") + name), name).ok());
  }
  ASSERT_EQ(run_dowser({"resume", out(), "--max-pages", "40"}).code, 0);
  for (const char* name : {"crawl-00000.warc.gz.bak", "crawl-merged.warc.gz", "crawl-zzz.txt",
                           "crawl-00001.warc", "crawl-000001.warc.gz"}) {
    const auto content = read_file(out(std::string("archive/") + name));
    ASSERT_TRUE(content.ok()) << name;
    EXPECT_EQ(*content, name);
    std::filesystem::remove(out(std::string("archive/") + name));
  }
  expect_whole(resume());
}

TEST_F(Recovery, a_later_archive_file_of_ours_is_set_aside) {
  crawl();
  ASSERT_TRUE(put_file(out("archive/crawl-00001.warc.gz"), "unfinished").ok());
  const Ran ran = resume();
  EXPECT_NE(ran.err.find("10 later bytes of the archive"), std::string::npos) << ran.err;
  expect_whole(ran);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(out("set-aside"))) {
    if (entry.is_regular_file()) {
      EXPECT_EQ(*read_file(entry.path()), "unfinished");
    }
  }
}

TEST_F(Recovery, somebody_who_reads_the_catalogue_disturbs_neither_crawl_nor_resume) {
  crawl();
  auto reader = Database::open(out("catalogue.sqlite"));
  ASSERT_TRUE(reader->execute("BEGIN; SELECT COUNT(*) FROM pages;").ok());
  const Ran ran = resume();
  expect_whole(ran);
  EXPECT_TRUE(std::filesystem::exists(out("report.html")));
  auto count = reader->prepare("SELECT COUNT(*) FROM pages");
  ASSERT_TRUE(*count->step());
  EXPECT_EQ(count->integer(0), 30);  // the reader sees what was there when it began
}

TEST_F(Recovery, commands_that_read_leave_nothing_behind) {
  crawl();
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(out())) {
      all.insert(entry.path().filename());
    }
    return all;
  };
  const auto before = names();
  const auto digests = files();
  EXPECT_EQ(run_dowser({"export", out()}).code, 0);
  EXPECT_EQ(run_dowser({"explain", out(), "http://web.test/0.html"}).code, 0);
  EXPECT_EQ(run_dowser({"explain", out(), "--model"}).code, 0);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(files(), digests);
}

TEST_F(Recovery, a_crawl_that_runs_cannot_be_resumed_beside_it) {
  DowserProcess running(crawl_words());
  std::error_code failed;
  while (!std::filesystem::exists(out("crawl.toml"), failed)) {
  }
  running.signal(SIGSTOP);
  const Ran ran = resume();
  expect_refusal(ran);
  EXPECT_NE(ran.err.find("in use by another dowser"), std::string::npos) << ran.err;
  running.signal(SIGCONT);
  EXPECT_EQ(running.wait().code, 0);
  expect_whole(resume());
}

TEST_F(Recovery, a_locked_catalogue_of_an_older_version_is_refused_and_nothing_changes) {
  crawl();
  {
    auto db = Database::create(out("catalogue.sqlite"));
    ASSERT_TRUE(db->execute("PRAGMA journal_mode = DELETE").ok());
  }
  // Another process: locks are by process, and files() closes what it reads.
  pid_t other = 0;
  refuses_until_mended(
      [&] {
        int ready[2];
        ASSERT_EQ(pipe(ready), 0);
        other = fork();
        if (other == 0) {
          auto db = Database::create(out("catalogue.sqlite"));
          if (!db->execute("BEGIN EXCLUSIVE").ok()) _exit(1);
          (void)!write(ready[1], "x", 1);
          pause();
          _exit(0);
        }
        char x = 0;
        ASSERT_EQ(read(ready[0], &x, 1), 1);
      },
      [&] {
        kill(other, SIGKILL);
        waitpid(other, nullptr, 0);
      },
      "locked");
}

TEST_F(Recovery, too_few_file_descriptors_lose_nothing) {
  crawl();
  int failed = 0;
  for (const int most : {6, 8, 10, 12, 14, 16, 20, 24, 32}) {
    const int code = shell("exec > " + quoted(dir_ / "o") + " 2> " + quoted(dir_ / "e") +
                           "; ulimit -n " + std::to_string(most) + "; exec " +
                           command_line({"resume", out(), "--max-pages", "30"}));
    EXPECT_LT(code, 126) << most << *read_file(dir_ / "e");
    failed += code == 1;
    EXPECT_EQ(archived().size(), 30u) << most;
    EXPECT_EQ(number("SELECT COUNT(*) FROM pages"), 30) << most;
  }
  EXPECT_GE(failed, 2);
  expect_whole(resume());
  EXPECT_FALSE(std::filesystem::exists(out("set-aside")));
}

TEST_F(Recovery, a_crawl_killed_in_its_first_moments_can_be_resumed) {
  // As soon as one of these is there, and at other times.
  const std::vector<std::string> moments = {
      "",      ".crawl.toml.dowser-new", "crawl.toml", "catalogue.sqlite", "index.unsorted",
      "state", "state/CURRENT",  "archive",    "crawl.log"};
  for (size_t round = 0; round < 2 * moments.size(); ++round) {
    {
      DowserProcess process(crawl_words());
      const path moment = out(moments[round % moments.size()]);
      const auto start = std::chrono::steady_clock::now();
      std::error_code failed;
      while (!std::filesystem::exists(moment, failed) &&
             std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
      }
      if (round >= moments.size()) std::this_thread::sleep_for(std::chrono::microseconds(700));
      process.signal(SIGKILL);
    }
    std::error_code failed;
    if (!std::filesystem::exists(out("crawl.toml"), failed)) {
      const Ran ran = run_dowser(crawl_words());
      ASSERT_EQ(ran.code, 0) << moments[round % moments.size()] << ran.err;
    } else {
      const Ran again = run_dowser(crawl_words());
      EXPECT_EQ(again.code, 1);
      EXPECT_NE(again.err.find("dowser resume"), std::string::npos) << again.err;
    }
    expect_whole(resume());
    std::filesystem::remove_all(out());
  }
}

TEST_F(Recovery, a_folder_that_holds_only_the_beginnings_of_a_crawl_is_started_anew) {
  crawl();
  const std::string toml = *read_file(out("crawl.toml"));
  // As far as it may have come when it was killed.
  for (int stage = 0; stage < 5; ++stage) {
    std::filesystem::remove_all(out());
    std::filesystem::create_directories(out());
    ASSERT_TRUE(put_file(out("crawl.toml"), toml).ok());
    if (stage >= 1) {
      ASSERT_TRUE(put_file(out("catalogue.sqlite"), "").ok());
    }
    if (stage >= 2) {
      auto db = Database::create(out("catalogue.sqlite"));
      ASSERT_TRUE(db->execute("PRAGMA journal_mode = WAL; CREATE TABLE runs (id)").ok());
    }
    if (stage >= 3) {
      ASSERT_TRUE(put_file(out("index.unsorted"), "").ok());
      std::filesystem::create_directories(out("state"));
    }
    if (stage >= 4) (void)State::open(out("state"));
    expect_whole(resume());
  }
}

TEST_F(Recovery, a_full_disk_ends_with_a_sentence_at_any_size) {
  int failed = 0;
  for (int kilobytes = 1; kilobytes < 400; kilobytes = kilobytes * 5 / 4 + 1) {
    const int code = shell("trap '' XFSZ; ulimit -f " + std::to_string(kilobytes * 2) + "; " +
                           command_line(crawl_words()) + " > " + quoted(dir_ / "o") + " 2> " +
                           quoted(dir_ / "e"));
    ASSERT_LT(code, 2) << kilobytes << *read_file(dir_ / "e");
    failed += code;
    std::error_code none;
    if (std::filesystem::exists(out("crawl.toml"), none)) {
      expect_whole(resume());
    }
    std::filesystem::remove_all(out());
  }
  EXPECT_GT(failed, 3);
}

TEST_F(Recovery, standard_error_on_a_full_disk_does_not_end_a_crawl) {
  ASSERT_EQ(shell(command_line(crawl_words()) + " > /dev/null 2> /dev/full"), 0);
  // Nor does an error that cannot be told abort.
  EXPECT_EQ(shell(command_line(crawl_words()) + " > /dev/null 2> /dev/full"), 1);
  EXPECT_EQ(shell(command_line({"crwl"}) + " > /dev/null 2> /dev/full"), 2);
}

TEST_F(Recovery, standard_output_on_a_full_disk_is_an_error_and_the_crawl_is_whole) {
  EXPECT_EQ(shell(command_line(crawl_words()) + " > /dev/full 2> " + quoted(dir_ / "e")), 1);
  EXPECT_NE(read_file(dir_ / "e")->find("standard output"), std::string::npos);
  EXPECT_EQ(shell(command_line({"export", out()}) + " > /dev/full 2> " + quoted(dir_ / "e")), 1);
  expect_whole(resume());
}

TEST_F(Recovery, damaged_records_of_the_archive_are_passed_over_with_a_sentence) {
  for (const char* strategy : {"learned", "best-first", "infospiders"}) {
    crawl(strategy);
    const path file = out("archive/crawl-00000.warc.gz");
    std::string bytes = *read_file(file);
    for (const char* id : {"5", "17", "28"}) {
      const int64_t offset =
          number(std::string("SELECT archive_offset FROM pages WHERE id = ") + id);
      for (int64_t i = 0; i < 200; ++i) bytes[static_cast<size_t>(offset + i)] ^= 0x55;
    }
    ASSERT_TRUE(put_file(file, bytes).ok());
    const Ran ran = resume();
    ASSERT_EQ(ran.code, 0) << strategy << ran.err;
    EXPECT_EQ(archived().size(), size_t{kPages - 3}) << strategy;
    EXPECT_EQ(number("SELECT COUNT(*) FROM pages"), kPages) << strategy;
    std::filesystem::remove_all(out());
  }
}

TEST_F(Recovery, a_damaged_line_of_the_index_is_made_anew_from_the_archive) {
  crawl();
  const std::string good = *read_file(out("index.cdxj"));
  const path file = out("index.unsorted");
  const std::string lines = *read_file(file);
  for (const int kind : {0, 1, 2, 3}) {
    std::string bad = lines;
    const size_t middle = bad.find('\n', bad.size() / 2) + 1;
    if (kind == 0) bad[middle + 5] ^= 1;                                    // a letter
    if (kind == 1) bad.erase(middle, bad.find('\n', middle) + 1 - middle);  // a line
    if (kind == 2) bad.resize(middle);                                      // the end
    if (kind == 3) bad.replace(middle, 100, std::string(100, '\0'));        // zeros
    ASSERT_TRUE(put_file(file, bad).ok());
    ASSERT_EQ(run_dowser({"resume", out(), "--max-pages", "30"}).code, 0);
    EXPECT_EQ(*read_file(out("index.cdxj")), good) << kind;
    EXPECT_EQ(*read_file(file), lines) << kind;
  }
  expect_whole(resume());
}

TEST_F(Recovery, explain_model_changes_no_file) {
  crawl("learned");
  const auto before = files();
  const Ran ran = run_dowser({"explain", out(), "--model"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(files(), before);
}

TEST_F(Recovery, a_web_archive_with_damaged_records_is_crawled_and_the_damage_is_said) {
  std::string bytes = *read_file(web_);
  const auto reader = WarcReader::open(web_);
  std::vector<uint64_t> offsets;
  auto again = WarcReader::open(web_);
  while (auto record = again->next()) offsets.push_back(record->place.offset);
  for (const size_t i : {10u, 20u, 30u}) bytes[offsets[i] + 40] ^= 0x55;
  ASSERT_TRUE(put_file(web_, bytes).ok());
  const Ran ran = run_dowser(crawl_words());
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("3 records of the web archive are damaged"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace dowser
