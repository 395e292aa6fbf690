#include "archive/cdxj.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "archive/warc_writer.h"
#include "base/compress.h"
#include "base/file.h"
#include "tests/archive/made_records.h"
#include "tests/support.h"

namespace dowser {
namespace {

const Time kDate = *parse_iso8601("2007-05-28T00:00:00Z");

// What warcio makes of these addresses.
TEST(Surt, addresses_are_turned_round) {
  for (const auto& [url, key] : {
           std::pair{"http://example.com/", "com,example)/"},
           {"https://Example.COM/Path", "com,example)/path"},
           {"http://www.example.com/", "com,example)/"},
           {"http://www2.example.com/", "com,example)/"},
           {"http://wwwx.example.com/", "com,example,wwwx)/"},
           {"http://WWW.example.com/", "com,example,www)/"},
           {"http://example.com:8080/a", "com,example:8080)/a"},
           {"http://example.com:80/a", "com,example)/a"},
           {"http://example.com?b=2&a=1", "com,example)/?a=1&b=2"},
           {"http://example.com/?", "com,example)/"},
           {"http://example.com/a?&&b", "com,example)/a?&&b"},
           {"http://example.com/a#b", "com,example)/a"},
           {"http://example.com/a/../b", "com,example)/b"},
           {"http://example.com/a b", "com,example)/a%20b"},
           {"http://example.com/%C3%9C", "com,example)/%c3%9c"},
           {"http://192.168.1.2/", "2,1,168,192)/"},
           {"http://localhost/", "localhost)/"},
           {"http://example.com./", ",com,example)/"},
           {"http:example.com/a", "com,example)/a"},
           {"http://a b/", "http://a b/"},
           {"http://www.a b/", "http://a b/"},
           {"file:///a b.png", "file:///a b.png"},
           {"dns:example.com", "dns:example.com"},
           {"HTTP://example.com/", "HTTP://example.com/"},
           {"", ""},
       }) {
    EXPECT_EQ(surt(url), key) << url;
  }
}

TEST(CdxEntry, a_line_is_read_back) {
  CdxEntry entry{"com,example)/",
                 "20070528000000",
                 "http://example.com/\"x\"",
                 "text/html",
                 "200",
                 "XYZ",
                 100,
                 2000,
                 "a.warc.gz"};
  EXPECT_EQ(entry.line(),
            "com,example)/ 20070528000000 {\"url\":\"http://example.com/\\\"x\\\"\","
            "\"mime\":\"text/html\",\"status\":\"200\",\"digest\":\"XYZ\",\"length\":\"100\","
            "\"offset\":\"2000\",\"filename\":\"a.warc.gz\"}");
  const auto back = CdxEntry::parse(entry.line());
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, entry);
}

TEST(CdxEntry, other_ways_to_write_a_line_are_read_and_broken_ones_refused) {
  const auto entry =
      CdxEntry::parse("com,example)/ 2007 {\"offset\": 7, \"status\": 404, \"x\": null}");
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->offset, 7u);
  EXPECT_EQ(entry->status, "404");
  for (const char* line : {"", "a", "a b", "a b c", "a b {", "a b []", "a b {}",
                           "a b {\"offset\": -1}", "a b {\"offset\": \"x\"}"}) {
    EXPECT_FALSE(CdxEntry::parse(line).ok()) << line;
  }
}

// Writes an archive with every kind of record into `folder`, and its index beside it. The script
// tests/archive/warcio_check runs this test alone to compare the index with that of another tool.
void write_archive(const std::filesystem::path& folder, bool packed) {
  WarcWriterOptions options{folder, packed ? "packed" : "plain", packed};
  options.rotate_at = 200'000;
  WarcWriter writer(options);
  for (int i = 0; i < 200; ++i) {
    Response response;
    const std::string host = i % 3 == 0 ? "http://www.example.org" : "https://Example.org:8080";
    response.url =
        *Url::parse(host + "/Page " + std::to_string(i % 150) + "?b=2&a=" + std::to_string(i));
    response.status = i % 10 == 0 ? 404 : 200;
    response.reason = i % 10 == 0 ? "Not Found" : "OK";
    response.headers.add("Server", "test");
    if (i % 7 != 0) response.headers.add("Content-Type", "text/html; charset=utf-8");
    response.headers.add("Transfer-Encoding", "chunked");
    response.body = std::string(static_cast<size_t>(i * i), static_cast<char>('a' + i % 26));
    if (i % 4 == 0) {
      response.headers.add("Content-Encoding", "gzip");
      response.body = gzip(response.body);
    }
    response.fetched_at = kDate + Duration(i * 1'500'000);
    const auto written = writer.write(response_record(response));
    ASSERT_TRUE(written.ok());
    WarcRecord request = request_record(response.url, response.fetched_at,
                                        "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
    request.headers.add("WARC-Concurrent-To", written->id);
    ASSERT_TRUE(writer.write(request).ok());
    Headers fields;
    fields.add("relevance", "0.5");
    ASSERT_TRUE(writer.write(metadata_record(response.url, response.fetched_at, fields)).ok());
    if (i % 5 == 0) {
      const Url original = response.url;
      response.url = *Url::parse("http://example.net/again/" + std::to_string(i));
      ASSERT_TRUE(writer.write(revisit_record(response, original, response.fetched_at)).ok());
    }
    if (i % 20 == 0) {
      const Url url = *Url::parse("http://example.net/Image" + std::to_string(i));
      ASSERT_TRUE(writer.write(resource_record(url, kDate, "image/png", "png")).ok());
    }
  }
  CdxIndex index;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().string().find(options.prefix + "-") == std::string::npos) continue;
    auto reader = WarcReader::open(file.path());
    ASSERT_TRUE(reader.ok());
    ASSERT_TRUE(index.add_all(*reader).ok());
  }
  ASSERT_TRUE(index.write(folder / (options.prefix + ".cdxj")).ok());
}

TEST(CdxIndex, an_archive_of_every_kind_is_indexed_sorted_and_found) {
  const char* wanted = std::getenv("DOWSER_WARCIO_CHECK");
  TempDir temporary;
  const std::filesystem::path folder = wanted ? std::filesystem::path(wanted) : temporary.path();
  for (const bool packed : {true, false}) {
    write_archive(folder, packed);
    const auto path = folder / (packed ? "packed.cdxj" : "plain.cdxj");
    auto index = CdxIndex::read(path);
    ASSERT_TRUE(index.ok());
    EXPECT_EQ(index->entries().size(), 250u);
    std::string last;
    for (const CdxEntry& entry : index->entries()) {
      EXPECT_LT(last, entry.line());
      last = entry.line();
      auto reader = WarcReader::open(folder / entry.filename);
      ASSERT_TRUE(reader.ok());
      const auto record = reader->read_at({entry.offset, entry.length, 0});
      ASSERT_TRUE(record.ok());
      EXPECT_EQ(record->target, entry.url);
    }
    EXPECT_EQ(index->find("http://EXAMPLE.net/image20").size(), 1u);
    EXPECT_EQ(index->find("http://www.example.net/again/0")[0].mime, "warc/revisit");
    EXPECT_TRUE(index->find("http://example.net/").empty());
  }
}

TEST(CdxIndex, records_that_share_a_gzip_member_are_refused) {
  const std::string record = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
  const std::string file = gzip(record + record);
  auto reader = WarcReader::over(file, "one.warc.gz");
  ASSERT_TRUE(reader.ok());
  CdxIndex index;
  const Status status = index.add_all(*reader);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("warcio recompress"), std::string::npos);
}

TEST(CdxIndex, a_missing_or_broken_file_is_an_error) {
  TempDir folder;
  EXPECT_FALSE(CdxIndex::read(folder / "none").ok());
  ASSERT_TRUE(put_file(folder / "bad", "!meta {}\ncom,example)/ 2007 nonsense\n").ok());
  EXPECT_FALSE(CdxIndex::read(folder / "bad").ok());
}

}  // namespace
}  // namespace dowser
