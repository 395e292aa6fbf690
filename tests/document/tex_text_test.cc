#include "document/tex_text.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

std::string text(std::string_view source) { return *text_of_tex(source); }

TEST(TexText, commands_go_and_what_they_enclose_stays) {
  EXPECT_EQ(text("The \\emph{quick} {\\bf brown} fox"), "The quick brown fox");
  EXPECT_EQ(text("See \\cite{knuth84} and \\ref{fig:a}."), "See and .");
  EXPECT_EQ(text("\\section{Methods}\nWe do."), "Methods We do.");
  EXPECT_EQ(text("before\\title{On Trees}\n\nafter"), "On Trees\n\n\nbefore\nafter");
}

TEST(TexText, comments_and_mathematics_are_left_out) {
  EXPECT_EQ(text("seen % not seen\nagain"), "seen again");
  EXPECT_EQ(text("50\\% of it"), "50% of it");
  EXPECT_EQ(text("where $x^2 + y$ is, $$z$$ here"), "where is, here");
  EXPECT_EQ(text("a\n\\begin{equation}x = \\frac{1}{2}\\end{equation}\nb"), "a\nb");
}

TEST(TexText, accents_and_special_characters_become_letters) {
  EXPECT_EQ(text("Erd\\H{o}s"), "Erdo\u030bs");
  EXPECT_EQ(text("caf\\'e"), "cafe\u0301");
  EXPECT_EQ(text("Stra\\ss e"), "Straße");
  EXPECT_EQ(text("``quoted''"), "\"quoted\"");
}

TEST(TexText, of_what_sets_TeX_up_only_title_and_authors_are_text) {
  EXPECT_EQ(
      text("\\documentclass[11pt]{article}\n\\definecolor{sky}{rgb}{.5,.5,1}\n% \\title{Old}\n"
           "\\newtheorem{lemma}{Lemma} 50\\% \\title[Trees]{On {\\em Tall} Trees}\\author{A. Elm}\n"
           "\\makeatletter \\begin{document}\\maketitle Trees \\color{red}grow.\\end{document}"),
      "On Tall Trees\n\n\nA. Elm\nTrees grow.\n");
  EXPECT_EQ(text("\\title{Never closed \\begin{document} but read"), "Never closed but read\n\n\n");
}

TEST(TexText, programs_between_the_text_are_left_out) {
  EXPECT_EQ(text("Trees\n<<plot, echo=FALSE>>=\nplot(trees)\n@\ngrow. 1 << 2"),
            "Trees grow. 1 << 2");
  EXPECT_EQ(text("Trees\n<<never closed>>=\nplot(trees)\n"), "Trees ");
}

TEST(TexText, nothing_is_included) {
  EXPECT_EQ(text("a\\input{/etc/passwd}b \\include{/etc/shadow}c"), "ab c");
  EXPECT_EQ(text("\\openin5=/etc/passwd \\read5 to\\x"), "5=/etc/passwd 5 to");
}

TEST(TexText, broken_input_of_any_kind_ends) {
  for (const std::string_view source :
       {"\\", "{", "}", "$", "$$", "\\begin{", "\\begin{equation}", "\\'", "\\'{", "\\cite{", "%",
        "\\[", "\\(", "\\def", "\\bibitem[", "[[[["}) {
    EXPECT_LT(text(source).size(), 20u) << source;
  }
  EXPECT_LT(text(std::string(1'000'000, '{')).size(), 10u);
  EXPECT_LT(text("\\cite" + std::string(1'000'000, '{')).size(), 10u);
}

}  // namespace
}  // namespace dowser
