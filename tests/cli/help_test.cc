#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

const std::vector<std::vector<std::string>> kCommands = {{"compare"},
                                                         {"crawl"},
                                                         {"explain"},
                                                         {"judge"},
                                                         {"export"},
                                                         {"learn"},
                                                         {"pack"},
                                                         {"replay"},
                                                         {"resume"},
                                                         {"usage"},
                                                         {"inspect"},
                                                         {"inspect", "url"},
                                                         {"inspect", "page"},
                                                         {"inspect", "robots"},
                                                         {"inspect", "archive"}};

std::string help_of(std::vector<std::string> command) {
  command.emplace_back("--help");
  const Ran ran = run_dowser(command);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

TEST(Help, every_command_has_one_with_an_example) {
  const std::string all = run_dowser({"--help"}).out;
  for (const auto& command : kCommands) {
    EXPECT_NE(all.find("\n  " + command[0] + " "), std::string::npos) << command[0];
    EXPECT_NE(help_of(command).find("Example"), std::string::npos) << command.back();
  }
}

// docs/commands.md is made of the helps. After a change of one: DOWSER_WRITE_DOCS=1 ./test
// docs_commands_md
TEST(Help, docs_commands_md_says_the_same) {
  std::string page =
      "# The commands\n\nMade of `dowser COMMAND --help`: change it there, then run "
      "`DOWSER_WRITE_DOCS=1 ./test docs_commands_md`.\n";
  for (const auto& command : kCommands) {
    std::string name = "dowser";
    for (const std::string& word : command) name += " " + word;
    page += "\n## " + name + "\n\n```\n" + help_of(command) + "```\n";
  }
  const auto file = source_dir() / "docs" / "commands.md";
  if (std::getenv("DOWSER_WRITE_DOCS")) {
    ASSERT_TRUE(write_file(file, page).ok());
  }
  const auto written = read_file(file);
  ASSERT_TRUE(written.ok());
  EXPECT_TRUE(*written == page) << "run DOWSER_WRITE_DOCS=1 ./test docs_commands_md";
}

}  // namespace
}  // namespace dowser
