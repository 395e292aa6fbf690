#include "mine/import_sessions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "archive/warc_writer.h"
#include "base/random.h"
#include "mine/learn_sessions.h"
#include "tests/support.h"

namespace dowser {
namespace {

// An archive of pages "name -> names of the pages it links to".
class MadeArchive {
 public:
  explicit MadeArchive(const std::vector<std::pair<std::string, std::vector<std::string>>>& pages) {
    {
      WarcWriter writer({.folder = folder_.path()});
      for (const auto& [name, links] : pages) {
        Response response;
        response.url = *Url::parse("http://w/" + name);
        response.status = 200;
        response.headers.add("Content-Type", "text/html");
        response.body = fmt::format("<title>{0}</title><p>{0} text of {0}", name);
        for (const std::string& link : links) {
          response.body += fmt::format(" <a href=\"/{0}\">{0}</a>", link);
        }
        EXPECT_TRUE(writer.write(response_record(response)));
      }
    }
    const std::vector<std::filesystem::path> files = {folder_.path() / "crawl-00000.warc.gz"};
    set_.emplace(*ArchiveSet::open(files));
  }
  const ArchiveSet& set() const { return *set_; }

 private:
  TempDir folder_;
  std::optional<ArchiveSet> set_;
};

const std::vector<std::pair<std::string, std::vector<std::string>>> kWeb = {
    {"a", {"b", "c"}}, {"b", {"goal", "a"}}, {"c", {"a", "d"}}, {"d", {}}, {"goal", {"a"}}};

std::string line(std::string_view goal, std::string_view clicks) {
  return fmt::format("user\t1297090819\t60\thttp://w/{}\t{}\n", goal, clicks);
}

std::vector<std::string> names(const Session& session) {
  std::vector<std::string> out;
  for (const SessionPage& page : session.pages) out.emplace_back(page.url.path().substr(1));
  return out;
}

TEST(ImportClicks, nodes_are_visited_pages_and_links_those_that_exist_between_them) {
  const MadeArchive web(kWeb);
  const auto imported = import_clicks("user\tstarted\tseconds\ttarget\tclicks\n" +
                                          line("goal", "http://w/a http://w/b < http://w/c"),
                                      web.set(), Goals::kAdd);
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->sessions.size(), 1u);
  const Session& s = imported->sessions[0];
  EXPECT_EQ(s.topic, "goal");
  EXPECT_EQ(names(s), (std::vector<std::string>{"a", "b", "c", "goal"}));
  EXPECT_FALSE(s.pages[3].visited);
  EXPECT_TRUE(s.pages[3].useful);
  // a -> b and a -> c were followed; b -> a, c -> a, goal -> a and b -> goal exist; back adds none.
  EXPECT_EQ(s.links, (std::vector<SessionLink>{{0, 1}, {0, 2}, {1, 0}, {1, 3}, {2, 0}, {3, 0}}));
  std::vector<StepKind> kinds;
  for (const SessionStep& step : s.steps) kinds.push_back(step.kind);
  EXPECT_EQ(kinds, (std::vector<StepKind>{StepKind::kStart, StepKind::kLink, StepKind::kBack,
                                          StepKind::kLink}));
  EXPECT_EQ(imported->goals_added, 1u);
}

TEST(ImportClicks, goals_are_added_or_only_marked_where_they_were_visited) {
  const MadeArchive web(kWeb);
  const std::string lines = line("goal", "http://w/a http://w/b") +
                            line("c", "http://w/a http://w/c") + line("nowhere", "http://w/a");
  const auto added = import_clicks(lines, web.set(), Goals::kAdd);
  EXPECT_EQ(added->goals_added, 1u);
  EXPECT_EQ(added->goals_visited, 1u);
  EXPECT_EQ(added->without_goal, 1u);
  const auto visited = import_clicks(lines, web.set(), Goals::kVisited);
  EXPECT_EQ(visited->goals_added, 0u);
  EXPECT_EQ(visited->goals_visited, 1u);
  EXPECT_EQ(visited->without_goal, 2u);
  EXPECT_EQ(visited->sessions[0].pages.size(), 2u);
}

TEST(ImportClicks, broken_lines_and_missing_pages_are_counted_and_the_rest_is_kept) {
  const MadeArchive web(kWeb);
  const auto imported =
      import_clicks(line("goal", "http://w/a") + "nonsense\n" +
                        line("goal", "http://w/gone http://w/b") + line("goal", "http://w/gone"),
                    web.set(), Goals::kAdd);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->sessions.size(), 2u);
  EXPECT_EQ(imported->missing_pages, 2u);
  EXPECT_EQ(imported->bad_lines, 2u);
  EXPECT_EQ(imported->warnings[0], "line 2 is not user, time, seconds, goal, clicks");
  EXPECT_FALSE(import_clicks("", web.set(), Goals::kAdd));
  EXPECT_FALSE(import_clicks("a\nb\nc", web.set(), Goals::kAdd));
}

std::string entry(std::string_view url, std::string_view body, std::string_view more = "",
                  int status = 200, std::string_view type = "text/html") {
  return fmt::format(
      R"({{"startedDateTime": "2026-11-16T09:30:00Z"{}, "request": {{"url": "{}", "headers": []}},)"
      R"( "response": {{"status": {}, "content": {{"mimeType": "{}", "text": "{}"}}}}}})",
      more, url, status, type, body);
}

std::string har(const std::vector<std::string>& entries) {
  return fmt::format(R"({{"log": {{"version": "1.2", "entries": [{}]}}}})",
                     fmt::join(entries, ","));
}

TEST(ImportHar, pages_are_the_documents_and_redirects_end_where_they_lead) {
  const auto session = import_har(
      har({entry("http://w/old", "", "", 302),
           entry("http://w/a", "<a href='/b'>b</a>", R"(, "_resourceType": "document")"),
           entry("http://w/style", "x", R"(, "_resourceType": "stylesheet")"),
           entry("http://w/pic", "x", "", 200, "image/png"),
           entry("http://w/b#top", "<a href='/c'>c</a>", R"(, "_resourceType": "document")"),
           entry("http://w/a", "<a href='/b'>b</a>", R"(, "_resourceType": "document")")}),
      "my.har", {"http://w/b"});
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ(names(*session), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(session->steps.size(), 3u);
  EXPECT_EQ(session->links, (std::vector<SessionLink>{{0, 1}}));
  EXPECT_TRUE(session->pages[1].useful);
}

TEST(ImportHar, of_a_page_reference_the_first_html_answer_is_the_page) {
  const auto session = import_har(har({entry("http://w/a", "<p>a", R"(, "pageref": "p1")"),
                                       entry("http://w/frame", "<p>f", R"(, "pageref": "p1")"),
                                       entry("http://w/b", "<p>b", R"(, "pageref": "p2")")}),
                                  "my.har", {});
  EXPECT_EQ(names(*session), (std::vector<std::string>{"a", "b"}));
}

TEST(ImportHar, what_is_no_har_or_was_not_visited_is_refused_in_a_sentence) {
  EXPECT_EQ(import_har("{}", "x.har", {}).error().message,
            "x.har is not a HAR file: it has no log with entries");
  EXPECT_FALSE(import_har("", "x.har", {}));
  EXPECT_FALSE(import_har(har({}), "x.har", {}));
  const std::string one = har({entry("http://w/a", "<p>a")});
  EXPECT_EQ(import_har(one, "x.har", {"http://w/b"}).error().message,
            "http://w/b was not visited in x.har, so it cannot be marked");
  Random random(1);
  for (int i = 0; i < 500; ++i) {  // whatever the bytes, reading ends
    std::string broken = one;
    for (int n = 0; n < 3; ++n) {
      broken[random.below(broken.size())] = static_cast<char>(random.next());
    }
    static_cast<void>(import_har(broken, "x.har", {}));
  }
}

TEST(LearnSessions, a_page_of_several_sessions_is_one_node) {
  const MadeArchive web(kWeb);
  const auto imported = import_clicks(
      line("goal", "http://w/a http://w/b") + line("goal", "http://w/a http://w/c http://w/d"),
      web.set(), Goals::kAdd);
  const SessionGraph graph = merge_sessions(imported->sessions);
  EXPECT_EQ(graph.pages.size(), 5u);
  EXPECT_EQ(std::count(graph.is_target.begin(), graph.is_target.end(), 1), 1);
  const auto own = learn_sessions(imported->sessions, {}, SessionLinks::kOwn);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->file.sessions, 2u);
  EXPECT_EQ(own->file.topics, std::vector<std::string>{"goal"});
  EXPECT_EQ(own->file.addresses.size(), 5u);
  EXPECT_EQ(own->file.clusters[0].by_log_odds[0].word, "goal");
  EXPECT_EQ(own->file.model.unreachable(), 1u);  // d
  const auto all = learn_sessions(imported->sessions, {});
  EXPECT_EQ(all->links, own->links);  // here every link is within a session
  EXPECT_EQ(hmm_file_text(all->file), hmm_file_text(learn_sessions(imported->sessions, {})->file));
}

TEST(LearnSessions, pages_without_html_are_left_out_and_counted) {
  const MadeArchive web(kWeb);
  auto imported = import_clicks(line("goal", "http://w/a http://w/b"), web.set(), Goals::kAdd);
  imported->sessions[0].pages[0].response = nullptr;
  const auto learned = learn_sessions(imported->sessions, {});
  ASSERT_TRUE(learned);
  EXPECT_EQ(learned->without_html, 1u);
  for (SessionPage& page : imported->sessions[0].pages) page.response = nullptr;
  EXPECT_FALSE(learn_sessions(imported->sessions, {}));
}

}  // namespace
}  // namespace dowser
