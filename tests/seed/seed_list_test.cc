#include "seed/seed_list.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

class SeedList : public testing::Test {
 protected:
  std::string file(std::string_view content) {
    const std::filesystem::path path = folder_.path() / "seeds.txt";
    EXPECT_TRUE(put_file(path, content).ok());
    return path.string();
  }

  std::string list(const std::vector<std::string>& addresses, const std::string& file = "") {
    const Result<std::vector<Url>> seeds = read_seeds(addresses, file);
    if (!seeds) return seeds.error().message;
    std::string text;
    for (const Url& seed : *seeds) text += std::string(seed.href()) + " ";
    return text;
  }

  TempDir folder_;
};

TEST_F(SeedList, holds_the_addresses_of_the_command_line_then_those_of_the_file) {
  EXPECT_EQ(list({"http://a/"}, file("http://b/\nhttps://c/\n")),
            "http://a/ http://b/ https://c/ ");
}

TEST_F(SeedList, skips_empty_lines_comments_and_carriage_returns) {
  EXPECT_EQ(list({}, file("# good sites\r\n\r\nhttp://b/\r\n\n#http://c/\n")), "http://b/ ");
}

TEST_F(SeedList, names_file_and_line_of_what_is_no_address) {
  const std::string name = file("http://b/\nftp://c/\n");
  EXPECT_EQ(list({}, name), name +
                                ", line 2: 'ftp://c/' is not an address to start from: it must "
                                "begin with http:// or https://");
  EXPECT_EQ(list({"b.org"}),
            "'b.org' is not an address to start from: it must begin with http:// or https://");
}

TEST_F(SeedList, an_empty_file_is_an_error) {
  const std::string name = file("# nothing yet\n");
  EXPECT_EQ(list({}, name), name + " contains no address to start from");
  EXPECT_EQ(list({"http://a/"}, name), "http://a/ ");
}

}  // namespace
}  // namespace dowser
