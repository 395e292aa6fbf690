#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "tests/support.h"

// What tools/new refuses. That its skeletons compile and work is the business of test_new, which
// tests/CMakeLists.txt makes of them.

namespace dowser {
namespace {

namespace fs = std::filesystem;

struct Copy {
  TempDir folder;

  Copy() {
    for (const char* file :
         {"src/strategy/strategy.h", "src/strategy/random.cc", "src/judge/judge.h",
          "src/engine/plugins.cc", "docs/strategies.md", "src/cli/commands.h", "src/cli/main.cc"}) {
      fs::create_directories(fs::path(folder / file).parent_path());
      fs::copy_file(source_dir() / file, folder / file);
    }
  }

  int make(const std::string& arguments) {
    const std::string command = "'" + (source_dir() / "tools/new").string() + "' " + arguments +
                                " --tree " + folder.path().string() + " > " + folder / "out" +
                                " 2>&1";
    const int code = WEXITSTATUS(std::system(command.c_str()));
    said = *read_file(folder / "out");
    return code;
  }
  std::string text(const std::string& file) const { return *read_file(folder / file); }

  std::string said;
};

TEST(New, refuses_a_name_that_is_taken_or_is_none_and_changes_nothing) {
  for (const auto& [arguments, reason] : std::vector<std::pair<std::string, std::string>>{
           {"strategy random", "src/strategy/random.cc exists already: choose another name"},
           {"strategy learned", "has make_learned already: choose another name"},
           {"judge svm", "has make_svm_judge already: choose another name"},
           {"command crawl", "has crawl_command already: choose another name"},
           {"strategy My_Idea", "'My_Idea' is not a name in lower case with hyphens"},
           {"planet mars", "invalid choice: 'planet'"}}) {
    Copy copy;
    const std::string before = copy.text("src/engine/plugins.cc");
    EXPECT_NE(copy.make(arguments), 0) << arguments;
    EXPECT_NE(copy.said.find(reason), std::string::npos) << copy.said;
    EXPECT_EQ(copy.text("src/engine/plugins.cc"), before);
  }
}

TEST(New, keeps_the_lists_sorted) {
  Copy copy;
  EXPECT_EQ(copy.make("strategy aardvark"), 0) << copy.said;
  EXPECT_EQ(copy.make("strategy zebra"), 0) << copy.said;
  const std::string list = copy.text("src/engine/plugins.cc");
  EXPECT_LT(list.find("{\"aardvark\""), list.find("{\"best-first\""));
  EXPECT_LT(list.find("{\"url-combined\""), list.find("{\"zebra\""));
  EXPECT_LT(list.find("{\"zebra\""), list.find("JudgePlugin kJudges"));
}

}  // namespace
}  // namespace dowser
