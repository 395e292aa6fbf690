#include "document/confined_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "base/file.h"
#include "document/converter_process.h"
#include "tests/support.h"

// Hostile readers in place of converters: each does what a converter would do that a document has
// taken over, and must fail.

namespace dowser {
namespace {

class ConfinedRunTest : public testing::Test {
 protected:
  void SetUp() override {
    support_ = jail_support();
    if (!support_.is_enough()) GTEST_SKIP() << support_.missing();
    input_ = memory_file("a document");
    limits_.seconds = 600;  // much longer than a busy machine needs for the processor time
    limits_.jail.cpu_seconds = 2;
  }
  void TearDown() override {
    if (input_ >= 0) close(input_);
  }

  ConfinedRun run(const std::function<Result<std::string>(std::string_view)>& reader) {
    return run_confined({{}, reader}, input_, -1, support_, limits_);
  }
  // "yes" or "no": could the reader do it?
  std::string can(const std::function<bool()>& act) {
    return run([&](std::string_view) { return std::string(act() ? "yes" : "no"); }).output;
  }

  JailSupport support_;
  ConversionLimits limits_;
  int input_ = -1;
};

TEST_F(ConfinedRunTest, a_reader_gets_the_document_and_its_text_comes_back) {
  const ConfinedRun run =
      this->run([](std::string_view document) { return "text of " + std::string(document); });
  EXPECT_TRUE(run.is_ok()) << run.errors;
  EXPECT_EQ(run.output, "text of a document");
}

TEST_F(ConfinedRunTest, files_outside_of_the_system_folders_cannot_be_read_or_written) {
  TempDir folder;
  const std::string mine = folder / "secret";
  ASSERT_TRUE(put_file(mine, "secret"));
  for (const std::string& path : {mine, std::string("/etc/passwd"), std::string("/proc/1/environ"),
                                  std::string("/etc/shadow")}) {
    EXPECT_EQ(can([&] { return open(path.c_str(), O_RDONLY) >= 0; }), "no") << path;
  }
  EXPECT_EQ(can([&] { return open((mine + "2").c_str(), O_CREAT | O_WRONLY, 0644) >= 0; }), "no");
  EXPECT_EQ(can([&] { return truncate(mine.c_str(), 0) == 0; }), "no");
  EXPECT_EQ(can([&] { return unlink(mine.c_str()) == 0; }), "no");
  EXPECT_EQ(can([&] { return rename(mine.c_str(), "/tmp/other") == 0; }), "no");
  EXPECT_EQ(*read_file(mine), "secret");
  EXPECT_EQ(can([] { return open("/usr/bin/env", O_RDONLY) >= 0; }), "yes");
}

TEST_F(ConfinedRunTest, a_mount_namespace_confines_as_well_where_landlock_is_missing) {
  if (!support_.namespaces) GTEST_SKIP() << "no user namespaces here";
  support_.landlock = false;
  EXPECT_EQ(can([] { return open("/etc/passwd", O_RDONLY) >= 0; }), "no");
  EXPECT_EQ(can([] { return open("/tmp/x", O_CREAT | O_WRONLY, 0644) >= 0; }), "no");
  EXPECT_EQ(can([] { return open("/usr/bin/env", O_RDONLY) >= 0; }), "yes");
}

TEST_F(ConfinedRunTest, there_is_no_network_and_no_socket) {
  EXPECT_EQ(can([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }), "no");
  EXPECT_EQ(can([] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }), "no");
  EXPECT_EQ(can([] {
              int ends[2];
              return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
            }),
            "no");
}

TEST_F(ConfinedRunTest, other_processes_cannot_be_made_or_signalled) {
  const pid_t test = getpid();
  EXPECT_EQ(can([] {
              const pid_t child = fork();
              if (child == 0) _exit(0);
              return child > 0;
            }),
            "no");
  EXPECT_EQ(can([&] { return kill(test, 0) == 0; }), "no");
}

TEST_F(ConfinedRunTest, a_reader_that_computes_for_ever_ends_at_its_processor_time) {
  const ConfinedRun run = this->run([](std::string_view) -> Result<std::string> {
    for (std::atomic<uint64_t> i = 0;; ++i) {
    }
  });
  EXPECT_EQ(run.signal, SIGXCPU);
}

TEST_F(ConfinedRunTest, a_reader_that_sleeps_ends_when_its_time_is_over) {
  limits_.seconds = 1;
  EXPECT_TRUE(run([](std::string_view) {
                sleep(60);
                return std::string();
              }).timed_out);
}

TEST_F(ConfinedRunTest, memory_is_bounded) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers need the addresses";
#endif
  limits_.jail.memory_bytes = 512u << 20;
  const ConfinedRun run = this->run([](std::string_view) {
    std::vector<std::string> kept;
    while (kept.size() < 1000) kept.emplace_back(size_t{16} << 20, 'x');
    return std::string("all of it");
  });
  EXPECT_FALSE(run.is_ok());
  EXPECT_EQ(run.errors, "out of memory");
}

TEST_F(ConfinedRunTest, output_without_end_is_cut_and_the_reader_ended) {
  limits_.output_bytes = 1 << 20;
  const ConfinedRun run = this->run([](std::string_view) {
    const std::string piece(1 << 16, 'x');
    while (write(1, piece.data(), piece.size()) > 0) {
    }
    return std::string();
  });
  EXPECT_TRUE(run.overflowed);
  EXPECT_EQ(run.output.size(), size_t{1} << 20);
}

TEST_F(ConfinedRunTest, a_program_that_ends_badly_is_reported_with_what_it_said) {
  const ConfinedRun run =
      this->run([](std::string_view) -> Result<std::string> { return Error{"page 3 is broken"}; });
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.errors, "page 3 is broken");
  EXPECT_EQ(this->run([](std::string_view) -> Result<std::string> { abort(); }).signal, SIGABRT);
}

}  // namespace
}  // namespace dowser
