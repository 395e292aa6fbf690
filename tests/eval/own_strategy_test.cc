#include <cstdio>

#include "tests/eval/made_web.h"

// The example of an own strategy is a program that works.

namespace dowser {
namespace {

struct Output {
  int code;
  std::string text;
};

Output run_example(const std::string& arguments) {
  const std::string command = std::string(DOWSER_OWN_STRATEGY) + " " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  return {WEXITSTATUS(pclose(pipe)), text};
}

TEST(OwnStrategy, the_example_compares_itself_with_the_built_in_ones) {
  const PackedWeb packed;
  const Output ran = run_example("'" + packed.web + "' '" + packed.labels + "'");
  ASSERT_EQ(ran.code, 0) << ran.text;
  for (const char* name : {"\nshallow ", "\nbest-first ", "\nbreadth-first ", "\noracle "}) {
    EXPECT_NE(ran.text.find(name), std::string::npos) << name << "\n" << ran.text;
  }
}

TEST(OwnStrategy, the_example_says_what_is_wrong) {
  EXPECT_EQ(run_example("").code, 2);
  const Output ran = run_example("/none.warc.gz /none.tsv");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.text.find("none.warc.gz"), std::string::npos) << ran.text;
}

}  // namespace
}  // namespace dowser
