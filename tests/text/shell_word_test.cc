#include "text/shell_word.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace dowser {
namespace {

// What a real shell makes of the word.
std::string as_read_by_a_shell(const std::string& word) {
  std::string out;
  FILE* shell = popen(("printf %s " + word).c_str(), "r");
  for (int c; (c = std::fgetc(shell)) != EOF;) out += static_cast<char>(c);
  pclose(shell);
  return out;
}

TEST(ShellWord, is_read_by_a_shell_as_the_text_that_it_was) {
  for (const std::string text :
       {"http://a.test/b.html", "http://a.test/?a=1&b=2", "http://a.test/;echo$(id)",
        "it's 'quoted'", "a folder", "$HOME", "`id`", "*", "~", "a\"b", "\\"}) {
    EXPECT_EQ(as_read_by_a_shell(shell_word(text)), text);
  }
  EXPECT_EQ(shell_word("http://a.test/b.html"), "http://a.test/b.html");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace dowser
