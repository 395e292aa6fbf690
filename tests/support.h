#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What several test programs need. The collections of ../shared/data are used where they are: in
// $DOWSER_DATA, or in ../shared/data beside the project. A test that needs one and cannot find it
// skips:
//
//   const auto file = test_data("gold/urltestdata.json");
//   if (!file) GTEST_SKIP() << kNoData;

namespace dowser {

// The reason then names each collection that test_data() has looked for in vain since the last
// skip, and where.
struct NoData {};
inline constexpr NoData kNoData;
std::ostream& operator<<(std::ostream& out, NoData);

std::optional<std::filesystem::path> test_data(std::string_view name);

// The root of the source tree.
std::filesystem::path source_dir();

// The `dowser` program of this build.
std::filesystem::path dowser_program();

// What a run of the program left: its exit code (128 + the number of the signal that ended it) and
// what it printed.
struct Ran {
  int code = -1;
  std::string out, err;
};

// A run of dowser_program(), without a shell. Killed when the object goes.
class DowserProcess {
 public:
  explicit DowserProcess(const std::vector<std::string>& arguments);
  ~DowserProcess();
  DowserProcess(const DowserProcess&) = delete;
  DowserProcess& operator=(const DowserProcess&) = delete;

  // The first line of its standard output, without the line end; waits for it.
  std::string first_line();
  void signal(int number);
  // Waits until the program has a handler for this signal.
  void wait_until_it_handles(int signal);
  // Waits until it ends. One that hangs is killed after ten minutes.
  Ran wait();

 private:
  bool has_ended();

  int pid_ = -1;
  int out_ = -1, err_ = -1;  // files without a name
  std::optional<int> code_;
};

Ran run_dowser(const std::vector<std::string>& arguments);

// Replaces a file whatever it holds, as a person would who prepares or damages it.
Status put_file(const std::filesystem::path& path, std::string_view content);

// A new empty folder that is removed when the object goes.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace dowser
