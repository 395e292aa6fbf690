#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

// --profile, --strategy cindi and dowser learn anchors, through the real program.

namespace dowser {
namespace {

using nlohmann::json;

// Two sites: one of birds, whose pages link to the next ones and to a page of rules; and one of
// stones, which every fourth page of birds links to.
class CindiCommand : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path birds = dir_.path() / "birds", stones = dir_.path() / "stones";
    std::filesystem::create_directories(birds / "private");
    std::filesystem::create_directories(stones);
    for (int i = 0; i < 24; ++i) {
      std::string html = "<title>Birds</title><p>birds build a nest of feathers and eggs, number " +
                         std::to_string(i) + " of the bird list</p>";
      for (const int next : {i + 1, i + 2}) {
        html +=
            "<p><a href=" + std::to_string(next) + ".html>bird " + std::to_string(next) + "</a>";
      }
      html += "<p><a href=private/" + std::to_string(i) + ".html>Terms and conditions</a>";
      if (i % 4 == 0) html += "<p><a href=http://stones.test/0.html>stones</a>";
      write(birds / (std::to_string(i) + ".html"), html);
      write(birds / "private" / (std::to_string(i) + ".html"),
            "<p>these conditions concern accounts and payment, paragraph " + std::to_string(i));
    }
    for (int i = 0; i < 5; ++i) {
      write(stones / (std::to_string(i) + ".html"),
            "<p>granite and marble lie in the quarry <a href=" + std::to_string(i + 1) +
                ".html>more</a>");
    }
    pack(birds, "birds.test", birds_);
    pack(stones, "stones.test", stones_);
  }

  static void write(const std::filesystem::path& file, const std::string& text) {
    ASSERT_TRUE(put_file(file, text).ok());
  }
  static void pack(const std::filesystem::path& site, const char* host, const std::string& to) {
    const Ran packed = run_dowser({"pack", site.string(), "--host", host, "--to", to});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }

  Ran crawl(const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> all = {"crawl",   "--web",
                                    birds_,    stones_,
                                    "--seed",  "http://birds.test/0.html",
                                    "--topic", "bird nest feather egg",
                                    "--judge", "keyword",
                                    "--json",  "--out",
                                    out};
    all.insert(all.end(), more.begin(), more.end());
    return run_dowser(all);
  }

  TempDir dir_;
  const std::string birds_ = dir_ / "birds.warc.gz", stones_ = dir_ / "stones.warc.gz";
};

TEST_F(CindiCommand, a_crawl_keeps_its_profile_and_is_resumed_without_the_file) {
  const std::string profile = dir_ / "mine.toml", out = dir_ / "out";
  write(profile, "[addresses]\nstop-directories = [\"private\"]\n");
  Ran ran = crawl(out, {"--profile", profile, "--strategy", "cindi", "--max-pages", "5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(*read_file(out + "/profile.toml"), *read_file(profile));
  std::filesystem::remove(profile);
  ran = run_dowser({"resume", out, "--max-pages", "100", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["fetched"], 24 + 5);  // nothing of /private/
  ran = run_dowser({"stats", out, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(CindiCommand, a_broken_or_contradictory_profile_is_refused_in_a_sentence) {
  const auto error = [&](const std::string& text) {
    const std::string profile = dir_ / "bad.toml";
    write(profile, text);
    const Ran ran = crawl(dir_ / "never", {"--profile", profile, "--strategy", "cindi"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_FALSE(std::filesystem::exists(dir_ / "never"));
    return ran.err;
  };
  EXPECT_NE(error("[adresses]\n").find("addresses"), std::string::npos);
  EXPECT_NE(error("[anchors]\npruning = []\n").find("pruning"), std::string::npos);
  EXPECT_NE(error("[tunnel]\nbias = 2\n").find("bias"), std::string::npos);
  EXPECT_NE(error("name = \n").find("line 1"), std::string::npos);
  const Ran ran = crawl(dir_ / "never", {"--profile", "computer-sience"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("computer-science"), std::string::npos) << ran.err;
}

TEST_F(CindiCommand, learns_anchors_from_a_crawl_with_layers_only) {
  const std::string out = dir_ / "out", plain = dir_ / "plain";
  ASSERT_EQ(crawl(out, {"--strategy", "cindi(without=graph)"}).code, 0);
  Ran ran = run_dowser({"learn", "anchors", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("[anchors]"), std::string::npos) << ran.out;
  ASSERT_EQ(crawl(plain, {"--strategy", "best-first"}).code, 0);
  ran = run_dowser({"learn", "anchors", plain});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("has no layers"), std::string::npos) << ran.err;
}

TEST_F(CindiCommand, explain_names_the_rule) {
  const std::string out = dir_ / "out";
  ASSERT_EQ(crawl(out, {"--strategy", "cindi"}).code, 0);
  const Ran ran = run_dowser({"explain", out, "http://stones.test/0.html"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("high"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("layer"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace dowser
