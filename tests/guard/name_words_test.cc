#include "guard/name_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "guard/scope.h"

namespace dowser {
namespace {

std::string words(std::string_view name) {
  return fmt::format("{}", fmt::join(name_words(name), " "));
}

TEST(NameWords, are_split_at_what_is_no_letter_and_where_the_case_changes) {
  EXPECT_EQ(words("hw3.pdf"), "hw pdf");
  EXPECT_EQ(words("hwang.pdf"), "hwang pdf");
  EXPECT_EQ(words("CSHomework_2b.pdf"), "cs homework b pdf");
  EXPECT_EQ(words("myLectureNotes.ps.gz"), "my lecture notes ps gz");
  EXPECT_EQ(words("HW1.PDF"), "hw pdf");
  EXPECT_EQ(words("week%2012-lecture.txt"), "week lecture txt");
  EXPECT_EQ(words("2004"), "");
}

TEST(NameWords, documents_with_unwelcome_names_are_not_followed) {
  ScopeRules rules;
  rules.documents = true;
  rules.unwelcome_names = usual_unwelcome_names();
  const Result<Scope> scope = Scope::make(rules);
  ASSERT_TRUE(scope.ok());
  const auto reason = [&](std::string_view path) {
    return scope->check(*Url::parse(fmt::format("http://a.test/{}", path)), 1).reason;
  };
  for (const char* path : {"hw3.pdf", "cs/Assignment-2.ps", "my%20CV.doc", "Resume.pdf",
                           "week1.txt", "LectureNotes.pdf.gz", "exercise.tex", "syllabus.rtf"}) {
    EXPECT_EQ(reason(path), "unwelcome-name") << path;
  }
  for (const char* path : {"hwang.pdf", "cvs.pdf", "presume.pdf", "weekly.pdf", "hw3.html", "hw3/",
                           "hw/paper.pdf", "paper.pdf?hw=3"}) {
    EXPECT_EQ(reason(path), "") << path;
  }
}

}  // namespace
}  // namespace dowser
