#include "run/config.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace dowser {
namespace {

TEST(Config, round_trips_through_toml) {
  CrawlConfig config;
  config.seeds = {"http://a.test/", "http://b.test/\"quoted\\\""};
  config.topic = "bird \"nest\"\n\x01 ünïcode";
  config.examples = {"one.html"};
  config.strategy = "best-first-n(n=7)";
  config.threshold = 0.125;
  config.web = {"a.warc.gz", "b.warc.gz"};
  config.max_pages = 17;
  config.stop_at_recall = 0.9;
  config.max_time = std::chrono::minutes(90);
  config.delay = std::chrono::milliseconds(250);
  const std::string text = config_text(config);
  CrawlConfig again;
  const Status read = read_config_text(text, "test", again);
  ASSERT_TRUE(read.ok()) << read.error().message << "\n" << text;
  EXPECT_EQ(config_text(again), text);
  EXPECT_EQ(again.topic, config.topic);
  EXPECT_EQ(again.seeds, config.seeds);
  EXPECT_EQ(again.threshold, config.threshold);
  EXPECT_EQ(again.max_time, config.max_time);
  EXPECT_EQ(again.stop_at_recall, config.stop_at_recall);
}

TEST(Config, the_token_of_the_metrics_is_read_and_never_written) {
  CrawlConfig config;
  ASSERT_TRUE(read_config_text("metrics-token = \"secret\"", "test", config).ok());
  EXPECT_EQ(config.metrics_token, "secret");
  EXPECT_EQ(config_text(config).find("token"), std::string::npos);
}

TEST(Config, what_is_wrong_in_a_file_is_said_in_one_sentence_with_its_line) {
  struct Case {
    std::string toml, message;
  };
  for (const Case& c : std::vector<Case>{
           {"max-pages = 5\nmax-page = 7",
            "t.toml, line 2: there is no setting 'max-page' (did you mean 'max-pages'?)"},
           {"max-pages = -3",
            "t.toml, line 1: max-pages must be a whole number of at least 0, not '-3'"},
           {"delay = \"soon\"",
            "t.toml, line 1: delay: 'soon' is not a time: write 500ms, 90s, 15m, 2h or 1d"},
           {"threshold = 1.5", "t.toml, line 1: threshold must be a number from 0 to 1, not '1.5'"},
           {"missing = \"keep\"", "t.toml, line 1: missing must be one of drop, 404, not 'keep'"},
           {"[topic]\nwords = 1", "t.toml, line 1: topic has a value of the wrong type"},
           {"seed = [[\"a\"]]", "t.toml, line 1: seed must be a list of strings"},
       }) {
    CrawlConfig config;
    const Status read = read_config_text(c.toml, "t.toml", config);
    ASSERT_FALSE(read.ok()) << c.toml;
    EXPECT_EQ(read.error().message, c.message);
  }
}

TEST(Config, broken_toml_is_refused_with_its_line) {
  CrawlConfig config;
  const Status read = read_config_text("topic = \"x\"\nseed = [", "t.toml", config);
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().message.starts_with("t.toml, line 2: ")) << read.error().message;
}

TEST(Config, a_crawl_needs_a_start_a_topic_a_folder_and_on_the_live_web_a_contact) {
  CrawlConfig config;
  const auto message = [&] {
    const Status s = check_config(config);
    return s.ok() ? std::string() : s.error().message;
  };
  EXPECT_NE(message().find("--seed"), std::string::npos);
  config.seeds = {"http://a.test/"};
  EXPECT_NE(message().find("--topic"), std::string::npos);
  config.topic = "birds";
  EXPECT_NE(message().find("--out"), std::string::npos);
  config.out = "x";
  EXPECT_NE(message().find("--contact"), std::string::npos)
      << "the live web wants to know who asks";
  config.web = {"a.warc.gz"};
  EXPECT_EQ(message(), "");
  config.web.clear();
  config.contact = "me@example.org";
  EXPECT_EQ(message(), "");
}

}  // namespace
}  // namespace dowser
