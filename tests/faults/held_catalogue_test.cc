#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/faults/crawls_fixture.h"

// Other programs have the catalogue open while a crawl goes on.

namespace dowser::faults {
namespace {

class HeldCatalogue : public CrawlsFixture {
 protected:
  // A copy of a crawl, of whose catalogue another process holds on to what the SQL says. It is a
  // process of its own since a process that closes a file gives up all its locks on it.
  void hold(const std::filesystem::path& base, const char* sql) {
    copy_folder(base, folder_);
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    holder_ = fork();
    if (holder_ == 0) {
      sqlite3* db = nullptr;
      sqlite3_stmt* rows = nullptr;
      const bool holds =
          sqlite3_open((folder_ / "catalogue.sqlite").c_str(), &db) == SQLITE_OK &&
          sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK &&
          sqlite3_prepare_v2(db, "SELECT * FROM pages", -1, &rows, nullptr) == SQLITE_OK &&
          sqlite3_step(rows) == SQLITE_ROW;
      (void)!write(ready[1], holds ? "y" : "n", 1);
      while (true) pause();
    }
    char holds = 'n';
    ASSERT_EQ(read(ready[0], &holds, 1), 1);
    close(ready[0]);
    close(ready[1]);
    ASSERT_EQ(holds, 'y');
  }
  void let_go() {
    if (holder_ <= 0) return;
    kill(holder_, SIGKILL);
    waitpid(holder_, nullptr, 0);
    holder_ = -1;
  }
  void TearDown() override { let_go(); }

  std::string problem() { return difference(crawls_->wanted_of_resume(), finished_in(folder_)); }

  std::filesystem::path folder_ = work_ / "held";
  pid_t holder_ = -1;
};

TEST_F(HeldCatalogue, a_reader_does_not_disturb_a_resume) {
  for (const auto& base : {crawls_->finished(), crawls_->interrupted(3), crawls_->killed(3)}) {
    hold(base, "BEGIN");
    const Ended ended = run_program(crawls_->resume(folder_));
    EXPECT_EQ(ended.code, 0) << base << ": " << ended.err;
    let_go();
    EXPECT_EQ(problem(), "") << base;
  }
}

TEST_F(HeldCatalogue, a_writer_is_named_and_nothing_is_lost) {
  for (const auto& base : {crawls_->finished(), crawls_->interrupted(3), crawls_->killed(3)}) {
    hold(base, "BEGIN EXCLUSIVE");
    const auto before = files_in(folder_);
    for (int i = 0; i < 2; ++i) {  // the second resume used to remove everything
      Command command = crawls_->resume(folder_);
      command.limit = std::chrono::seconds(60);
      const Ended ended = run_program(command);
      EXPECT_EQ(ended.code, 1) << base;
      EXPECT_TRUE(is_one_line(ended.err) && says_what_to_do(ended.err)) << ended.err;
      EXPECT_EQ(changed(before, files_in(folder_)), "") << base;
    }
    let_go();
    const Ended ended = run_program(crawls_->resume(folder_));
    EXPECT_EQ(ended.code, 0) << base << ": " << ended.err;
    EXPECT_EQ(problem(), "") << base;
  }
}

}  // namespace
}  // namespace dowser::faults
