#include "archive/archive_index.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "archive/warc_writer.h"
#include "base/file.h"
#include "base/hash.h"
#include "tests/archive/made_records.h"
#include "tests/support.h"

namespace dowser {
namespace {

Time day(int n) { return *parse_iso8601("2007-05-01T00:00:00Z") + std::chrono::hours(24 * n); }

Response page(std::string_view address, std::string body, int date) {
  Response response;
  if (auto url = Url::parse(address)) response.url = *url;
  response.status = 200;
  response.reason = "OK";
  response.headers.add("X-Day", std::to_string(date));
  response.body = std::move(body);
  response.fetched_at = day(date);
  return response;
}

class ArchiveSetTest : public testing::Test {
 protected:
  // Writes one archive of these records.
  void write(const std::string& prefix, const std::vector<WarcRecord>& records) {
    WarcWriter writer({folder_.path(), prefix});
    std::string file;
    for (const WarcRecord& record : records) file = writer.write(record)->file;
    files_.push_back(folder_.path() / file);
  }
  ArchiveSet open(ArchiveSet::Pick pick = ArchiveSet::Pick::kNewest) {
    auto set = ArchiveSet::open(files_, pick);
    EXPECT_TRUE(set.ok());
    return std::move(*set);
  }
  static std::string body(const ArchiveSet& set, std::string_view url) {
    const auto ref = set.find(url);
    if (!ref) return "none";
    const auto response = set.load(*ref);
    return response ? response->body : "error: " + response.error().message;
  }

  TempDir folder_;
  std::vector<std::filesystem::path> files_;
};

TEST_F(ArchiveSetTest, answers_are_found_over_several_files) {
  write("one", {response_record(page("http://a.org/", "a", 1))});
  write("two", {response_record(page("http://b.org/x?y", "b", 2)),
                resource_record(*Url::parse("http://b.org/r"), day(2), "image/png", "png")});
  const ArchiveSet set = open();
  EXPECT_EQ(body(set, "http://a.org/"), "a");
  EXPECT_EQ(body(set, "http://b.org/x?y"), "b");
  EXPECT_EQ(body(set, "http://b.org/"), "none");
  EXPECT_EQ(set.urls(),
            (std::vector<std::string>{"http://a.org/", "http://b.org/x?y", "http://b.org/r"}));
  const auto resource = set.load(*set.find("http://b.org/r"));
  ASSERT_TRUE(resource.ok());
  EXPECT_EQ(resource->status, 200);
  EXPECT_EQ(resource->content_type(), "image/png");
  EXPECT_EQ(resource->body, "png");
  EXPECT_EQ(resource->url.href(), "http://b.org/r");
  EXPECT_EQ(resource->fetched_at, day(2));
}

TEST_F(ArchiveSetTest, an_address_is_found_in_its_other_spellings) {
  WarcRecord sloppy = response_record(page("http://x.org/", "sloppy", 1));
  sloppy.target = "http://Example.org?q=a b";
  write("one", {sloppy, response_record(page("http://a.org/%7Eb", "b", 1))});
  const ArchiveSet set = open();
  EXPECT_EQ(body(set, "http://Example.org?q=a b"), "sloppy");
  EXPECT_EQ(body(set, "http://example.org/?q=a%20b"), "sloppy");
  EXPECT_EQ(body(set, "HTTP://EXAMPLE.org:80/?q=a%20b#top"), "sloppy");
  EXPECT_EQ(body(set, "http://a.org/%7Eb#x"), "b");
  EXPECT_EQ(body(set, "not an address"), "none");
}

TEST_F(ArchiveSetTest, of_several_captures_the_newest_or_the_oldest_answers) {
  write("one", {response_record(page("http://a.org/", "second", 2)),
                response_record(page("http://a.org/", "first", 1)),
                response_record(page("http://a.org/", "third", 3))});
  EXPECT_EQ(body(open(), "http://a.org/"), "third");
  EXPECT_EQ(body(open(ArchiveSet::Pick::kOldest), "http://a.org/"), "first");
}

TEST_F(ArchiveSetTest, a_revisit_has_its_own_head_and_the_first_body) {
  const Response first = page("http://a.org/", "same", 1);
  // The revisit stands before what it refers to, in another file.
  write("one", {revisit_record(page("http://a.org/", "same", 5), first.url, day(1)),
                revisit_record(page("http://b.org/", "same", 6), first.url, day(1))});
  write("two", {response_record(first)});
  const ArchiveSet set = open();
  EXPECT_TRUE(set.errors().empty());
  for (const auto& [url, day_of_head] : {std::pair{"http://a.org/", "5"}, {"http://b.org/", "6"}}) {
    const auto response = set.load(*set.find(url));
    ASSERT_TRUE(response.ok());
    EXPECT_EQ(response->body, "same");
    EXPECT_EQ(response->headers.get("X-Day"), day_of_head);
    EXPECT_EQ(response->url.href(), url);
  }
}

TEST_F(ArchiveSetTest, a_revisit_without_its_payload_does_not_hide_another_capture) {
  const Response lost = page("http://lost.org/", "lost", 1);
  write("one", {response_record(page("http://a.org/", "old", 1)),
                revisit_record(page("http://a.org/", "lost", 5), lost.url, day(1)),
                revisit_record(page("http://b.org/", "lost", 5), lost.url, day(1))});
  const ArchiveSet set = open();
  EXPECT_EQ(body(set, "http://a.org/"), "old");
  EXPECT_EQ(body(set, "http://b.org/"), "none");
  EXPECT_EQ(set.errors().size(), 2u);
}

TEST_F(ArchiveSetTest, chunked_and_cut_answers_are_repaired_and_marked) {
  WarcRecord chunked = response_record(page("http://a.org/", "", 1));
  chunked.block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  WarcRecord cut = response_record(page("http://b.org/", "half", 1));
  cut.headers.add("WARC-Truncated", "length");
  write("one", {chunked, cut});
  const ArchiveSet set = open();
  EXPECT_EQ(body(set, "http://a.org/"), "hello");
  EXPECT_TRUE(set.load(*set.find("http://b.org/"))->truncated);
  EXPECT_FALSE(set.load(*set.find("http://a.org/"))->truncated);
}

TEST_F(ArchiveSetTest, a_file_that_cannot_be_read_is_an_error) {
  EXPECT_FALSE(ArchiveSet::open(std::vector<std::filesystem::path>{"/no/such/file"}).ok());
  ASSERT_TRUE(put_file(folder_ / "x.warc", "<html>").ok());
  EXPECT_FALSE(ArchiveSet::open(std::vector{folder_.path() / "x.warc"}).ok());
}

TEST_F(ArchiveSetTest, many_threads_may_read) {
  std::vector<WarcRecord> records;
  for (int i = 0; i < 50; ++i) {
    records.push_back(
        response_record(page("http://a.org/" + std::to_string(i), std::to_string(i), 1)));
  }
  write("one", records);
  const ArchiveSet set = open();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        wrong[t] += body(set, "http://a.org/" + std::to_string(i % 50)) != std::to_string(i % 50);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int n : wrong) EXPECT_EQ(n, 0);
}

TEST(ArchiveSetGold, real_collections_answer_for_every_address) {
  for (const auto& [name, addresses] :
       {std::pair{"schools.warc.gz", 5233u}, {"webkb.warc.gz", 9385u}}) {
    const auto file = test_data(name);
    if (!file) GTEST_SKIP() << kNoData;
    const auto set = ArchiveSet::open(std::vector{*file});
    ASSERT_TRUE(set.ok());
    EXPECT_TRUE(set->errors().empty());
    EXPECT_EQ(set->urls().size(), addresses);
    for (const std::string& url : set->urls()) {
      const auto response = set->load(*set->find(url));
      ASSERT_TRUE(response.ok()) << url;
      ASSERT_TRUE(response->ok() || response->is_redirect()) << url;
    }
  }
}

}  // namespace
}  // namespace dowser
