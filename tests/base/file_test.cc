#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/new_file.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

// Reading the first bytes of this file is an input/output error.
TEST(File, a_file_that_fails_while_it_is_read_is_an_error_and_no_exception) {
  const auto read = read_file("/proc/self/mem");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "cannot read /proc/self/mem: Input/output error");
}

TEST(File, what_has_no_end_is_read_to_the_limit_only) {
  const auto read = read_file("/dev/zero", 3 << 20);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "cannot read /dev/zero: it has more than 3 MiB, which is too much for such a file");
  // Also where a large file would be read.
  const auto endless = read_file("/dev/zero", kLargestData);
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.error().message,
            "cannot read /dev/zero: it has more than 64 MiB, which is too much for such a file");
  const TempDir dir;
  ASSERT_TRUE(put_file(dir / "large", std::string((1 << 20) + 1, 'x')));
  EXPECT_FALSE(read_file(dir / "large", 1 << 20).ok());
  EXPECT_TRUE(read_file(dir / "large", (1 << 20) + 1).ok());
}

TEST(File, a_pipe_is_read_unless_nobody_writes_to_it) {
  const TempDir dir;
  const std::string pipe = dir / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto idle = read_file(pipe);
  ASSERT_FALSE(idle.ok());
  EXPECT_EQ(idle.error().message, "cannot read " + pipe + ": it is a pipe that nothing comes from");
  const int writer = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::write(writer, "some ", 5), 5);
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::write(writer, "words", 5), 5);
    ::close(writer);
  });
  const auto read = read_file(pipe);
  late.join();
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, "some words");
}

TEST(File, what_is_written_is_read) {
  const TempDir dir;
  const std::string path = dir / "a";
  for (const std::string& content : {std::string(), std::string("text\n"),
                                     std::string("\0\r\n\xFF", 4), std::string(1 << 20, 'x')}) {
    ASSERT_TRUE(write_file(path, content));
    const Result<std::string> read = read_file(path);
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(*read == content) << content.size();
    const Result<MappedFile> mapped = MappedFile::open(path);
    ASSERT_TRUE(mapped.ok());
    EXPECT_TRUE(mapped->bytes() == content) << content.size();
  }
}

TEST(File, a_pipe_in_place_of_an_archive_is_refused_at_once) {
  const TempDir dir;
  const std::string pipe = dir / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(pipe).error().message, "cannot read " + pipe + ": it is not a file");
}

TEST(File, writing_leaves_nothing_else_behind) {
  const TempDir dir;
  ASSERT_TRUE(write_file(dir / "a", "one"));
  ASSERT_TRUE(write_file(dir / "a", "two"));
  fs::create_directories(dir / "full/of");
  EXPECT_FALSE(write_file(dir / "full", "a file cannot replace a folder").ok());
  size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(dir.path())) ++entries;
  EXPECT_EQ(entries, 2u);
}

TEST(File, what_is_no_file_is_written_to_and_not_replaced) {
  const TempDir dir;
  const std::string pipe = dir / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file(pipe, "through the pipe"));
  char bytes[32];
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 16);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  // A link to the device, so that a fault replaces the link and not the device of the machine.
  fs::create_symlink("/dev/full", dir / "full");
  EXPECT_EQ(write_file(dir / "full", "x").error().message,
            "cannot write " + (dir / "full") + ": No space left on device");
  EXPECT_TRUE(fs::is_symlink(dir / "full"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(File, an_open_file_is_appended_to_by_its_number) {
  const TempDir dir;
  ASSERT_TRUE(write_file(dir / "log", "before\n"));
  const int log = ::open((dir / "log").c_str(), O_WRONLY | O_APPEND);
  fs::create_symlink("/proc/self/fd/" + std::to_string(log), dir / "stdout");  // as /dev/stdout is
  for (const std::string& name : {dir / "stdout", "/dev/fd/" + std::to_string(log)}) {
    ASSERT_TRUE(write_file(name, "a result\n")) << name;
  }
  ::close(log);
  EXPECT_EQ(*read_file(dir / "log"), "before\na result\na result\n");
}

TEST(File, of_a_symbolic_link_the_file_is_replaced) {
  const TempDir dir;
  ASSERT_TRUE(write_file(dir / "real", "old"));
  fs::create_symlink("real", dir / "link");
  ASSERT_TRUE(write_file(dir / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(dir / "link"));
  EXPECT_EQ(*read_file(dir / "real"), "new");
}

TEST(File, errors_name_the_file_and_the_reason) {
  const TempDir dir;
  const std::string missing = dir / "none/a";
  const std::string reason = missing + ": No such file or directory";
  EXPECT_EQ(read_file(missing).error().message, "cannot read " + reason);
  EXPECT_EQ(MappedFile::open(missing).error().message, "cannot read " + reason);
  EXPECT_EQ(write_file(missing, "x").error().message, "cannot write " + reason);
  EXPECT_FALSE(read_file(dir.path()).ok());
  EXPECT_FALSE(MappedFile::open(dir.path()).ok());
}

TEST(MappedFile, survives_moving_and_the_removal_of_its_name) {
  const TempDir dir;
  ASSERT_TRUE(write_file(dir / "a", "first"));
  ASSERT_TRUE(write_file(dir / "b", "second"));
  MappedFile a = *MappedFile::open(dir / "a");
  MappedFile b = *MappedFile::open(dir / "b");
  fs::remove(dir / "a");
  b = std::move(a);
  EXPECT_EQ(b.bytes(), "first");
  const MappedFile c(std::move(b));
  EXPECT_EQ(c.bytes(), "first");
}

}  // namespace
}  // namespace dowser
