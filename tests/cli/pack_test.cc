#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

class PackCommand : public testing::Test {
 protected:
  PackCommand() : site_(folder_ / "site"), other_(folder_ / "other"), to_(folder_ / "web.warc.gz") {
    for (const std::string& folder : {site_, other_}) {
      std::filesystem::create_directory(folder);
      EXPECT_TRUE(put_file(folder + "/index.html", "<title>Home</title>").ok());
    }
  }
  TempDir folder_;
  const std::string site_, other_, to_;
};

TEST_F(PackCommand, makes_an_archive_that_can_be_read) {
  const Ran ran = run_dowser({"pack", site_, "--host", "example.org", "--prefix", "/docs/", "--to",
                              to_, "--date", "2007-05-28T00:00:00Z", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out, nullptr, false);
  EXPECT_EQ(out["pages"], 1);
  EXPECT_EQ(out["redirects"], 1);
  EXPECT_EQ(out["bytes"], 19);
  EXPECT_EQ(out["date"], "2007-05-28T00:00:00Z");
  EXPECT_EQ(out["skipped"], json::array());
  const Ran page =
      run_dowser({"inspect", "page", "http://example.org/docs/", "--web", to_, "--json"});
  ASSERT_EQ(page.code, 0) << page.err;
  EXPECT_EQ(json::parse(page.out)["url"], "http://example.org/docs/index.html");
  EXPECT_EQ(json::parse(page.out)["title"], "Home");
}

TEST_F(PackCommand, hosts_go_with_folders_in_their_order) {
  const Ran ran =
      run_dowser({"pack", site_, other_, "--host", "one.org", "--host", "two.org", "--to", to_});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("2 pages and 2 redirects"), std::string::npos) << ran.out;
  for (const char* url : {"http://one.org/", "http://two.org/"}) {
    EXPECT_EQ(run_dowser({"inspect", "page", url, "--web", to_}).code, 0) << url;
  }
}

TEST_F(PackCommand, wrong_usage_is_told) {
  EXPECT_EQ(run_dowser({"pack", site_, "--to", to_}).code, 2);
  EXPECT_EQ(run_dowser({"pack", site_, "--host", "example.org"}).code, 2);
  EXPECT_EQ(run_dowser({"pack", "--host", "example.org", "--to", to_}).code, 2);
  EXPECT_EQ(run_dowser({"pack", site_, "--host", "a.org", "--to", to_, "--date", "today"}).code, 2);
  const Ran three = run_dowser(
      {"pack", site_, "--host", "a.org", "--host", "b.org", "--host", "c.org", "--to", to_});
  EXPECT_EQ(three.code, 2);
  const Ran missing = run_dowser({"pack", folder_ / "none", "--host", "a.org", "--to", to_});
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("is not a folder"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(to_));
}

}  // namespace
}  // namespace dowser
