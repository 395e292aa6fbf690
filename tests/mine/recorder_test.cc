#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "mine/session_recorder.h"
#include "tests/support.h"

namespace dowser {
namespace {

class Recorder : public testing::Test {
 protected:
  Result<SessionRecorder> open() const {
    return SessionRecorder::open(journal_, "hockey", "ice hockey", Time{1'700'000'000'000'000});
  }
  static std::string visit(std::string_view page, std::string_view kind, std::string_view link) {
    return fmt::format(R"({{"event": "visit", "url": "http://w/{}", "kind": "{}", )"
                       R"("html": "<a href='/{}'>go</a>"}})",
                       page, kind, link);
  }
  static std::string mark(std::string_view page) {
    return fmt::format(R"({{"event": "mark", "url": "http://w/{}", "useful": true}})", page);
  }

  TempDir dir_;
  std::filesystem::path journal_ = dir_ / "hockey.recording";
};

TEST_F(Recorder, events_become_a_session) {
  auto recorder = open();
  ASSERT_TRUE(recorder) << recorder.error().message;
  for (const std::string& event : {visit("a", "start", "b"), visit("b", "link", "c"),
                                   visit("a", "back", "x"), visit("c", "start", "a"), mark("c")}) {
    ASSERT_TRUE(recorder->add(event));
  }
  const Session s = recorder->session();
  EXPECT_EQ(s.name, "hockey");
  EXPECT_EQ(s.topic, "ice hockey");
  ASSERT_EQ(s.pages.size(), 3u);
  EXPECT_EQ(s.pages[0].response->body, "<a href='/b'>go</a>");  // as first seen
  EXPECT_TRUE(s.pages[2].useful);
  EXPECT_EQ(s.steps.size(), 4u);
  EXPECT_EQ(s.steps[2].kind, StepKind::kBack);
  // b -> c was not followed but exists; back adds none.
  EXPECT_EQ(s.links, (std::vector<SessionLink>{{0, 1}, {1, 2}, {2, 0}}));
}

TEST_F(Recorder, a_second_one_of_the_same_journal_is_refused_and_loses_nothing) {
  auto first = open();
  ASSERT_TRUE(first->add(visit("a", "start", "b")));
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another dowser process records into"), std::string::npos)
      << second.error().message;
  ASSERT_TRUE(first->add(visit("b", "link", "c")));
  EXPECT_EQ(first->session().pages.size(), 2u);
  { const auto moved = std::move(first); }
  const auto again = open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->session().pages.size(), 2u);
}

TEST_F(Recorder, a_link_in_the_place_of_the_journal_is_not_followed) {
  ASSERT_TRUE(put_file(dir_ / "mine", "my own words\n"));
  std::filesystem::create_symlink(dir_ / "mine", journal_);
  const auto refused = open();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is a symbolic link"), std::string::npos);
  EXPECT_EQ(*read_file(dir_ / "mine"), "my own words\n");
}

TEST_F(Recorder, an_event_that_is_nested_without_end_is_refused) {
  auto recorder = open();
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_FALSE(recorder->add(deep));
  EXPECT_FALSE(recorder->add("{\"event\":" + deep + "}"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(recorder->add(objects + "1" + std::string(100'000, '}')));
  std::string odd = visit("a", "start", "b");
  odd.insert(1, "\"more\": " + deep + ", ");
  EXPECT_TRUE(recorder->add(odd)) << "what is not asked for does no harm";
  EXPECT_EQ(recorder->session().pages.size(), 1u);
}

TEST_F(Recorder, a_password_in_an_address_is_not_kept) {
  auto recorder = open();
  ASSERT_TRUE(recorder->add(R"({"event": "visit", "url": "http://me:secret@w/a", "html": ""})"));
  EXPECT_EQ(recorder->session().pages[0].url.href(), "http://w/a");
}

TEST_F(Recorder, a_killed_process_loses_nothing_that_was_told) {
  {
    auto recorder = open();
    ASSERT_TRUE(recorder->add(visit("a", "start", "b")));
    ASSERT_TRUE(recorder->add(visit("b", "link", "a")));
  }
  ASSERT_TRUE(put_file(journal_, *read_file(journal_) + R"({"event": "visit", "ur)"));  // cut
  {
    auto again = open();
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->session().pages.size(), 2u);
    ASSERT_TRUE(again->add(mark("b")));
  }
  const auto third = open();
  EXPECT_EQ(third->session().targets(), 1u);
  EXPECT_EQ(third->session().steps.size(), 2u);
}

TEST_F(Recorder, a_page_can_be_dropped) {
  auto opened = std::make_unique<Result<SessionRecorder>>(open());
  Result<SessionRecorder>& recorder = *opened;
  for (const char* page : {"a", "b", "c"}) ASSERT_TRUE(recorder->add(visit(page, "link", "c")));
  ASSERT_TRUE(recorder->add(mark("c")));
  ASSERT_TRUE(recorder->add(R"({"event": "drop", "url": "http://w/b"})"));
  const Session s = recorder->session();
  ASSERT_EQ(s.pages.size(), 2u);
  EXPECT_EQ(s.steps.size(), 2u);
  EXPECT_EQ(s.steps[1].page, 1u);
  EXPECT_TRUE(s.pages[1].useful);
  opened.reset();
  EXPECT_EQ(open()->session().pages.size(), 2u);
}

TEST_F(Recorder, a_bad_event_is_refused_in_a_sentence_and_changes_nothing) {
  auto recorder = open();
  ASSERT_TRUE(recorder->add(visit("a", "start", "b")));
  const std::string before = *read_file(journal_);
  for (const char* event :
       {"", "[]", "{\"event\": \"fly\"}", "{\"event\": \"visit\", \"url\": \"file:///etc/passwd\"}",
        "{\"event\": \"mark\", \"url\": \"http://w/never\"}", "{\"event\": \"begin\"}"}) {
    EXPECT_FALSE(recorder->add(event)) << event;
  }
  EXPECT_EQ(*read_file(journal_), before);
  EXPECT_EQ(recorder->session().pages.size(), 1u);
  ASSERT_TRUE(put_file(dir_ / "other", "not a recording\n"));
  EXPECT_FALSE(SessionRecorder::open(dir_ / "other", "x", "", {}));
}

}  // namespace
}  // namespace dowser
