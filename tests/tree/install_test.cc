#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "base/file.h"
#include "tests/support.h"

// tools/install waits while another program uses the package manager. The tests run the real
// apt-get on a package manager of its own in a temporary folder, without package sources, so that
// nothing is fetched or installed.

namespace dowser {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kHeld{1500};

// Holds one of apt's locks: these are fcntl locks, which belong to a process.
class Lock {
 public:
  explicit Lock(const std::string& file) : file_(open(file.c_str(), O_RDWR | O_CREAT, 0640)) {
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    held_ = fcntl(file_, F_SETLK, &whole) == 0;
  }
  ~Lock() { close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool held() const { return held_; }

 private:
  int file_ = -1;
  bool held_ = false;
};

struct PackageManager {
  TempDir folder;

  PackageManager() {
    for (const char* name : {"lists/partial", "cache/archives/partial", "dpkg", "etc"}) {
      fs::create_directories(folder / name);
    }
    const std::string root = folder.path().string();
    EXPECT_TRUE(put_file(folder / "dpkg/status", ""));
    EXPECT_TRUE(
        put_file(folder / "apt.conf", "Dir::State \"" + root + "\";\n" + "Dir::State::lists \"" +
                                          root + "/lists\";\n" + "Dir::State::status \"" + root +
                                          "/dpkg/status\";\n" + "Dir::Cache \"" + root +
                                          "/cache\";\n" + "Dir::Etc \"" + root + "/etc\";\n"));
  }

  // Runs tools/install while this process holds the lock for kHeld; returns how long it took.
  Clock::duration install(const std::string& lock, const std::string& arguments) {
    const std::string command = "APT_CONFIG=" + folder / "apt.conf" + " '" +
                                (source_dir() / "tools/install").string() + "' " + arguments +
                                " > " + folder / "out" + " 2>&1";
    const auto begin = Clock::now();
    Clock::duration took{};
    std::thread run;
    {
      const Lock held(folder / lock);
      EXPECT_TRUE(held.held());
      run = std::thread([&] {
        code = WEXITSTATUS(std::system(command.c_str()));
        took = Clock::now() - begin;
      });
      std::this_thread::sleep_for(kHeld);
    }
    run.join();
    said = *read_file(folder / "out");
    return took;
  }

  int code = -1;
  std::string said;
};

bool can_run() { return geteuid() == 0 && fs::exists("/usr/bin/apt-get"); }

TEST(Install, waits_while_another_program_reads_the_package_lists) {
  if (!can_run()) GTEST_SKIP() << "needs apt-get and root";
  PackageManager manager;
  EXPECT_GE(manager.install("lists/lock", "--lists"), kHeld);
  EXPECT_EQ(manager.code, 0) << manager.said;
  EXPECT_NE(manager.said.find("waiting for another program"), std::string::npos) << manager.said;
}

TEST(Install, waits_while_another_program_installs) {
  if (!can_run()) GTEST_SKIP() << "needs apt-get and root";
  PackageManager manager;
  EXPECT_GE(manager.install("dpkg/lock-frontend", "no-such-package"), kHeld);
  // It got past the lock, and there is no such package.
  EXPECT_EQ(manager.code, 1);
  EXPECT_NE(manager.said.find("Unable to locate package"), std::string::npos) << manager.said;
}

TEST(Install, says_what_apt_says_where_no_lock_is_to_blame) {
  if (!can_run()) GTEST_SKIP() << "needs apt-get and root";
  PackageManager manager;
  manager.install("other", "no-such-package");
  EXPECT_EQ(manager.code, 1);
  EXPECT_NE(manager.said.find("Unable to locate package no-such-package"), std::string::npos);
  EXPECT_EQ(manager.said.find("waiting"), std::string::npos) << manager.said;
}

// A test that skips where a program is missing runs on a machine that tools/install has prepared.
TEST(Install, brings_every_program_that_tests_look_for) {
  const auto script = read_file(source_dir() / "tools/install");
  ASSERT_TRUE(script.ok());
  const size_t begin = script->find("\ntest=\"") + 7;
  const std::string packages = script->substr(begin, script->find('"', begin) - begin) + " ";
  for (const char* package :
       {"chromium", "curl", "ghostscript", "libxml2-utils", "nginx-light", "openssl",
        "poppler-utils", "python3-networkx", "python3-scipy", "weka"}) {
    EXPECT_NE(packages.find(std::string(package) + " "), std::string::npos) << package;
  }
}

}  // namespace
}  // namespace dowser
