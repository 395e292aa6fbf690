#include <fmt/format.h>

#include <charconv>
#include <map>

#include "mine/import_sessions.h"
#include "mine/session_links.h"
#include "model/url_canonical.h"

// The shared sessions of schools-wikipedia.org (West and Leskovec's Wikispeedia): people were given
// an article to find by clicking from another one. A line is
//
//   user TAB time (seconds since 1970) TAB seconds TAB goal TAB clicks (addresses; "<" is back)
//
// A first line whose time is not a number is a heading. The addresses are looked up in an archive,
// which holds the HTML, so that the links between the pages of a session are known.
//
// "<" goes back by one page in the history, as the button does: after a b < c the history is a c,
// and c was reached from a.

namespace dowser {
namespace {

constexpr size_t kMostWarnings = 10;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

class ClickReader {
 public:
  ClickReader(const ArchiveSet& web, Goals goals) : web_(web), goals_(goals) {}

  void read(std::string_view line, size_t number) {
    const std::vector<std::string_view> columns = split(line, '\t');
    int64_t seconds = 0;
    const bool has_time =
        columns.size() >= 5 &&
        std::from_chars(columns[1].data(), columns[1].data() + columns[1].size(), seconds).ec ==
            std::errc();
    if (!has_time) {
      if (number > 1) bad(fmt::format("line {} is not user, time, seconds, goal, clicks", number));
      return;
    }
    Session session;
    session.name = fmt::format("{}-{}", columns[0], number);
    session.started = {seconds * 1'000'000};
    session.topic = goal_name(columns[3]);
    pages_.clear();
    click(session, columns[4]);
    if (session.steps.empty()) {
      return bad(fmt::format("no click of line {} is a page of the archive", number));
    }
    mark_goal(session, columns[3]);
    link_pages(session, links_);
    out_.sessions.push_back(std::move(session));
  }

  ImportedSessions take() { return std::move(out_); }

 private:
  void bad(std::string text) {
    ++out_.bad_lines;
    if (out_.warnings.size() < kMostWarnings) out_.warnings.push_back(std::move(text));
  }

  static std::string goal_name(std::string_view goal) {
    std::string name(goal.substr(goal.rfind('/') + 1));
    for (const std::string_view ending : {".html", ".htm"}) {
      if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    }
    return name;
  }

  // The number of the page in the session, new if need be; nothing if the archive has none.
  std::optional<uint32_t> page(Session& session, std::string_view address, bool visited) {
    const Result<Url> url = Url::parse(address);
    const auto response = url ? load(*url) : nullptr;
    if (!response) return std::nullopt;
    const auto [it, is_new] = pages_.try_emplace(seen_fingerprint(response->url),
                                                 static_cast<uint32_t>(session.pages.size()));
    if (is_new) session.pages.push_back({response->url, response, false, visited});
    return it->second;
  }

  std::shared_ptr<const Response> load(const Url& url) {
    const auto [it, is_new] = responses_.try_emplace(std::string(url.href()));
    if (!is_new) return it->second;
    const auto record = web_.find(url.href());
    if (!record) return nullptr;
    Result<Response> response = web_.load(*record);
    if (!response || !response->ok()) return nullptr;
    response->url = canonical(url);
    return it->second = std::make_shared<const Response>(std::move(*response));
  }

  void click(Session& session, std::string_view clicks) {
    std::vector<uint32_t> history;
    for (const std::string_view one : split(clicks, ' ')) {
      if (one.empty()) continue;
      if (one == "<") {
        if (history.size() < 2) continue;
        history.pop_back();
        session.steps.push_back({history.back(), StepKind::kBack, {}});
        continue;
      }
      const std::optional<uint32_t> number = page(session, one, true);
      if (!number) {
        ++out_.missing_pages;
        continue;
      }
      session.steps.push_back({*number, history.empty() ? StepKind::kStart : StepKind::kLink, {}});
      history.push_back(*number);
    }
    if (!session.steps.empty()) session.steps.front().at = session.started;
  }

  void mark_goal(Session& session, std::string_view goal) {
    const Result<Url> url = Url::parse(goal);
    const auto found = url ? pages_.find(seen_fingerprint(*url)) : pages_.end();
    if (found != pages_.end()) {
      session.pages[found->second].useful = true;
      ++out_.goals_visited;
      return;
    }
    if (goals_ == Goals::kAdd) {
      if (const auto number = page(session, goal, false)) {
        session.pages[*number].useful = true;
        ++out_.goals_added;
        return;
      }
    }
    ++out_.without_goal;
  }

  const ArchiveSet& web_;
  const Goals goals_;
  PageLinks links_;
  std::map<std::string, std::shared_ptr<const Response>, std::less<>> responses_;  // by address
  std::map<uint64_t, uint32_t> pages_;  // of the session at hand, by fingerprint
  ImportedSessions out_;
};

}  // namespace

Result<ImportedSessions> import_clicks(std::string_view tsv, const ArchiveSet& web, Goals goals,
                                       const Watch& watch) {
  ClickReader reader(web, goals);
  const std::vector<std::string_view> lines = split(tsv, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) reader.read(line, i + 1);
    if (!watch({"sessions", i + 1, lines.size()})) return stopped();
  }
  ImportedSessions imported = reader.take();
  if (imported.sessions.empty()) {
    return Error{imported.warnings.empty()
                     ? "it contains no session"
                     : fmt::format("no session could be read: {}", imported.warnings.front())};
  }
  return imported;
}

}  // namespace dowser
