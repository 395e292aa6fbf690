#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/made_schools.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

json json_of(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << "one object on one line";
  return json::parse(ran.out, nullptr, false);
}

TEST(Inspect, lists_what_can_be_inspected) {
  const Ran help = run_dowser({"inspect", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* input : {"url", "page", "robots", "archive"}) {
    EXPECT_NE(help.out.find(std::string("dowser inspect ") + input), std::string::npos);
    const Ran one = run_dowser({"inspect", input, "--help"});
    EXPECT_EQ(one.code, 0);
    EXPECT_NE(one.out.find("Example:\n  dowser inspect " + std::string(input)), std::string::npos);
  }
  EXPECT_EQ(run_dowser({"inspect"}).code, 2);
}

TEST(Inspect, an_unknown_word_names_the_nearest) {
  const Ran ran = run_dowser({"inspect", "robot"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("did you mean 'robots'?"), std::string::npos) << ran.err;
}

TEST(InspectUrl, shows_the_parts_and_what_a_crawl_makes_of_them) {
  const json out = json_of(run_dowser({"inspect", "url", "../b?PHPSESSID=1#c", "--base",
                                       "HTTP://www.Example.co.uk:8080/a/", "--json"}));
  EXPECT_EQ(out["href"], "http://www.example.co.uk:8080/b?PHPSESSID=1#c");
  EXPECT_EQ(out["host"], "www.example.co.uk:8080");
  EXPECT_EQ(out["port"], 8080);
  EXPECT_EQ(out["path"], "/b");
  EXPECT_EQ(out["query"], "PHPSESSID=1");
  EXPECT_EQ(out["fragment"], "c");
  EXPECT_EQ(out["canonical"], "http://www.example.co.uk:8080/b");
  EXPECT_EQ(out["seen_key"], "http://example.co.uk:8080/b");
  EXPECT_EQ(out["registrable_domain"], "example.co.uk");
  EXPECT_FALSE(out.contains("repairs"));
}

TEST(InspectUrl, repairs_are_told_apart_from_the_standard) {
  const json out = json_of(run_dowser(
      {"inspect", "url", "http:/www.example.net/", "--base", "http://example.org/", "--json"}));
  EXPECT_EQ(out["href"], "http://example.org/www.example.net/");
  EXPECT_EQ(out["repaired"], "http://www.example.net/");
  EXPECT_EQ(out["repairs"], json::array({"missing-slash"}));
}

TEST(InspectUrl, what_is_no_address_fails) {
  const Ran ran = run_dowser({"inspect", "url", "http://a:b/"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("is not a valid address"), std::string::npos);
  EXPECT_EQ(run_dowser({"inspect", "url", "a", "--base", "b"}).code, 2);
  EXPECT_EQ(run_dowser({"inspect", "url"}).code, 2);
}

TEST(InspectPage, shows_title_links_and_blocks) {
  TempDir folder;
  const std::string file = folder / "page.html";
  ASSERT_TRUE(put_file(file,
                       "<html lang=en><title>Some birds</title><meta name=description "
                       "content='All of them'><h1>Birds</h1><p>An owl is a <a rel=nofollow "
                       "href='http://example.org/owl'>bird of the night</a> and sees well.</p>")
                  .ok());
  const json out = json_of(run_dowser({"inspect", "page", file, "--json"}));
  EXPECT_EQ(out["title"], "Some birds");
  EXPECT_EQ(out["content_type"], "text/html");
  EXPECT_EQ(out["charset"], "utf-8");
  EXPECT_EQ(out["declared_language"], "en");
  EXPECT_EQ(out["description"], "All of them");
  ASSERT_EQ(out["links"].size(), 1u);
  const json& link = out["links"][0];
  EXPECT_EQ(link["url"], "http://example.org/owl");
  EXPECT_EQ(link["anchor"], "bird of the night");
  EXPECT_EQ(link["before"], "Birds\nAn owl is a ");
  EXPECT_EQ(link["after"], " and sees well.");
  EXPECT_EQ(link["rel"], json::array({"nofollow"}));
  EXPECT_EQ(link["tag_path"], "p>a");
  ASSERT_EQ(out["blocks"].size(), 2u);
  EXPECT_EQ(out["blocks"][0]["kind"], "heading");
  EXPECT_EQ(out["blocks"][0]["level"], 1);
  EXPECT_EQ(out["blocks"][1]["text"], "An owl is a bird of the night and sees well.");

  const Ran text = run_dowser({"inspect", "page", file});
  EXPECT_NE(text.out.find("[bird of the night] and sees well."), std::string::npos) << text.out;
}

TEST(InspectPage, reads_pages_of_archives) {
  const MadeSchools schools;
  const json out =
      json_of(run_dowser({"inspect", "page", "http://schools-wikipedia.org/wp/b/Bird.htm", "--web",
                          schools.web(), "--json"}));
  EXPECT_EQ(out["title"], "Bird");
  EXPECT_EQ(out["language"], "en");
  EXPECT_GT(out["links"].size(), 50u);
}

TEST(InspectPage, says_what_is_missing) {
  EXPECT_EQ(run_dowser({"inspect", "page", "/no/such/file.html"}).code, 1);
  const Ran ran = run_dowser({"inspect", "page", "http://example.org/"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("--web"), std::string::npos);
}

class InspectRobots : public testing::Test {
 protected:
  InspectRobots() : file_(folder_ / "robots.txt") {
    EXPECT_TRUE(
        put_file(file_,
                 "User-agent: *\nDisallow: /cgi-bin/\nDisallow: /%7Ejo/\nCrawl-delay: 2.5\n\n"
                 "User-agent: good\nAllow: /\nDisallow: /robots.txt\n"
                 "Sitemap: http://example.org/map.xml\n")
            .ok());
  }
  TempDir folder_;
  const std::string file_;
};

TEST_F(InspectRobots, prints_a_verdict_a_line) {
  const std::vector<std::string> urls = {"http://example.org/cgi-bin/a?b", "http://example.org/a"};
  EXPECT_EQ(run_dowser({"inspect", "robots", file_, "--agent", "other", urls[0], urls[1]}).out,
            "deny\thttp://example.org/cgi-bin/a?b\tDisallow: /cgi-bin/\t2\n"
            "allow\thttp://example.org/a\t\t0\n");
  EXPECT_EQ(run_dowser({"inspect", "robots", file_, "--agent", "good", urls[0]}).out,
            "allow\thttp://example.org/cgi-bin/a?b\tAllow: /\t7\n");
}

TEST_F(InspectRobots, json_adds_delay_sitemaps_and_what_a_crawl_does) {
  json out = json_of(run_dowser({"inspect", "robots", file_, "http://example.org/~jo/", "--json"}));
  EXPECT_EQ(out["agent"], "dowser");
  EXPECT_EQ(out["crawl_delay"], 2.5);
  EXPECT_EQ(out["sitemaps"], json::array({"http://example.org/map.xml"}));
  EXPECT_EQ(out["verdicts"][0]["crawl"], "deny");
  out = json_of(run_dowser(
      {"inspect", "robots", file_, "--agent", "good", "http://example.org/robots.txt", "--json"}));
  EXPECT_EQ(out["verdicts"][0]["verdict"], "deny");
  EXPECT_EQ(out["verdicts"][0]["crawl"], "allow");
  EXPECT_TRUE(out["crawl_delay"].is_null());
}

TEST(InspectArchive, counts_records_and_lists_errors) {
  TempDir folder;
  const std::string file = folder / "a.warc";
  const std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>A</title>";
  const std::string record =
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\n"
      "WARC-Date: 2007-05-28T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
      "Content-Length: " +
      std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
  ASSERT_TRUE(put_file(file, record + "junk\r\n\r\n" + record).ok());
  const json out = json_of(run_dowser({"inspect", "archive", file, "--json"}));
  EXPECT_EQ(out["records"], 2);
  EXPECT_EQ(out["types"], (json{{"response", 2}}));
  EXPECT_EQ(out["pages"], 2);
  EXPECT_EQ(out["hosts"], 1);
  EXPECT_EQ(out["statuses"], (json{{"200", 2}}));
  EXPECT_EQ(out["oldest"], "2007-05-28T00:00:00Z");
  ASSERT_EQ(out["errors"].size(), 1u);
  EXPECT_EQ(out["errors"][0]["offset"], record.size());
  const Ran text = run_dowser({"inspect", "archive", file});
  EXPECT_NE(text.out.find("errors    1\n    at "), std::string::npos) << text.out;
}

TEST(InspectArchive, what_is_no_archive_is_refused) {
  TempDir folder;
  ASSERT_TRUE(put_file(folder / "a.warc", "just words").ok());
  const Ran ran = run_dowser({"inspect", "archive", folder / "a.warc"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.find("dowser inspect archive: "), 0u);
}

}  // namespace
}  // namespace dowser
