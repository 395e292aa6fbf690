#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

std::string help_of(std::vector<std::string> command) {
  command.emplace_back("--help");
  const Ran ran = run_dowser(command);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

// The names that a help lists, each at the beginning of a line, indented by two spaces.
std::vector<std::string> listed_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 3 || !line.starts_with("  ") || line[2] < 'a' || line[2] > 'z') continue;
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

// Every command, and after inspect those of inspect.
std::vector<std::vector<std::string>> all_commands() {
  std::vector<std::vector<std::string>> commands;
  for (const std::string& name : listed_in(run_dowser({"--help"}).out)) {
    commands.push_back({name});
    if (name != "inspect") continue;
    for (const char* what : {"url", "page", "robots", "archive"}) {
      commands.push_back({name, what});
    }
  }
  return commands;
}

TEST(Help, every_command_has_one_with_an_example) {
  const auto commands = all_commands();
  EXPECT_GE(commands.size(), 14u);
  for (const auto& command : commands) {
    EXPECT_NE(help_of(command).find("Example"), std::string::npos) << command.back();
  }
}

TEST(Help, the_readme_names_every_command) {
  const auto readme = read_file(source_dir() / "README.md");
  ASSERT_TRUE(readme.ok());
  for (const std::string& name : listed_in(run_dowser({"--help"}).out)) {
    EXPECT_NE(readme->find("| `" + name + "` |"), std::string::npos) << name;
  }
}

// docs/commands.md is generated from the help texts. After a change of one, run
// DOWSER_WRITE_DOCS=1 ./test docs_commands_md.
TEST(Help, docs_commands_md_says_the_same) {
  std::string page =
      "# The commands\n\nGenerated from `dowser COMMAND --help`: change the help texts, then run "
      "`DOWSER_WRITE_DOCS=1 ./test docs_commands_md`.\n";
  for (const auto& command : all_commands()) {
    std::string name = "dowser";
    for (const std::string& word : command) name += " " + word;
    page += "\n## " + name + "\n\n```\n" + help_of(command) + "```\n";
  }
  const auto file = source_dir() / "docs" / "commands.md";
  if (std::getenv("DOWSER_WRITE_DOCS")) {
    ASSERT_TRUE(put_file(file, page).ok());
  }
  const auto written = read_file(file);
  ASSERT_TRUE(written.ok());
  EXPECT_TRUE(*written == page) << "run DOWSER_WRITE_DOCS=1 ./test docs_commands_md";
}

}  // namespace
}  // namespace dowser
