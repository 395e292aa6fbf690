#include "engine/plugins.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/file.h"
#include "tests/support.h"

// The documents follow from the lists of plug-ins.

namespace dowser {
namespace {

// The names that docs/strategies.md describes: in bold at the beginning of a paragraph (one or
// several), or in the first column of the table of judges.
std::set<std::string> described_names() {
  std::set<std::string> names;
  std::istringstream lines(*read_file(source_dir() / "docs/strategies.md"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| ")) line.erase(0, 2);
    while (line.starts_with("**")) {
      const size_t end = line.find("**", 2);
      if (end == line.npos) break;
      names.insert(line.substr(2, end - 2));
      line.erase(0, end + 2);
      if (line.starts_with(", ")) line.erase(0, 2);
      // The parameters of one plug-in before the name of another.
      if (const size_t next = line.find("), **"); line.starts_with('(') && next != line.npos) {
        line.erase(0, next + 3);
      }
    }
  }
  return names;
}

TEST(Plugins, the_documents_describe_those_of_the_lists_and_no_others) {
  std::set<std::string> listed;
  for (const StrategyPlugin& plugin : strategy_plugins()) listed.emplace(plugin.name);
  for (const JudgePlugin& plugin : judge_plugins()) listed.emplace(plugin.name);
  EXPECT_EQ(described_names(), listed);
}

TEST(Plugins, the_lists_are_sorted_and_every_entry_has_a_summary) {
  const auto check = [](auto plugins) {
    for (size_t i = 0; i < plugins.size(); ++i) {
      EXPECT_FALSE(plugins[i].summary.empty()) << plugins[i].name;
      if (i > 0) {
        EXPECT_LT(plugins[i - 1].name, plugins[i].name);
      }
    }
  };
  check(strategy_plugins());
  check(judge_plugins());
}

}  // namespace
}  // namespace dowser
