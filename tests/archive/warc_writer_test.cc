#include "archive/warc_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "archive/warc_reader.h"
#include "base/compress.h"
#include "base/file.h"
#include "base/hash.h"
#include "tests/archive/made_records.h"
#include "tests/support.h"

namespace dowser {
namespace {

const Time kDate = *parse_iso8601("2007-05-28T00:00:00Z");

Url url(std::string_view text) { return *Url::parse(text); }

Response page(std::string_view address, std::string body) {
  Response response;
  response.url = url(address);
  response.status = 200;
  response.reason = "OK";
  response.headers.add("Content-Type", "text/html");
  response.body = std::move(body);
  response.fetched_at = kDate;
  return response;
}

std::vector<WarcRecord> one_of_each() {
  const Url a = url("http://example.org/a");
  Headers fields;
  fields.add("relevance", "0.75");
  return {request_record(a, kDate, "GET /a HTTP/1.1\r\nHost: example.org\r\n\r\n"),
          response_record(page("http://example.org/a", "<html>")),
          revisit_record(page("http://example.org/b", "<html>"), a, kDate),
          metadata_record(a, kDate, fields),
          resource_record(url("http://example.org/r"), kDate, "image/png", "png")};
}

std::vector<WarcRecord> read_all(const std::filesystem::path& path) {
  auto reader = WarcReader::open(path);
  EXPECT_TRUE(reader.ok()) << reader.error().message;
  std::vector<WarcRecord> records;
  while (auto record = reader->next()) records.push_back(std::move(*record));
  EXPECT_TRUE(reader->errors().empty());
  return records;
}

TEST(WarcWriter, what_is_written_is_read_back_where_it_says) {
  for (const bool gzip : {true, false}) {
    TempDir folder;
    WarcWriter writer({folder.path(), "test", gzip});
    std::vector<WrittenRecord> written;
    for (const WarcRecord& record : one_of_each()) {
      auto result = writer.write(record);
      ASSERT_TRUE(result.ok()) << result.error().message;
      written.push_back(*result);
    }
    EXPECT_TRUE(writer.sync().ok());
    const auto records = read_all(folder.path() / written[0].file);
    ASSERT_EQ(records.size(), written.size() + 1);
    EXPECT_EQ(records[0].type, RecordType::kWarcinfo);
    const auto originals = one_of_each();
    for (size_t i = 0; i < originals.size(); ++i) {
      const WarcRecord& record = records[i + 1];
      EXPECT_EQ(record.type, originals[i].type);
      EXPECT_EQ(record.block, originals[i].block);
      EXPECT_EQ(record.target, originals[i].target);
      EXPECT_EQ(record.date, kDate);
      EXPECT_EQ(record.id, written[i].id);
      EXPECT_EQ(record.place, written[i].place);
      EXPECT_EQ(digest_matches(record.block_digest().value_or(""), record.block), true);
    }
    EXPECT_EQ(records[2].payload_digest(), sha1_digest("<html>"));
    EXPECT_EQ(records[3].payload_digest(), sha1_digest("<html>"));
    EXPECT_EQ(records[4].block, "relevance: 0.75\r\n");
  }
}

TEST(WarcWriter, the_same_records_give_the_same_bytes_and_ids_differ) {
  std::string bytes[2];
  for (std::string& content : bytes) {
    TempDir folder;
    WarcWriter writer({folder.path()});
    std::map<std::string, int> ids;
    for (int i = 0; i < 3; ++i) {
      for (const WarcRecord& record : one_of_each()) ++ids[writer.write(record)->id];
    }
    EXPECT_EQ(ids.size(), 15u);
    const std::string id = ids.begin()->first;
    ASSERT_EQ(id.size(), std::string("<urn:uuid:00000000-0000-5000-8000-000000000000>").size());
    EXPECT_EQ(id[24], '5');
    content = *read_file(folder / "crawl-00000.warc.gz");
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST(WarcWriter, a_full_file_is_followed_by_the_next_and_each_starts_with_warcinfo) {
  TempDir folder;
  WarcWriterOptions options{folder.path(), "part"};
  options.rotate_at = 1000;
  options.info.add("software", "dowser/test");
  WarcWriter writer(options);
  std::vector<std::string> files;
  for (int i = 0; i < 10; ++i) {
    const auto written = writer.write(response_record(page("http://example.org/", "<html>")));
    ASSERT_TRUE(written.ok());
    if (files.empty() || files.back() != written->file) files.push_back(written->file);
  }
  ASSERT_GE(files.size(), 3u);
  EXPECT_EQ(files[0], "part-00000.warc.gz");
  EXPECT_EQ(files[1], "part-00001.warc.gz");
  size_t responses = 0;
  for (const std::string& file : files) {
    const auto records = read_all(folder.path() / file);
    EXPECT_EQ(records[0].type, RecordType::kWarcinfo);
    EXPECT_EQ(records[0].headers.get("WARC-Filename"), file);
    EXPECT_EQ(records[0].block, "software: dowser/test\r\nformat: WARC File Format 1.1\r\n");
    responses += records.size() - 1;
  }
  EXPECT_EQ(responses, 10u);
}

TEST(WarcWriter, existing_files_are_never_touched) {
  TempDir folder;
  ASSERT_TRUE(put_file(folder / "crawl-00000.warc.gz", "precious").ok());
  WarcWriter writer({folder.path()});
  EXPECT_EQ(writer.write(one_of_each()[0])->file, "crawl-00001.warc.gz");
  EXPECT_EQ(*read_file(folder / "crawl-00000.warc.gz"), "precious");
}

TEST(WarcWriter, going_on_at_an_end_leaves_the_bytes_that_one_writer_would_have_left) {
  const std::vector<WarcRecord> records = one_of_each();
  TempDir whole, cut;
  const auto options = [](const TempDir& folder) {
    return WarcWriterOptions{.folder = folder.path(), .prefix = "test", .rotate_at = 700};
  };
  for (size_t kept = 0; kept <= records.size(); ++kept) {
    std::filesystem::remove_all(cut.path());
    ArchiveEnd end;
    {
      WarcWriter writer(options(cut));
      for (size_t i = 0; i < records.size(); ++i) {
        if (i == kept) end = writer.end();
        ASSERT_TRUE(writer.write(records[i]).ok());
      }
      if (kept == records.size()) end = writer.end();
    }
    WarcWriter writer(options(cut));
    SetAside set_aside(cut.path(), Time{});
    ASSERT_TRUE(writer.resume_at(end, set_aside).ok());
    for (size_t i = kept; i < records.size(); ++i) ASSERT_TRUE(writer.write(records[i]).ok());
    if (kept == 0) {
      WarcWriter reference(options(whole));
      for (const WarcRecord& record : records) ASSERT_TRUE(reference.write(record).ok());
    }
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(whole.path())) {
      EXPECT_EQ(*read_file(entry.path()), *read_file(cut.path() / entry.path().filename()))
          << "after " << kept;
      ++files;
    }
    EXPECT_GT(files, 1u);
  }
}

TEST(WarcWriter, the_folder_is_made_and_a_folder_that_cannot_be_is_an_error) {
  TempDir folder;
  WarcWriter writer({folder.path() / "a" / "b"});
  EXPECT_TRUE(writer.write(one_of_each()[0]).ok());
  ASSERT_TRUE(put_file(folder / "file", "").ok());
  WarcWriter hopeless({folder.path() / "file" / "b"});
  const auto failed = hopeless.write(one_of_each()[0]);
  ASSERT_FALSE(failed.ok());
  EXPECT_TRUE(failed.error().message.starts_with("cannot write ")) << failed.error().message;
}

// A limit on the size of files stands for a full disk.
TEST(WarcWriter, a_full_disk_is_an_error_and_the_records_before_it_stay_readable) {
  TempDir folder;
  WarcWriter writer({folder.path(), "full", false});
  ASSERT_TRUE(writer.write(response_record(page("http://example.org/", "small"))).ok());
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{4096, before.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const auto failed =
      writer.write(response_record(page("http://example.org/", std::string(9000, 'x'))));
  const auto small_again =
      writer.write(response_record(page("http://example.org/", "small again")));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message.find("full-00000.warc"), std::string::npos);
  EXPECT_TRUE(small_again.ok());
  EXPECT_EQ(read_all(folder.path() / "full-00000.warc").size(), 3u);
}

TEST(WarcWriter, a_body_that_arrived_compressed_is_not_compressed_again) {
  TempDir folder;
  Response response = page("http://example.org/", "");
  response.headers.add("Content-Encoding", "gzip");
  response.body = gzip(std::string(10'000, 'x') + "some text");
  WarcWriter writer({folder.path()});
  const auto written = writer.write(response_record(response));
  ASSERT_TRUE(written.ok());
  EXPECT_NE(read_file(folder / written->file)->find(response.body), std::string::npos);
  EXPECT_EQ(read_all(folder / written->file)[1].payload(), response.body);
}

TEST(ResponseRecord, it_names_the_server_and_says_why_the_body_is_short) {
  Response response;
  response.url = *Url::parse("http://example.org/");
  response.status = 200;
  EXPECT_FALSE(response_record(response).headers.get("WARC-IP-Address"));
  EXPECT_FALSE(response_record(response).headers.get("WARC-Truncated"));
  response.remote_address = "2001:db8::1";
  response.truncated = true;
  EXPECT_EQ(response_record(response).headers.get("WARC-IP-Address"), "2001:db8::1");
  for (const auto& [cut_by, reason] : {std::pair(Failure::kNone, "length"),
                                       {Failure::kTimeoutStall, "time"},
                                       {Failure::kReset, "disconnect"},
                                       {Failure::kBadHttp, "unspecified"}}) {
    response.cut_by = cut_by;
    EXPECT_EQ(response_record(response).headers.get("WARC-Truncated"), reason);
  }
}

TEST(NotModifiedRecord, it_has_the_head_of_the_304_and_names_what_has_not_changed) {
  Response answer;
  answer.url = url("http://example.org/a");
  answer.status = 304;
  answer.reason = "Not Modified";
  answer.headers.add("ETag", "\"v1\"");
  answer.fetched_at = *parse_iso8601("2007-06-01T00:00:00Z");
  answer.remote_address = "192.0.2.1";
  const Url original = url("http://example.org/A");
  TempDir folder;
  WarcWriter writer({folder.path()});
  ASSERT_TRUE(writer.write(not_modified_record(answer, original, kDate)).ok());
  ASSERT_TRUE(
      writer.write(not_modified_record(answer, original, kDate, sha1_digest("<html>"))).ok());
  const auto records = read_all(folder / "crawl-00000.warc.gz");
  ASSERT_EQ(records.size(), 3u);
  for (const WarcRecord& record : {records[1], records[2]}) {
    EXPECT_EQ(record.type, RecordType::kRevisit);
    EXPECT_EQ(record.target, "http://example.org/a");
    EXPECT_EQ(record.date, answer.fetched_at);
    EXPECT_EQ(record.block, "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n");
    EXPECT_EQ(record.headers.get("WARC-Profile"),
              "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
    EXPECT_EQ(record.headers.get("WARC-Refers-To-Target-URI"), "http://example.org/A");
    EXPECT_EQ(record.headers.get("WARC-Refers-To-Date"), "2007-05-28T00:00:00Z");
    EXPECT_EQ(record.headers.get("WARC-IP-Address"), "192.0.2.1");
  }
  EXPECT_EQ(records[1].payload_digest(), std::nullopt) << "not that of no bytes";
  EXPECT_EQ(records[2].payload_digest(), sha1_digest("<html>"));
}

TEST(RevisitRecord, it_names_the_payload_that_is_the_same) {
  const WarcRecord record = one_of_each()[2];
  EXPECT_EQ(record.headers.get("WARC-Profile"),
            "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  EXPECT_EQ(record.payload_digest(), sha1_digest("<html>"));
  EXPECT_EQ(record.headers.get("WARC-Refers-To-Target-URI"), "http://example.org/a");
}

TEST(WarcWriter, no_value_smuggles_a_field) {
  TempDir folder;
  WarcRecord record = one_of_each()[4];
  record.target = "http://example.org/\r\nEvil: yes";
  WarcWriter writer({folder.path()});
  ASSERT_TRUE(writer.write(record).ok());
  const auto records = read_all(folder / "crawl-00000.warc.gz");
  EXPECT_EQ(records[1].headers.get("Evil"), std::nullopt);
}

TEST(WarcWriter, a_round_trip_keeps_every_payload_digest) {
  const auto file = test_data("schools.warc.gz");
  if (!file) GTEST_SKIP() << kNoData;
  auto reader = WarcReader::open(*file);
  ASSERT_TRUE(reader.ok());
  TempDir folder;
  WarcWriter writer({folder.path()});
  std::vector<std::string> digests;
  std::string written;
  while (auto record = reader->next()) {
    if (const auto digest = record->payload_digest()) digests.emplace_back(*digest);
    const auto result = writer.write(*record);
    ASSERT_TRUE(result.ok());
    written = result->file;
  }
  EXPECT_TRUE(reader->errors().empty());
  EXPECT_EQ(digests.size(), 5233u);
  auto copy = WarcReader::open(folder.path() / written);
  ASSERT_TRUE(copy.ok());
  size_t n = 0;
  while (const auto record = copy->next()) {
    const auto digest = record->payload_digest();
    if (!digest) continue;
    ASSERT_LT(n, digests.size());
    ASSERT_EQ(*digest, digests[n++]);
    ASSERT_EQ(digest_matches(*digest, record->payload()), true) << record->target;
  }
  EXPECT_EQ(n, digests.size());
}

}  // namespace
}  // namespace dowser
