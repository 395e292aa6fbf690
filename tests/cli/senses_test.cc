#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

size_t rows_with(std::string_view address, const std::string& csv) {
  size_t rows = 0;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) rows += line.find(address) != line.npos;
  return rows;
}

// A web in which twenty pages on planets and ten on metals have the word "mercury", and sixty
// others do not.
class Senses : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(fs::path(dir_ / "site"));
    std::string links;
    // Seven of twelve words, in an order of its own for each page.
    const auto add = [&](const std::string& name, const std::vector<std::string>& words, size_t i,
                         const std::string& also) {
      std::string text = also;
      for (size_t k = 0; k < 7; ++k) {
        text += fmt::format(" {} {}{}{}", words[(i * 5 + k * (1 + 2 * (i % 3))) % words.size()],
                            name, i, k);
      }
      const std::string file = fmt::format("{}{}.html", name, i);
      ASSERT_TRUE(put_file(dir_ / ("site/" + file),
                           fmt::format("<title>{} {}</title><p>{}</p>", name, i, text))
                      .ok());
      links += fmt::format("<li><a href=\"{}\">{} {}</a></li>", file, also, i);
    };
    const std::vector<std::string> planet = {"orbit",   "planet",    "crater",   "probe",
                                             "eclipse", "telescope", "comet",    "moon",
                                             "rocket",  "gravity",   "asteroid", "sun"},
                                   metal = {"liquid",      "compound", "toxic",   "ore",
                                            "thermometer", "alloy",    "vapour",  "amalgam",
                                            "cinnabar",    "poison",   "solvent", "barometer"},
                                   other = {"king",  "river",  "poem",   "railway",
                                            "bread", "castle", "violin", "harbour",
                                            "wheat", "senate", "bishop", "canal"};
    for (size_t i = 0; i < 20; ++i) add("planet", planet, i, "Mercury mercury");
    for (size_t i = 0; i < 10; ++i) add("metal", metal, i, "Mercury mercury");
    for (size_t i = 0; i < 60; ++i) add("other", other, i, "Page");
    ASSERT_TRUE(
        put_file(dir_ / "site/index.html", "<title>All</title><ul>" + links + "</ul>").ok());
    ASSERT_EQ(run_dowser({"pack", dir_ / "site", "--host", "a.example", "--to", web_}).code, 0);
  }

  Ran crawl() {
    return run_dowser({"crawl", "--web", web_, "--seed", "http://a.example/", "--topic", "mercury",
                       "--out", folder_, "--json"});
  }

  TempDir dir_;
  const std::string web_ = dir_ / "web.warc.gz", folder_ = dir_ / "crawl";
};

TEST_F(Senses, the_crawl_names_the_meanings_of_what_it_found) {
  const Ran ran = crawl();
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json["senses"].size(), 2u) << ran.out;
  EXPECT_EQ(json["senses"][0]["pages"], 20);
  EXPECT_EQ(json["senses"][1]["pages"], 10);
  EXPECT_NE(json["senses"][1]["words"].get<std::string>().find("metal"), std::string::npos);
  const std::string report = *read_file(folder_ + "/report.html");
  EXPECT_NE(report.find("Several meanings?"), std::string::npos);
  const std::string typical = json["senses"][1]["typical"][0];
  EXPECT_NE(typical.find("/metal"), std::string::npos) << typical;
}

TEST_F(Senses, the_one_that_is_chosen_is_kept_and_the_other_goes) {
  ASSERT_EQ(crawl().code, 0);
  const Ran ran = run_dowser({"rejudge", folder_, "--sense", "2", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(nlohmann::json::parse(ran.out)["senses"].empty()) << "examples have one meaning";
  const Ran found = run_dowser({"export", folder_, "--format", "csv", "--relevant"});
  EXPECT_EQ(rows_with("/metal", found.out), 10u);
  EXPECT_LE(rows_with("/planet", found.out), 2u) << "of twenty";
}

TEST_F(Senses, a_sense_that_is_not_there_changes_nothing) {
  ASSERT_EQ(crawl().code, 0);
  const std::string before = *read_file(folder_ + "/crawl.toml");
  for (const char* number : {"0", "3", "-1", "two", "1x"}) {
    const Ran ran = run_dowser({"rejudge", folder_, "--sense", number});
    EXPECT_EQ(ran.code, 2) << number;
    EXPECT_NE(ran.err.find("from 1 to 2"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(*read_file(folder_ + "/crawl.toml"), before);
  ASSERT_EQ(run_dowser({"rejudge", folder_, "--sense", "1"}).code, 0);
  const Ran again = run_dowser({"rejudge", folder_, "--sense", "1"});
  EXPECT_EQ(again.code, 2) << "there is only one meaning now";
  EXPECT_NE(again.err.find("--not-example"), std::string::npos) << again.err;
}

TEST_F(Senses, a_catalogue_that_cannot_be_read_is_named_with_what_to_do) {
  ASSERT_EQ(crawl().code, 0);
  fs::rename(folder_ + "/catalogue.sqlite", folder_ + "/away");
  const Ran ran = run_dowser({"rejudge", folder_, "--sense", "1"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("dowser check"), std::string::npos) << ran.err;
}

TEST_F(Senses, resume_takes_a_sense_too) {
  ASSERT_EQ(crawl().code, 0);
  const Ran ran = run_dowser({"resume", folder_, "--sense", "1", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Ran found = run_dowser({"export", folder_, "--format", "csv", "--relevant"});
  EXPECT_EQ(rows_with("/planet", found.out), 20u);
  EXPECT_LE(rows_with("/metal", found.out), 1u) << "of ten";
}

}  // namespace
}  // namespace dowser
