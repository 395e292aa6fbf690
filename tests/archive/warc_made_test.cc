#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "archive/warc_reader.h"
#include "base/compress.h"
#include "tests/support.h"

// What warc_gold_test.cc checks on files of other programs, on files that are made here, with the
// same faults: for those who do not have the collection.

namespace dowser {
namespace {

// Of "HTTP/1.1 200 OK\r\n\r\nhello" and of "hello", by sha1sum and base32.
constexpr std::string_view kHello = "HTTP/1.1 200 OK\r\n\r\nhello";
constexpr std::string_view kHelloBlock = "sha1:IORUMWLIBUO53GZZJS7FEOU3IDD3AFBH";
constexpr std::string_view kHelloPayload = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
constexpr std::string_view kHelloPayloadHex = "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d";

std::string record(std::string_view type, std::string_view target, std::string_view fields,
                   std::string_view block, int64_t length_error = 0) {
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Record-ID: <urn:uuid:{}>\r\n"
      "WARC-Date: 2026-11-01T00:00:00Z\r\nWARC-Target-URI: {}\r\n{}Content-Length: {}\r\n\r\n{}"
      "\r\n\r\n",
      type, type, target, fields, static_cast<int64_t>(block.size()) + length_error, block);
}

std::string response(std::string_view target, std::string_view block_digest,
                     std::string_view payload_digest, int64_t length_error = 0,
                     std::string_view block = kHello) {
  return record("response", target,
                fmt::format("WARC-Block-Digest: {}\r\nWARC-Payload-Digest: {}\r\n"
                            "Content-Type: application/http;msgtype=response\r\n",
                            block_digest, payload_digest),
                block, length_error);
}

const std::string kInfo =
    record("warcinfo", "", "Content-Type: application/warc-fields\r\n", "a: b\r\n");
const std::string kGood = response("http://a.test/", kHelloBlock, kHelloPayload);
const std::string kRequest =
    record("request", "http://a.test/", "Content-Type: application/http;msgtype=request\r\n",
           "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
const std::string kRevisit = record(
    "revisit", "http://a.test/",
    fmt::format("WARC-Payload-Digest: {}\r\nContent-Type: application/http\r\n", kHelloPayload),
    "HTTP/1.1 200 OK\r\n\r\n");

struct Made {
  const char* what;
  std::string file;
  const char* records;  // by type; "" where the file is refused
  size_t errors = 0;
  size_t bad_blocks = 0;
  size_t bad_payloads = 0;
};

std::vector<Made> made_files() {
  const std::string arc =
      "filedesc://a.arc 0.0.0.0 20261101000000 text/plain 9\n1 0 a.test\n\n"
      "http://a.test/ 127.0.0.1 20261101000000 text/html 5\nhello\n";
  return {
      {"ARC", arc, ""},
      {"ARC, packed", gzip(arc), ""},
      {"plain", kInfo + kRequest + kGood + kRevisit, "request=1 response=1 revisit=1 warcinfo=1"},
      {"a gzip member a record", gzip(kInfo) + gzip(kRequest) + gzip(kGood) + gzip(kRevisit),
       "request=1 response=1 revisit=1 warcinfo=1"},
      {"one gzip member for all records", gzip(kInfo + kGood), "response=1 warcinfo=1"},
      {"a record over two gzip members", gzip(kGood.substr(0, 100)) + gzip(kGood.substr(100)),
       "response=1"},
      {"a wrong block digest", response("http://a.test/", kHelloPayload, kHelloPayload),
       "response=1", 0, 1},
      {"a wrong payload digest", response("http://a.test/", kHelloBlock, kHelloBlock), "response=1",
       0, 0, 1},
      {"a payload digest in hexadecimal", response("http://a.test/", kHelloBlock, kHelloPayloadHex),
       "response=1"},
      {"a Content-Length that is two too small",
       kInfo + response("http://a.test/", kHelloBlock, kHelloPayload, -2) + kRequest,
       "request=1 response=1 warcinfo=1", 1, 1, 1},
      {"a file that ends inside a record", kInfo + kGood.substr(0, kGood.size() - 8),
       "response=1 warcinfo=1", 1, 1, 1},
      {"a target in angle brackets", response("<http://a.test/>", kHelloBlock, kHelloPayload),
       "response=1"},
      {"spaces in a target", record("resource", "file:///my files/a b.txt", "", "x"), "resource=1"},
      {"a type of its own", record("x-notes", "http://a.test/", "", "x"), "other=1"},
      {"bytes between two records", kInfo + "not a record\r\n\r\n" + kGood, "response=1 warcinfo=1",
       1},
      {"a chunked body, with the digest of its chunks as they are",
       response("http://a.test/", "sha1:3UVO7HQUJEOBRRPSY5KW4RKXAQ5Z4DV4",
                "sha1:FPKJFAEPEIMEFSS2G2SDNSN5YKX3N5JX", 0,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
       "response=1"},
  };
}

TEST(WarcMade, every_file_is_read_or_refused_as_the_table_says) {
  const TempDir dir;
  for (const Made& made : made_files()) {
    SCOPED_TRACE(made.what);
    ASSERT_TRUE(put_file(dir / "made.warc", made.file));
    auto reader = WarcReader::open(dir / "made.warc");
    if (!*made.records) {
      ASSERT_FALSE(reader.ok());
      EXPECT_NE(reader.error().message.find("is an ARC file"), std::string::npos)
          << reader.error().message;
      continue;
    }
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    std::map<std::string_view, int> types;
    size_t bad_blocks = 0, bad_payloads = 0;
    while (const auto record = reader->next()) {
      ++types[name_of(record->type)];
      EXPECT_FALSE(record->target.starts_with('<')) << record->target;
      const auto block = record->block_digest(), payload = record->payload_digest();
      if (block && digest_matches(*block, record->block) == false) ++bad_blocks;
      if (payload && record->type != RecordType::kRevisit &&
          digest_matches(*payload, record->payload()) == false) {
        ++bad_payloads;
      }
      EXPECT_TRUE(reader->read_at(record->place).ok());
    }
    std::string records;
    for (const auto& [type, n] : types) {
      records += (records.empty() ? "" : " ") + std::string(type) + "=" + std::to_string(n);
    }
    EXPECT_EQ(records, made.records);
    EXPECT_EQ(reader->errors().size(), made.errors);
    EXPECT_EQ(bad_blocks, made.bad_blocks);
    EXPECT_EQ(bad_payloads, made.bad_payloads);
  }
}

}  // namespace
}  // namespace dowser
