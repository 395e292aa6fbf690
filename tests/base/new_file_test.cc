#include "base/new_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

size_t entries(const fs::path& folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++count;
  return count;
}

TEST(NewFile, what_dowser_wrote_is_replaced) {
  const TempDir dir;
  ASSERT_TRUE(write_file(dir / "a", "one"));
  ASSERT_TRUE(write_file(dir / "a", "two"));
  EXPECT_EQ(*read_file(dir / "a"), "two");
  EXPECT_EQ(entries(dir.path()), 1u);
}

TEST(NewFile, a_file_of_somebody_else_is_refused_before_anything_is_done) {
  const TempDir dir;
  std::ofstream(dir / "notes.txt") << "mine";
  const auto file = NewFile::create(dir / "notes.txt");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, (dir / "notes.txt") +
                                      " exists already, and is not as Dowser wrote it: remove it, "
                                      "or name another file");
  EXPECT_EQ(*read_file(dir / "notes.txt"), "mine");
}

TEST(NewFile, a_result_that_a_person_has_edited_is_theirs) {
  const TempDir dir;
  ASSERT_TRUE(write_file(dir / "a", "result"));
  std::ofstream(dir / "a", std::ios::app) << " and notes";
  EXPECT_FALSE(write_file(dir / "a", "result").ok());
  EXPECT_EQ(*read_file(dir / "a"), "result and notes");
}

TEST(NewFile, an_empty_file_may_be_replaced) {
  const TempDir dir;
  std::ofstream(dir / "made_by_mktemp");
  EXPECT_TRUE(write_file(dir / "made_by_mktemp", "result"));
}

TEST(NewFile, a_file_that_comes_while_the_result_is_written_stays) {
  const TempDir dir;
  auto file = NewFile::create(dir / "a");
  ASSERT_TRUE(file->append("result"));
  std::ofstream(dir / "a") << "mine";
  EXPECT_FALSE(file->finish().ok());
  EXPECT_EQ(*read_file(dir / "a"), "mine");
}

TEST(NewFile, of_a_symbolic_link_the_file_must_be_ours_too) {
  const TempDir dir;
  std::ofstream(dir / "profile") << "mine";
  fs::create_symlink("profile", dir / "to_another");
  fs::create_symlink("nowhere", dir / "to_nothing");
  EXPECT_FALSE(write_file(dir / "to_another", "x").ok());
  EXPECT_FALSE(write_file(dir / "to_nothing", "x").ok());
  EXPECT_EQ(*read_file(dir / "profile"), "mine");
  EXPECT_FALSE(fs::exists(dir / "nowhere"));
}

TEST(NewFile, a_file_of_a_crawl_is_never_written_through_a_link) {
  const TempDir dir;
  ASSERT_TRUE(replace_own_file(dir / "real", "old"));
  ASSERT_TRUE(replace_own_file(dir / "real", "new"));
  fs::create_symlink("real", dir / "link");
  const Status written = replace_own_file(dir / "link", "x");
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().message.find("is a symbolic link"), std::string::npos);
  EXPECT_EQ(*read_file(dir / "real"), "new");
}

TEST(UnfinishedFile, two_writers_of_one_target_do_not_disturb_each_other) {
  const TempDir dir;
  auto first = NewFile::create(dir / "a");
  auto second = NewFile::create(dir / "a");
  ASSERT_TRUE(first->append("first") && second->append("second"));
  ASSERT_TRUE(first->finish());
  EXPECT_EQ(*read_file(dir / "a"), "first");
  ASSERT_TRUE(second->finish());
  EXPECT_EQ(*read_file(dir / "a"), "second");
  EXPECT_EQ(entries(dir.path()), 1u);
}

TEST(UnfinishedFile, what_a_killed_process_left_is_removed_and_a_file_of_that_name_is_not) {
  const TempDir dir;
  const std::string left = dir / ".a.dowser-new";
  if (const pid_t child = fork(); child == 0) {
    auto file = NewFile::create(dir / "a");
    (void)file->append(std::string(1 << 21, 'x'));
    _exit(0);  // as if it was killed
  } else {
    int status = 0;
    waitpid(child, &status, 0);
  }
  ASSERT_TRUE(fs::exists(left));
  ASSERT_TRUE(write_file(dir / "a", "whole"));
  EXPECT_EQ(entries(dir.path()), 1u);
  std::ofstream(left) << "mine";
  ASSERT_TRUE(write_file(dir / "a", "again"));
  EXPECT_EQ(*read_file(left), "mine");
  EXPECT_EQ(*read_file(dir / "a"), "again");
}

// A process that is killed in its first moments has not marked its file yet.
TEST(UnfinishedFile, an_empty_file_that_a_killed_process_left_is_removed_too) {
  const TempDir dir;
  const std::string left = dir / ".a.dowser-new";
  ASSERT_TRUE(put_file(left, ""));
  ASSERT_TRUE(write_file(dir / "a", "whole"));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(entries(dir.path()), 1u);
}

TEST(UnfinishedFile, an_empty_file_that_another_process_has_locked_stays) {
  const TempDir dir;
  const std::string other = dir / ".a.dowser-new";
  const int file = open(other.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(flock(file, LOCK_EX | LOCK_NB), 0);
  ASSERT_TRUE(write_file(dir / "a", "whole"));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_EQ(entries(dir.path()), 2u);
  close(file);
}

// Each takes the other's file for one that was left, if it comes between its creation and its lock.
TEST(UnfinishedFile, many_writers_of_one_target_all_succeed) {
  const TempDir dir;
  std::vector<std::thread> writers;
  std::atomic<int> failed = 0;
  for (int writer = 0; writer < 8; ++writer) {
    writers.emplace_back([&] {
      for (int n = 0; n < 200; ++n) failed += !replace_own_file(dir / "a", "whole");
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(*read_file(dir / "a"), "whole");
  EXPECT_EQ(entries(dir.path()), 1u);
}

}  // namespace
}  // namespace dowser
