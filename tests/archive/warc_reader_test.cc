#include "archive/warc_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "base/compress.h"
#include "base/hash.h"

namespace dowser {
namespace {

std::string record_text(std::string_view target, std::string_view block,
                        std::string_view length = "") {
  const std::string size = length.empty() ? std::to_string(block.size()) : std::string(length);
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:{}>\r\n"
      "WARC-Date: 2007-05-28T00:00:00Z\r\nWARC-Target-URI: {}\r\nContent-Type: text/plain\r\n"
      "Content-Length: {}\r\n\r\n{}\r\n\r\n",
      target, target, size, block);
}

struct Reading {
  std::vector<WarcRecord> records;
  std::vector<ArchiveError> errors;

  std::string targets() const {
    std::string all;
    for (const WarcRecord& record : records) all += record.target + (record.truncated ? "! " : " ");
    return all;
  }
};

// Also checks that every record is found again at its place.
Reading read(std::string_view file, uint64_t limit = kBlockLimit) {
  Reading reading;
  auto reader = WarcReader::over(file, "test", limit);
  EXPECT_TRUE(reader.ok()) << reader.error().message;
  if (!reader) return reading;
  while (auto record = reader->next()) {
    const auto again = reader->read_at(record->place);
    EXPECT_TRUE(again.ok()) << record->target;
    if (again) {
      EXPECT_EQ(again->block, record->block) << record->target;
    }
    reading.records.push_back(std::move(*record));
  }
  reading.errors = reader->errors();
  return reading;
}

std::string errors_text(const Reading& reading) {
  std::string text;
  for (const ArchiveError& e : reading.errors) text += fmt::format("\n{}: {}", e.offset, e.message);
  return text;
}

const std::string kA = record_text("a", "block of a"), kB = record_text("b", "block of b"),
                  kC = record_text("c", "block of c");

TEST(WarcReader, the_fields_of_a_record_are_read) {
  const Reading reading = read(
      "WARC/1.1\r\n"
      "warc-type: Response\r\n"
      "WARC-Record-ID: <urn:uuid:1>\r\n"
      "WARC-Date: 2016-09-19T18:03:53.123456Z\r\n"
      "WARC-Target-URI: http://example.org/\r\n"
      "WARC-Payload-Digest: sha1:XYZ\r\n"
      "X-Long: one\r\n  two\r\n"
      "Content-Type: application/http; msgtype=response\r\n"
      "Content-Length: 25\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n\r\n\r\n");
  ASSERT_EQ(reading.records.size(), 1u);
  const WarcRecord& record = reading.records[0];
  EXPECT_EQ(record.type, RecordType::kResponse);
  EXPECT_EQ(record.id, "<urn:uuid:1>");
  EXPECT_EQ(to_cdx_timestamp(record.date), "20160919180353");
  EXPECT_EQ(record.date.micros % 1'000'000, 123456);
  EXPECT_EQ(record.target, "http://example.org/");
  EXPECT_EQ(record.payload_digest(), "sha1:XYZ");
  EXPECT_EQ(record.headers.get("x-long"), "one two");
  EXPECT_EQ(record.payload(), "");
  EXPECT_EQ(record.block.size(), 25u);
  EXPECT_TRUE(reading.errors.empty());
}

TEST(WarcReader, dates_may_stop_after_any_part) {
  for (const auto& [text, stamp] : {std::pair{"2016", "20160101000000"},
                                    {"2016-11", "20161101000000"},
                                    {"2016-11-03", "20161103000000"},
                                    {"2016-11-03T10:49Z", "20161103104900"},
                                    {"2016-11-03T10:49:07Z", "20161103104907"},
                                    {"yesterday", "19700101000000"}}) {
    const Reading reading =
        read(fmt::format("WARC/1.1\r\nWARC-Date: {}\r\nContent-Length: 0\r\n\r\n\r\n\r\n", text));
    ASSERT_EQ(reading.records.size(), 1u);
    EXPECT_EQ(to_cdx_timestamp(reading.records[0].date), stamp) << text;
  }
}

TEST(WarcReader, plain_and_packed_files_give_the_same_records) {
  const std::string text = kA + kB + kC;
  const std::string members = gzip(kA) + gzip(kB) + gzip(kC);
  const struct {
    const char* what;
    std::string file;
    bool addressable;
  } rows[] = {
      {"plain", text, true},
      {"a member a record", members, true},
      {"one member", gzip(text), false},
      {"two members", gzip(kA + kB) + gzip(kC), false},
      {"records over several members",
       gzip(text.substr(0, 50)) + gzip(text.substr(50, 200)) + gzip(text.substr(250)), false},
      {"empty members between", gzip(kA) + gzip("") + gzip(kB) + gzip("\r\n") + gzip(kC), true},
      {"line ends at the start of a member", gzip(kA) + gzip("\r\n" + kB) + gzip("\n\n" + kC),
       true},
      {"no line ends behind", gzip(kA.substr(0, kA.size() - 4)) + gzip(kB) + gzip(kC), true},
      {"bare line feeds between", kA.substr(0, kA.size() - 4) + "\n\n" + kB + "\n\n\n" + kC, true},
      {"nothing between", kA.substr(0, kA.size() - 4) + kB.substr(0, kB.size() - 4) + kC, true},
  };
  for (const auto& row : rows) {
    const Reading reading = read(row.file);
    EXPECT_EQ(reading.targets(), "a b c ") << row.what;
    EXPECT_TRUE(reading.errors.empty()) << row.what << ": " << reading.errors[0].message;
    for (const WarcRecord& record : reading.records) {
      EXPECT_EQ(record.block, "block of " + record.target) << row.what;
      EXPECT_TRUE(record.place.addressable() || !row.addressable) << row.what << record.target;
    }
  }
  const Reading packed = read(members);
  EXPECT_EQ(packed.records[1].place, (RecordPlace{gzip(kA).size(), gzip(kB).size(), 0}));
  const Reading plain = read(text);
  EXPECT_EQ(plain.records[1].place, (RecordPlace{kA.size(), kB.size() - 4, 0}));
}

// "b!" is a record whose block is known to be incomplete.
TEST(WarcReader, good_records_before_and_after_a_bad_one_are_kept) {
  std::string flipped = gzip(record_text("b", std::string(3000, 'x') + "y"));
  flipped[flipped.size() / 2] ^= 0x55;
  std::string wrong_sum = gzip(kB);
  wrong_sum[wrong_sum.size() - 6] ^= 1;
  std::string wrong_sum_of_all = gzip(kA + kB + kC);
  wrong_sum_of_all[wrong_sum_of_all.size() - 6] ^= 1;
  const std::string half = gzip(kB).substr(0, gzip(kB).size() / 2);
  const struct {
    const char* what;
    std::string file;
    std::string targets;
    size_t errors;
  } rows[] = {
      {"plain: junk between", kA + "junk\r\n" + kC, "a c ", 1},
      {"plain: junk first", "junk\r\n" + kA + kC, "a c ", 1},
      {"plain: junk last", kA + kC + "junk\r\n", "a c ", 1},
      {"plain: no length", kA + record_text("b", "x", "many") + kC, "a c ", 1},
      {"plain: length too small", kA + record_text("b", "block of b", "7") + kC, "a b c ", 1},
      {"plain: length too large", kA + record_text("b", "block of b", "40") + kC, "a b! c ", 1},
      {"plain: length of another world", kA + record_text("b", "x", "99999999999999") + kC,
       "a b! c ", 1},
      {"plain: length beyond 64 bits", kA + record_text("b", "x", "99999999999999999999999") + kC,
       "a c ", 1},
      {"plain: head without end", kA + "WARC/1.0\r\nWARC-Type: resource\r\n", "a ", 1},
      {"plain: cut in the block", kA + kB.substr(0, kB.size() - 8), "a b! ", 1},
      {"gzip: a flipped bit", gzip(kA) + flipped + gzip(kC), "a c ", 1},
      {"gzip: a wrong checksum", gzip(kA) + wrong_sum + gzip(kC), "a c ", 1},
      {"gzip: half a member, then others", gzip(kA) + half + gzip(kC), "a c ", 1},
      {"gzip: cut in the last member", gzip(kA) + gzip(kB) + gzip(kC).substr(0, 20), "a b ", 1},
      {"gzip: cut in the first member's header", gzip(kA) + "\x1f\x8b", "a ", 1},
      {"gzip: only the checksum is cut", gzip(kA) + gzip(kC).substr(0, gzip(kC).size() - 4), "a c ",
       1},
      {"gzip: junk between", gzip(kA) + "junk" + gzip(kC), "a c ", 1},
      {"gzip: junk first", "junk" + gzip(kA) + gzip(kC), "a c ", 1},
      {"gzip: zeros last", gzip(kA) + gzip(kC) + std::string(512, '\0'), "a c ", 1},
      {"gzip: a member of junk", gzip(kA) + gzip("some other text") + gzip(kC), "a c ", 1},
      {"gzip: no length and no block", gzip(kA) + gzip("WARC/1.0\r\nX: y\r\n\r\n") + gzip(kC),
       "a c ", 1},
      {"gzip: length too small", gzip(kA) + gzip(record_text("b", "block of b", "7")) + gzip(kC),
       "a b c ", 1},
      {"gzip: length too large", gzip(kA) + gzip(record_text("b", "block of b", "4000")) + gzip(kC),
       "a b! c ", 1},
      {"one member: a wrong checksum", wrong_sum_of_all, "a b ", 1},
      {"one member: length too large", gzip(kA + record_text("b", "block of b", "40") + kC),
       "a b! c ", 1},
  };
  for (const auto& row : rows) {
    const Reading reading = read(row.file);
    EXPECT_EQ(reading.targets(), row.targets) << row.what;
    EXPECT_EQ(reading.errors.size(), row.errors) << row.what << errors_text(reading);
    for (const ArchiveError& error : reading.errors) {
      EXPECT_FALSE(error.message.empty()) << row.what;
      EXPECT_LE(error.offset, row.file.size()) << row.what;
    }
  }
}

TEST(WarcReader, members_larger_than_the_memory_for_one_are_read_piece_by_piece) {
  std::string large;
  for (size_t i = 0; large.size() < 5'000'000; ++i)
    large += fmt::format("line {}\n", i * 7919 % 100003);
  const std::string big = record_text("big", large);
  for (const std::string& file : {gzip(kA) + gzip(big) + gzip(kC), gzip(kA + big + big + kC),
                                  gzip(kA) + gzip(big).substr(0, 600'000) + gzip(kC)}) {
    const Reading reading = read(file);
    ASSERT_GE(reading.records.size(), 2u);
    EXPECT_EQ(reading.records.front().target, "a");
    EXPECT_EQ(reading.records.back().target, "c");
    for (const WarcRecord& record : reading.records) {
      EXPECT_TRUE(record.target != "big" || record.block == large);
    }
  }
}

TEST(WarcReader, a_block_beyond_the_limit_is_cut_and_the_next_record_found) {
  const std::string big = record_text("big", std::string(3'000'000, 'x'));
  for (const std::string& file :
       {kA + big + kC, gzip(kA) + gzip(big) + gzip(kC), gzip(kA + big + kC)}) {
    const Reading reading = read(file, 1000);
    EXPECT_EQ(reading.targets(), "a big! c ");
    EXPECT_EQ(reading.records[1].block.size(), 1000u);
    EXPECT_EQ(reading.errors.size(), 1u);
  }
}

TEST(WarcReader, a_block_may_hold_a_record) {
  const std::string nested = record_text("outer", kB + kC);
  const Reading reading = read(kA + nested + kC);
  EXPECT_EQ(reading.targets(), "a outer c ");
  EXPECT_TRUE(reading.errors.empty());
}

TEST(WarcReader, what_is_no_archive_is_refused_in_a_sentence) {
  const struct {
    std::string file, sentence;
  } rows[] = {
      {"", "is empty"},
      {"<html>", "is not a WARC file"},
      {gzip("<html>"), "is not a WARC file"},
      {"filedesc://x.arc 127.0.0.1 20140301000000 text/plain 1\n", "is an ARC file"},
      {gzip("filedesc://x.arc 127.0.0.1 20140301000000 text/plain 1\n"), "is an ARC file"},
      {"PK\x03\x04 and more", "is a zip file"},
      {"\x28\xb5\x2f\xfd and more", "zstd"},
      {"\x1f\x8b\x08", "is not a WARC file"},
  };
  for (const auto& row : rows) {
    const auto reader = WarcReader::over(row.file, "FILE");
    ASSERT_FALSE(reader.ok()) << row.sentence;
    EXPECT_TRUE(reader.error().message.starts_with("FILE "));
    EXPECT_NE(reader.error().message.find(row.sentence), std::string::npos)
        << reader.error().message;
  }
  EXPECT_FALSE(WarcReader::open("/no/such/file.warc").ok());
}

TEST(WarcReader, read_at_refuses_places_where_no_record_is) {
  for (const std::string& file : {kA + kB, gzip(kA) + gzip(kB)}) {
    const auto reader = WarcReader::over(file, "FILE");
    ASSERT_TRUE(reader.ok());
    for (const RecordPlace& place : {RecordPlace{3, 0, 0}, RecordPlace{file.size(), 0, 0},
                                     RecordPlace{1ULL << 60, 0, 0}, RecordPlace{0, 0, 7}}) {
      EXPECT_FALSE(reader->read_at(place).ok());
    }
  }
}

TEST(WarcReader, a_file_with_thousands_of_errors_is_read_to_its_end) {
  std::string plain, packed;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = "r" + std::to_string(i);
    plain += record_text(name, "good") + "junk\r\n\r\n";
    packed += gzip(record_text(name, "good"));
    std::string broken = gzip(record_text("broken", "block of a broken record"));
    broken[broken.size() / 2] ^= 0x55;
    packed += broken;
  }
  for (const std::string& file : {plain, packed}) {
    auto reader = WarcReader::over(file, "test");
    ASSERT_TRUE(reader.ok());
    int records = 0;
    while (reader->next()) ++records;
    EXPECT_EQ(records, 3000);
    EXPECT_EQ(reader->error_count(), 3000u);
    EXPECT_EQ(reader->errors().size(), kMostErrors);  // no more are remembered
  }
}

TEST(WarcReader, damage_anywhere_never_crashes_and_costs_few_records) {
  EXPECT_TRUE(rc::check([] {
    const auto blocks =
        *rc::gen::container<std::vector<std::string>>(6, rc::gen::arbitrary<std::string>());
    const bool packed = *rc::gen::arbitrary<bool>();
    std::string file;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const std::string text = record_text(std::to_string(i), blocks[i]);
      file += packed ? gzip(text) : text;
    }
    // Not in the first bytes, which say what kind of file it is.
    const size_t at = *rc::gen::inRange<size_t>(4, file.size());
    file[at] = static_cast<char>(file[at] ^ *rc::gen::inRange(1, 256));
    auto reader = WarcReader::over(file, "test");
    if (!reader) return;
    size_t records = 0;
    while (reader->next()) ++records;
    RC_ASSERT(records + 2 >= blocks.size());
  }));
}

TEST(DigestMatches, every_way_of_writing_it_is_read) {
  for (const char* declared :
       {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "SHA1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
        "sha-1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
        "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk", "md5:d41d8cd98f00b204e9800998ecf8427e",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===="}) {
    EXPECT_EQ(digest_matches(declared, ""), true) << declared;
    EXPECT_EQ(digest_matches(declared, "x"), false) << declared;
  }
  EXPECT_EQ(digest_matches("crc32:0", ""), std::nullopt);
  EXPECT_EQ(digest_matches("nothing", ""), std::nullopt);
  EXPECT_EQ(digest_matches("sha1:", ""), false);
}

TEST(WarcRecord, the_payload_is_what_stands_behind_the_head) {
  for (const auto& [block, payload] :
       {std::pair{"HTTP/1.1 200 OK\r\nA: b\r\n\r\nx\r\n\r\ny", "x\r\n\r\ny"},
        {"HTTP/1.1 200 OK\nA: b\n\nx", "x"},
        {"HTTP/1.1 200 OK\r\n\r\n", ""},
        {"HTTP/1.1 200 OK\r\nA: b", ""},
        {"", ""}}) {
    WarcRecord record;
    record.content_type = "Application/HTTP;msgtype=response";
    record.block = block;
    EXPECT_EQ(record.payload(), payload);
    record.content_type = "text/plain";
    EXPECT_EQ(record.payload(), block);
  }
}

}  // namespace
}  // namespace dowser
