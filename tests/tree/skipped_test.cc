#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "tests/support.h"

// ./test ends with tests/skipped, which counts the tests that did not run, by reason.

namespace dowser {
namespace {

std::string test_case(const std::string& name, const std::string& output, bool skipped) {
  return "<testcase name=\"" + name + "\" status=\"" + (skipped ? "notrun" : "run") + "\">" +
         (skipped ? "<skipped message=\"\"/>" : "") + "<system-out>" + output +
         "</system-out></testcase>\n";
}

std::string summary_of(const std::string& cases) {
  const TempDir dir;
  EXPECT_TRUE(put_file(dir / "tests.xml", "<testsuite>" + cases + "</testsuite>"));
  const std::string command = "python3 '" + (source_dir() / "tests/skipped").string() + "' '" +
                              dir / "tests.xml" + "' > '" + dir / "out'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return *read_file(dir / "out");
}

TEST(Skipped, tests_are_counted_by_their_reasons) {
  const std::string one = "[ RUN ] A.a\n/src/a_test.cc:63: Skipped\nno such data\n[  SKIPPED ] A.a";
  EXPECT_EQ(summary_of(test_case("a", one, true) + test_case("b", "[ OK ] B.b", false) +
                       test_case("c", one, true) +
                       test_case("d", "warcio_check: skipped, there is no npm here\n", true) +
                       test_case("e", "", true)),
            "\n4 tests were skipped:\n    2  no such data\n    1  there is no npm here\n"
            "    1  no reason was given\n");
}

TEST(Skipped, nothing_is_said_if_every_test_has_run) {
  EXPECT_EQ(summary_of(test_case("b", "[ OK ] B.b", false)), "");
}

TEST(Skipped, the_reason_names_the_collection_and_where_it_was_looked_for) {
  ASSERT_FALSE(test_data("no/such-collection.tsv"));
  const std::string reason = testing::PrintToString(kNoData);
  EXPECT_NE(reason.find("no/such-collection.tsv"), std::string::npos) << reason;
  EXPECT_NE(reason.find("set DOWSER_DATA to a folder that has it"), std::string::npos) << reason;
}

}  // namespace
}  // namespace dowser
