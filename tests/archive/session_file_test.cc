#include "archive/session_file.h"

#include <gtest/gtest.h>

#include "archive/archive_index.h"
#include "archive/warc_writer.h"
#include "base/file.h"
#include "base/random.h"
#include "tests/support.h"

namespace dowser {
namespace {

std::shared_ptr<const Response> html(const std::string& address, std::string body) {
  auto response = std::make_shared<Response>();
  response->url = *Url::parse(address);
  response->status = 200;
  response->reason = "OK";
  response->headers.add("Content-Type", "text/html");
  response->body = std::move(body);
  response->fetched_at = {1'700'000'000'000'000};
  return response;
}

Session made_session(const std::string& name) {
  Session session;
  session.name = name;
  session.topic = "hockey";
  session.started = {1'700'000'000'000'000};
  const auto a = html("http://a/1", "<p>one"), b = html("http://a/2", "<p>two");
  session.pages = {
      {a->url, a}, {b->url, b, true}, {*Url::parse("http://a/3"), nullptr, true, false}};
  session.steps = {
      {0, StepKind::kStart, session.started}, {1, StepKind::kLink, {}}, {0, StepKind::kBack, {}}};
  session.links = {{0, 1}, {1, 2}};
  return session;
}

TEST(SessionFile, comes_back_whole_and_repeats) {
  const std::vector<Session> sessions = {made_session("first"), made_session("second, <&>")};
  const std::string bytes = session_file_bytes(sessions);
  EXPECT_EQ(bytes, session_file_bytes(sessions));
  const auto read = read_sessions(bytes, "file");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->warnings.empty());
  ASSERT_EQ(read->sessions.size(), 2u);
  const Session &a = read->sessions[1], &b = sessions[1];
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.topic, "hockey");
  EXPECT_EQ(a.started.micros, b.started.micros);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.links, b.links);
  ASSERT_EQ(a.pages.size(), 3u);
  EXPECT_EQ(a.pages[1].response->body, "<p>two");
  EXPECT_TRUE(a.pages[1].useful);
  EXPECT_FALSE(a.pages[2].visited);
  EXPECT_EQ(a.pages[2].response, nullptr);
  EXPECT_EQ(a.targets(), 2u);
  EXPECT_EQ(read->sessions[0].pages[0].response, a.pages[0].response);  // kept once
}

TEST(SessionFile, any_reader_of_archives_opens_it) {
  const TempDir folder;
  const auto path = folder.path() / "hockey.sessions";
  const std::vector<Session> sessions = {made_session("first")};
  ASSERT_TRUE(write_session_file(path, sessions));
  const std::vector<std::filesystem::path> files = {path};
  const auto archive = ArchiveSet::open(files);
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_TRUE(archive->errors().empty());
  const auto record = archive->find("http://a/2");
  ASSERT_TRUE(record);
  EXPECT_EQ(archive->load(*record)->body, "<p>two");
}

TEST(SessionFile, a_cut_file_loses_the_last_session_only_and_says_so) {
  const std::vector<Session> sessions = {made_session("first"), made_session("second")};
  const std::string bytes = session_file_bytes(sessions);
  const size_t first = session_file_bytes(std::span(sessions).first(1)).size();
  const auto read = read_sessions(std::string_view(bytes).substr(0, bytes.size() - 20), "file");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->sessions.size(), 1u);
  EXPECT_FALSE(read->warnings.empty());
  EXPECT_FALSE(read_sessions(std::string_view(bytes).substr(0, first / 3), "file"));
  EXPECT_FALSE(read_sessions("", "file"));
  EXPECT_FALSE(read_sessions("not an archive", "file"));
}

// A session record as somebody else may have written it.
std::string session_record(std::string json) {
  WarcRecord record;
  record.type = RecordType::kMetadata;
  record.target = "urn:dowser:session:made";
  record.content_type = "application/json";
  record.block = std::move(json);
  return pack_record(record).bytes;
}

TEST(SessionFile, a_missing_page_an_unknown_version_and_a_wrong_index_are_named) {
  const std::string good = session_file_bytes(std::vector<Session>{made_session("first")});
  const auto warning = [&](const std::string& json) {
    const auto read = read_sessions(good + session_record(json), "file");
    return read && read->warnings.size() == 1 ? read->warnings.front() : "none";
  };
  const std::string missing = warning(
      R"({"format": "dowser-session 1", "name": "x",
          "pages": [{"url": "http://b/", "html": true}]})");
  EXPECT_EQ(missing,
            "file: 1 page of the session 'x' is missing from the file, the first is http://b/");
  const std::string version = warning(R"({"format": "dowser-session 9", "pages": []})");
  EXPECT_NE(version.find("dowser-session 9"), std::string::npos) << version;
  const std::string wrong = warning(
      R"({"format": "dowser-session 1", "name": "x", "pages": [{"url": "http://b/"}],
          "links": [[0, 5]]})");
  EXPECT_NE(wrong.find("contradicts itself"), std::string::npos) << wrong;
  EXPECT_NE(warning("{\"format\": ").find("cut short or broken"), std::string::npos);
}

TEST(SessionFile, whatever_the_bytes_reading_ends) {
  const std::vector<Session> sessions = {made_session("first"), made_session("second")};
  const std::string bytes = session_file_bytes(sessions);
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    std::string broken = bytes;
    for (int n = 0; n < 4; ++n)
      broken[random.below(broken.size())] = static_cast<char>(random.next());
    static_cast<void>(read_sessions(broken, "file"));
  }
}

}  // namespace
}  // namespace dowser
