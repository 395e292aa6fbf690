#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/state.h"
#include "learn/signature/signature_files.h"
#include "run/run.h"
#include "store/database.h"
#include "tests/made_browsing.h"
#include "tests/run/killed_crawl.h"
#include "tests/support.h"
#include "text/terms.h"

// Crawls that are killed, run into a full disk or lose power, and go on. A child process crawls and
// dies at a chosen visit; on an archived web what is left in the end must be, byte for byte, what a
// crawl leaves that nobody disturbed.

namespace dowser {
namespace {

constexpr int kPages = 60;

class ResumeTest : public testing::Test {
 protected:
  void SetUp() override {
    Random random(7);
    WarcWriter writer({.folder = dir_.path() / "web", .prefix = "web"});
    for (int i = 0; i < kPages; ++i) {
      Response page;
      page.url = address(i);
      page.status = 200;
      page.reason = "OK";
      page.headers.add("Content-Type", "text/html");
      page.fetched_at = Time{1'000'000'000'000'000};
      page.body = "<title>page</title><p>";
      for (int word = 0; word < 40; ++word) {
        page.body +=
            random.below(9) == 0 ? "lighthouse " : "w" + std::to_string(random.below(5000)) + " ";
      }
      if (i % 3 == 0) page.body += "the keeper of the lighthouse ";
      for (int link = 0; link < 4; ++link) add_link(page, static_cast<int>(random.below(kPages)));
      add_link(page, (i + 1) % kPages);
      ASSERT_TRUE(writer.write(response_record(page)).ok());
    }
  }

  static Url address(int page) {
    return *Url::parse("http://h" + std::to_string(page % 5) + ".test/" + std::to_string(page));
  }
  static void add_link(Response& page, int to) {
    page.body +=
        "<a href='" + std::string(address(to).href()) + "'>to " + std::to_string(to) + "</a> ";
  }

  CrawlConfig config(const std::string& name, const std::string& strategy = "best-first") const {
    CrawlConfig config;
    config.web = {dir_ / "web/web-00000.warc.gz"};
    config.seeds = {std::string(address(0).href())};
    config.topic = "lighthouse";
    config.strategy = strategy;
    config.max_pages = 1000;
    config.out = dir_ / name;
    return config;
  }

  // The first half of the visits is written.
  static bool crawl_and_die(const CrawlConfig& config, bool resume, int visits) {
    return dowser::crawl_and_die(config, resume, visits, visits / 2 + 1);
  }

  std::map<std::string, std::string> left_by(const std::string& name) const {
    std::map<std::string, std::string> left = left_by_crawl(dir_ / name);
    for (auto& [what, bytes] : left) bytes = sha1_digest(bytes);  // for short messages
    return left;
  }

  std::multiset<std::string> archived(const std::string& name) const {
    std::multiset<std::string> targets;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / (name + "/archive"))) {
      auto reader = WarcReader::open(entry.path());
      while (auto record = reader->next()) {
        if (record->type == RecordType::kResponse) targets.insert(record->target);
      }
      EXPECT_TRUE(reader->errors().empty());
    }
    return targets;
  }

  TempDir dir_;
};

TEST_F(ResumeTest, killed_again_and_again_it_leaves_what_an_undisturbed_crawl_leaves) {
  for (const char* strategy :
       {"best-first", "breadth-first", "in-degree", "learned", "random", "soft-focus(distil=7)"}) {
    const std::string undisturbed = std::string(strategy) + "-whole";
    crawl_to_the_end(config(undisturbed, strategy), false);
    const CrawlConfig killed = config(std::string(strategy) + "-killed", strategy);
    ASSERT_TRUE(crawl_and_die(killed, false, 1));
    for (const int visits : {1, 2, 5, 11, 1}) ASSERT_TRUE(crawl_and_die(killed, true, visits));
    crawl_to_the_end(killed, true);
    EXPECT_EQ(left_by(undisturbed), left_by(std::string(strategy) + "-killed")) << strategy;
    EXPECT_EQ(archived(undisturbed).size(), size_t{kPages});
  }
}

TEST_F(ResumeTest, a_judge_that_learns_has_learned_the_same_after_it_was_killed) {
  for (const char* judge : {"bayes", "svm", "neighbours", "seeds"}) {
    CrawlConfig whole = config(std::string(judge) + "-whole");
    CrawlConfig killed = config(std::string(judge) + "-killed");
    whole.judge = killed.judge = judge;
    crawl_to_the_end(whole, false);
    ASSERT_TRUE(crawl_and_die(killed, false, 10));
    for (const int visits : {1, 8, 13, 11}) ASSERT_TRUE(crawl_and_die(killed, true, visits));
    crawl_to_the_end(killed, true);
    EXPECT_EQ(left_by(std::string(judge) + "-whole"), left_by(std::string(judge) + "-killed"))
        << judge;
  }
}

TEST_F(ResumeTest, signatures_have_the_same_hits_though_their_library_was_deleted) {
  Signature signature;
  signature.name = "tr_lighthouse_keeper_lamp_1";
  signature.words = {"lighthouse", "keeper", "lamp"};
  signature.centroid[0] = 1;
  signature.angle = 2;  // wherever the lighthouse has company
  signature.evidence = {3, 4, 1, 10};
  const std::string library = dir_ / "library";
  ASSERT_TRUE(write_library(library, {signature}));
  CrawlConfig whole = config("whole", "breadth-first"), killed = config("killed", "breadth-first");
  whole.model = killed.model = library;
  whole.topic.clear(), killed.topic.clear();
  crawl_to_the_end(whole, false);
  ASSERT_TRUE(crawl_and_die(killed, false, 9));
  std::filesystem::remove_all(library);
  for (const int visits : {1, 8, 13, 11}) ASSERT_TRUE(crawl_and_die(killed, true, visits));
  crawl_to_the_end(killed, true);
  EXPECT_EQ(left_by("whole"), left_by("killed"));
  const auto hits = [&](const std::string& name) {
    std::string text;
    Result<Database> db = Database::open(dir_ / (name + "/catalogue.sqlite"));
    Result<Statement> rows = db->prepare("SELECT page, signature, count FROM hits ORDER BY 1, 2");
    while (*rows->step()) text += rows->text(0) + " " + rows->text(1) + " " + rows->text(2) + "\n";
    return text;
  };
  EXPECT_EQ(hits("whole"), hits("killed"));
  EXPECT_GE(std::ranges::count(hits("whole"), '\n'), kPages / 3);
}

TEST_F(ResumeTest, hmm_goes_on_as_if_undisturbed_though_its_model_was_deleted) {
  const std::string model = dir_ / "model.json";
  ASSERT_TRUE(put_file(model, hmm_file_text(made_browsing(
                                    {{"lighthouse", "lighthouse w1", "w1 w2", "w2 w3", "w4"},
                                     {{2, 0}, {2, 1}, {3, 2}, {4, 3}, {0, 1}},
                                     2})))
                  .ok());
  CrawlConfig whole = config("hmm-whole", "hmm"), killed = config("hmm-killed", "hmm");
  whole.model = killed.model = model;
  crawl_to_the_end(whole, false);
  ASSERT_TRUE(crawl_and_die(killed, false, 9));
  std::filesystem::remove(model);
  for (const int visits : {1, 8, 13, 11}) ASSERT_TRUE(crawl_and_die(killed, true, visits));
  crawl_to_the_end(killed, true);
  EXPECT_EQ(left_by("hmm-whole"), left_by("hmm-killed"));
  EXPECT_EQ(archived("hmm-whole").size(), size_t{kPages});
}

TEST_F(ResumeTest, a_batch_that_was_under_way_is_fetched_after_all) {
  const CrawlConfig killed = config("batch", "best-first-n(n=7)");
  ASSERT_TRUE(crawl_and_die(killed, false, 3));
  ASSERT_TRUE(crawl_and_die(killed, true, 10));
  crawl_to_the_end(killed, true);
  const auto targets = archived("batch");
  EXPECT_EQ(targets.size(), size_t{kPages});
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), size_t{kPages});
}

TEST_F(ResumeTest, what_the_archive_lost_in_a_power_cut_is_fetched_again) {
  const CrawlConfig cut = config("cut");
  ASSERT_TRUE(crawl_and_die(cut, false, 30));
  const std::filesystem::path archive = dir_ / "cut/archive/crawl-00000.warc.gz";
  std::filesystem::resize_file(archive, std::filesystem::file_size(archive) / 2);
  crawl_to_the_end(cut, true);
  const auto targets = archived("cut");
  EXPECT_EQ(targets.size(), size_t{kPages});
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), size_t{kPages});
}

TEST_F(ResumeTest, what_the_catalogue_lost_in_a_power_cut_is_fetched_again) {
  const CrawlConfig cut = config("cut");
  ASSERT_TRUE(crawl_and_die(cut, false, 30));
  std::filesystem::remove(dir_ / "cut/catalogue.sqlite-wal");  // no row had reached the file
  crawl_to_the_end(cut, true);
  const auto targets = archived("cut");
  EXPECT_EQ(targets.size(), size_t{kPages});
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), size_t{kPages});
}

TEST_F(ResumeTest, a_full_disk_ends_it_with_a_sentence_and_it_goes_on_when_there_is_room) {
  crawl_to_the_end(config("whole"), false);
  const CrawlConfig full = config("full");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    int seen = 0;
    const auto result = run_or_resume(full, false, [&] {
      if (++seen == 20) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        const rlimit limit{1000, 1000};  // no file can grow any more
        setrlimit(RLIMIT_FSIZE, &limit);
      }
      return true;
    });
    const bool is_said =
        !result.ok() && result.error().message.find("dowser resume") != std::string::npos;
    if (!is_said && !result.ok()) std::fprintf(stderr, "%s\n", result.error().message.c_str());
    _exit(is_said ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  crawl_to_the_end(full, true);
  EXPECT_EQ(left_by("whole"), left_by("full"));
}

// As the program was before there were sync marks.
TEST_F(ResumeTest, a_folder_without_marks_goes_on_where_a_crash_explains_the_difference) {
  const CrawlConfig old = config("old");
  ASSERT_TRUE(crawl_and_die(old, false, 40));
  {
    auto state = State::open(dir_ / "old/state");
    (*state)->erase("y");
    (*state)->erase("b");
    ASSERT_TRUE((*state)->commit().ok());
    auto db = Database::create(dir_ / "old/catalogue.sqlite");
    ASSERT_TRUE(db->execute("DROP TABLE progress; PRAGMA journal_mode = DELETE").ok());
  }
  crawl_to_the_end(old, true);
  EXPECT_EQ(archived("old").size(), size_t{kPages});
}

TEST_F(ResumeTest, with_accept_loss_what_is_lost_is_counted_no_more_and_fetched_again) {
  CrawlConfig limited = config("loss");
  limited.max_pages = 30;
  crawl_to_the_end(limited, false);
  const std::filesystem::path archive = dir_ / "loss/archive/crawl-00000.warc.gz";
  std::filesystem::resize_file(archive, std::filesystem::file_size(archive) / 3);
  std::vector<std::string> notices;
  CrawlEvents events;
  events.subscribe([&](const CrawlEvent& event) {
    if (const auto* warning = std::get_if<CrawlWarning>(&event)) {
      notices.emplace_back(warning->text);
    }
  });
  const auto go_on = [&] { return resume_crawl(*config_of(limited.out), events); };
  const auto refused = go_on();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("--accept-loss"), std::string::npos)
      << refused.error().message;
  EXPECT_TRUE(notices.empty());
  // Killed before the first page came back: what was lost must wait all the same.
  const pid_t child = fork();
  if (child == 0) {
    const auto ran = resume_crawl(
        *config_of(limited.out), events, [] { return raise(SIGKILL) == 0; }, true);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto accepted = go_on();
  ASSERT_TRUE(accepted.ok()) << accepted.error().message;
  EXPECT_EQ(accepted->counters.fetched, 30u);
  const auto targets = archived("loss");
  EXPECT_EQ(targets.size(), 30u);
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), 30u);
}

TEST_F(ResumeTest, a_crawl_that_came_to_its_limit_goes_on_with_a_higher_one) {
  crawl_to_the_end(config("whole"), false);
  CrawlConfig limited = config("limited");
  limited.max_pages = 20;
  crawl_to_the_end(limited, false);
  EXPECT_EQ(archived("limited").size(), 20u);
  CrawlConfig more = *config_of(limited.out);
  more.max_pages = 1000;
  const auto result = resume_crawl(more);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->counters.fetched, size_t{kPages});
  EXPECT_EQ(archived("whole"), archived("limited"));
}

TEST_F(ResumeTest, where_nothing_was_begun_there_is_a_sentence) {
  const auto config = config_of(dir_ / "nowhere");
  ASSERT_FALSE(config.ok());
  EXPECT_NE(config.error().message.find("does not contain a crawl"), std::string::npos);
}

}  // namespace
}  // namespace dowser
