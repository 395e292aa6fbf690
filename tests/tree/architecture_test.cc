#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "base/file.h"
#include "tests/support.h"

// What ARCHITECTURE.md says about the tree beyond the table of layers, which layers_test.cc reads.

namespace dowser {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "src")) {
    const std::string extension = entry.path().extension();
    if (extension == ".cc" || extension == ".h") files.push_back(entry.path());
  }
  return files;
}

TEST(Architecture, every_file_that_it_names_exists) {
  const auto text = read_file(source_dir() / "ARCHITECTURE.md");
  ASSERT_TRUE(text.ok());
  const std::regex name("`([a-z_]+/[a-z_0-9/]+\\.(cc|h))`");
  size_t names = 0;
  for (std::sregex_iterator it(text->begin(), text->end(), name), end; it != end; ++it, ++names) {
    const std::string file = (*it)[1];
    EXPECT_TRUE(fs::exists(source_dir() / "src" / file) || fs::exists(source_dir() / file)) << file;
  }
  EXPECT_GT(names, 30u);
}

// Two types of one name in namespace dowser compile and link, and then vectors of one of them are
// made with the size of the other.
TEST(Architecture, every_type_has_a_name_of_its_own) {
  const std::regex type("^(?:struct|class|enum class) (\\w+)(?: final)?(?: :| \\{)");
  std::map<std::string, fs::path> places;
  for (const fs::path& file : sources()) {
    std::ifstream in(file);
    bool is_local = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("namespace {")) is_local = true;
      if (line == "}  // namespace") is_local = false;
      std::smatch found;
      if (is_local || !std::regex_search(line, found, type)) continue;
      const auto [place, is_new] = places.try_emplace(found[1], file);
      EXPECT_TRUE(is_new) << found[1] << " is in " << place->second << " and in " << file;
    }
  }
  EXPECT_GT(places.size(), 200u);
}

TEST(Architecture, sql_stands_in_the_store_only) {
  const std::regex sql("\"\\s*(SELECT|INSERT (OR REPLACE )?INTO|CREATE TABLE|DELETE FROM|PRAGMA) ");
  size_t in_store = 0;
  for (const fs::path& file : sources()) {
    const auto text = read_file(file);
    ASSERT_TRUE(text.ok());
    const bool has_sql = std::regex_search(*text, sql);
    const bool is_store = file.parent_path().filename() == "store";
    in_store += has_sql && is_store;
    EXPECT_FALSE(has_sql && !is_store) << file << ": put the query into store/catalogue_reader.h";
  }
  EXPECT_GT(in_store, 2u);
}

}  // namespace
}  // namespace dowser
