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
    return fmt::format(
        R"({{"event": "visit", "url": "http://w/{}", "kind": "{}", )"
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

TEST_F(Recorder, a_killed_process_loses_nothing_that_was_told) {
  {
    auto recorder = open();
    ASSERT_TRUE(recorder->add(visit("a", "start", "b")));
    ASSERT_TRUE(recorder->add(visit("b", "link", "a")));
  }
  ASSERT_TRUE(put_file(journal_, *read_file(journal_) + R"({"event": "visit", "ur)"));  // cut
  auto again = open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->session().pages.size(), 2u);
  ASSERT_TRUE(again->add(mark("b")));
  const auto third = open();
  EXPECT_EQ(third->session().targets(), 1u);
  EXPECT_EQ(third->session().steps.size(), 2u);
}

TEST_F(Recorder, a_page_can_be_dropped) {
  auto recorder = open();
  for (const char* page : {"a", "b", "c"}) ASSERT_TRUE(recorder->add(visit(page, "link", "c")));
  ASSERT_TRUE(recorder->add(mark("c")));
  ASSERT_TRUE(recorder->add(R"({"event": "drop", "url": "http://w/b"})"));
  const Session s = recorder->session();
  ASSERT_EQ(s.pages.size(), 2u);
  EXPECT_EQ(s.steps.size(), 2u);
  EXPECT_EQ(s.steps[1].page, 1u);
  EXPECT_TRUE(s.pages[1].useful);
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
