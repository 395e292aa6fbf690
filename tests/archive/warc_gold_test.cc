#include <gtest/gtest.h>

#include <map>
#include <string>

#include "archive/warc_reader.h"
#include "tests/support.h"

// What is to be made of each file of the gold set, and what is wrong with it.

namespace dowser {
namespace {

struct Gold {
  const char* file;
  const char* what;     // is wrong with it, or special
  const char* records;  // by type; "" where the file is refused
  size_t errors;
  size_t bad_blocks;    // block digests that are declared and wrong
  size_t bad_payloads;  // payload digests likewise; those of revisits are about another record
};

constexpr char kArc[] = "ARC, the forerunner of WARC: refused";

const Gold kGold[] = {
    {"bad.arc", "ARC with lengths -1 and 'abc': refused as every ARC", "", 0, 0, 0},
    {"example.arc", kArc, "", 0, 0, 0},
    {"example.arc.gz", kArc, "", 0, 0, 0},
    {"example-space-in-url.arc", kArc, "", 0, 0, 0},
    {"example.warc", "nothing: plain", "request=2 response=1 revisit=1 warcinfo=2", 0, 0, 0},
    {"example.warc.gz", "nothing: a gzip member a record",
     "request=2 response=1 revisit=1 warcinfo=2", 0, 0, 0},
    {"example-bad-non-chunked.warc.gz",
     "one gzip member for all records; the revisit's block digest is wrong",
     "request=2 response=1 revisit=1 warcinfo=2", 0, 1, 0},
    {"example-bad.warc.gz.bad",
     "one gzip member for all records; targets without the slash of the path",
     "request=2 response=2 revisit=1 warcinfo=1", 0, 0, 0},
    {"example-digest.warc",
     "the first payload digest is wrong; others are right in base 64, plain and for addresses",
     "request=4", 0, 0, 1},
    {"example-iana.org-chunked.warc", "a chunked body; digests in hexadecimal",
     "request=1 response=1 warcinfo=1", 0, 0, 0},
    {"example-resource.warc.gz", "nothing: a resource record", "resource=1 warcinfo=2", 0, 0, 0},
    {"example-space-in-target-uri.warc.gz", "spaces in a file: target", "resource=1 warcinfo=1", 0,
     0, 0},
    {"example-trunc.warc",
     "the response's Content-Length is two bytes too small, so its digests are wrong; the last two "
     "records of "
     "example.warc are missing",
     "request=1 response=1 warcinfo=2", 1, 1, 1},
    {"example-wget-bad-target-uri.warc.gz", "targets in <>, as wget writes them",
     "metadata=1 request=1 resource=2 response=1 warcinfo=1", 0, 0, 0},
    {"example-wrong-chunks.warc.gz",
     "the response is cut into two gzip members and the next one starts with its line ends; its "
     "Content-Length "
     "is one too small, so its block digest is wrong",
     "request=1 response=1", 0, 1, 0},
    {"post-test.warc.gz", "answers to POST", "request=3 response=3", 0, 0, 0},
};

TEST(WarcGold, every_file_is_read_or_refused_as_the_table_says) {
  if (!test_data("gold/warc")) GTEST_SKIP() << kNoData;
  for (const Gold& gold : kGold) {
    SCOPED_TRACE(gold.file);
    auto reader = WarcReader::open(*test_data(std::string("gold/warc/") + gold.file));
    if (!*gold.records) {
      ASSERT_FALSE(reader.ok());
      EXPECT_NE(reader.error().message.find("is an ARC file"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    std::map<std::string_view, int> types;
    size_t bad_blocks = 0, bad_payloads = 0;
    while (const auto record = reader->next()) {
      ++types[name_of(record->type)];
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
    EXPECT_EQ(records, gold.records);
    EXPECT_EQ(reader->errors().size(), gold.errors);
    EXPECT_EQ(bad_blocks, gold.bad_blocks);
    EXPECT_EQ(bad_payloads, gold.bad_payloads);
  }
}

TEST(WarcGold, the_table_names_every_file) {
  const auto folder = test_data("gold/warc");
  if (!folder) GTEST_SKIP() << kNoData;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    const std::string name = entry.path().filename();
    bool known = false;
    for (const Gold& gold : kGold) known |= name == gold.file;
    EXPECT_TRUE(known) << name;
  }
}

}  // namespace
}  // namespace dowser
