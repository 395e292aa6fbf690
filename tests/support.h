#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// What several test programs need. The collections of ../shared/data are used where they are: in
// $DOWSER_DATA, or in ../shared/data beside the project. A test that needs one and cannot find it skips:
//
//   const auto file = test_data("gold/urltestdata.json");
//   if (!file) GTEST_SKIP() << kNoData;

namespace dowser {

inline constexpr std::string_view kNoData =
    "no data: set DOWSER_DATA to the folder that holds the collections";

std::optional<std::filesystem::path> test_data(std::string_view name);

// The root of the source tree.
std::filesystem::path source_dir();

// The `dowser` program of this build.
std::filesystem::path dowser_program();

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
