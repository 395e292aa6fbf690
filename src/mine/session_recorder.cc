#include "mine/session_recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/new_file.h"
#include "mine/session_links.h"
#include "mine/session_page.h"
#include "model/url_canonical.h"

// The events of a recording, one JSON object each:
//
//   {"event": "begin", "name": "hockey", "topic": "hockey", "at": "2026-11-16T09:30:00Z"}
//   {"event": "visit", "url": "http://…", "kind": "link", "html": "<html>…", "at": "…"}
//   {"event": "mark", "url": "http://…", "useful": true}
//   {"event": "drop", "url": "http://…"}
//
// `visit` is sent when a page is shown, with its address after redirects: followed links, typed
// addresses and bookmarks alike ("kind" is one of start, link, back, tab). A page that is visited
// again keeps its first HTML; going back adds a step and no link. A frameset is not told, its
// frames are. `drop` takes a page out, with its steps. The service decides when a recording begins
// and ends; nothing is told to a recorder before.
//
// Every event is appended to a journal, one event a line, and is on disk when add() returns. A
// recorder that is opened on a journal reads it again: whatever ended the process, the session is
// there up to the last whole line, and a line that was cut is removed. The browser may stop the
// extension at any time, since all that is known is here.

namespace dowser {
namespace {

using nlohmann::json;

// An event is an object of texts. One that is nested deeper is discarded: what is nested a hundred
// thousand levels deep would overflow the stack when it is written again.
json parsed_event(std::string_view line) {
  const auto is_flat = [](int depth, json::parse_event_t, json&) { return depth <= 1; };
  return json::parse(line, is_flat, false);
}

const Error kNoEvent{"the event is not a JSON object"};

std::string text_in(const json& from, const char* name) {
  const auto it = from.find(name);
  return it != from.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Time time_in(const json& from) {
  const Result<Time> time = parse_iso8601(text_in(from, "at"));
  return time ? *time : Time{};
}

Result<Url> url_in(const json& from) {
  const std::string text = text_in(from, "url");
  const Result<Url> url = Url::parse(text);
  if (!url || !url->is_http()) {
    return Error{fmt::format("the event names no web address: '{}'", text.substr(0, 100))};
  }
  return url->without_credentials().without_fragment();
}

}  // namespace

SessionRecorder::SessionRecorder() = default;
SessionRecorder::SessionRecorder(SessionRecorder&& other) noexcept { *this = std::move(other); }
SessionRecorder& SessionRecorder::operator=(SessionRecorder&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(events_, other.events_);
  std::swap(session_, other.session_);
  std::swap(numbers_, other.numbers_);
  return *this;
}
SessionRecorder::~SessionRecorder() {
  if (file_ >= 0) ::close(file_);
}

Result<SessionRecorder> SessionRecorder::open(const std::filesystem::path& journal,
                                              std::string name, std::string topic, Time now) {
  SessionRecorder recorder;
  if (Status s = recorder.open_journal(journal); !s) return s.error();
  uint64_t whole = 0;  // bytes of the journal that are whole lines
  {
    const Result<std::string> text = read_file(journal, kLargestData);
    if (!text) return text.error();
    for (size_t begin = 0, end; (end = text->find('\n', begin)) != text->npos; begin = end + 1) {
      const Result<Event> event =
          recorder.read_event(std::string_view(*text).substr(begin, end - begin));
      if (!event && whole == 0) {
        return Error{
            fmt::format("{} is not a recording: {}", journal.string(), event.error().message)};
      }
      if (event) recorder.apply(*event);
      whole = end + 1;
    }
  }
  // What was cut off in the middle of a line is removed.
  if (::ftruncate(recorder.file_, static_cast<off_t>(whole)) != 0 ||
      ::lseek(recorder.file_, 0, SEEK_END) < 0) {
    return Error{fmt::format("cannot continue the recording {}", journal.string())};
  }
  if (recorder.events_ == 0) {
    const json begin = {
        {"event", "begin"}, {"name", name}, {"topic", topic}, {"at", to_iso8601(now)}};
    if (Status s = recorder.add(begin.dump(-1, ' ', false, json::error_handler_t::replace)); !s) {
      return s.error();
    }
  }
  return recorder;
}

// Two recorders of one journal would each overwrite the events of the other.
Status SessionRecorder::open_journal(const std::filesystem::path& journal) {
  if (Status s = is_no_link(journal); !s) return s;
  file_ = ::open(journal.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file_ < 0) {
    return Error{
        fmt::format("cannot write the recording {}: {}", journal.string(), std::strerror(errno))};
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return {};
  return Error{
      fmt::format("another dowser process records into {}: end it, or name another file with --to",
                  journal.string())};
}

Status SessionRecorder::add(std::string_view event) {
  const json parsed = parsed_event(event);
  if (!parsed.is_object()) return kNoEvent;
  // As it will be read again: what is not UTF-8 is replaced.
  const std::string line = parsed.dump(-1, ' ', false, json::error_handler_t::replace);
  const Result<Event> read = read_event(line);
  if (!read) return read.error();
  if (Status s = append(line); !s) return s;
  apply(*read);
  return {};
}

Status SessionRecorder::append(std::string_view event) {
  const std::string line = std::string(event) + "\n";
  const off_t start = ::lseek(file_, 0, SEEK_CUR);
  const Status written = write_all(file_, line, "the recording");
  if (written && ::fdatasync(file_) == 0) return {};
  static_cast<void>(::ftruncate(file_, start));
  static_cast<void>(::lseek(file_, start, SEEK_SET));
  return Error{"the recording cannot be written: is the disk full?"};
}

uint32_t SessionRecorder::page_at(const Url& url) {
  const auto [it, is_new] =
      numbers_.try_emplace(seen_fingerprint(url), static_cast<uint32_t>(session_.pages.size()));
  if (is_new) session_.pages.push_back({url});
  return it->second;
}

Result<SessionRecorder::Event> SessionRecorder::read_event(std::string_view line) const {
  const json from = parsed_event(line);
  if (!from.is_object()) return kNoEvent;
  Event event;
  event.at = time_in(from);
  const std::string kind = text_in(from, "event");
  if (kind == "begin") {
    if (events_ > 0) return Error{"the recording has already begun"};
    event.kind = Event::Kind::kBegin;
    event.name = text_in(from, "name");
    event.topic = text_in(from, "topic");
    return event;
  }
  if (kind != "visit" && kind != "mark" && kind != "drop") {
    return Error{fmt::format("there is no event '{}'", kind.substr(0, 40))};
  }
  Result<Url> url = url_in(from);
  if (!url) return url.error();
  event.url = std::move(*url);
  if (kind == "visit") {
    event.kind = Event::Kind::kVisit;
    event.step = step_kind_named(text_in(from, "kind")).value_or(StepKind::kUnknown);
    event.html = text_in(from, "html");
    return event;
  }
  if (!numbers_.contains(seen_fingerprint(event.url))) {
    return Error{fmt::format("{} was not visited", event.url.href())};
  }
  event.kind = kind == "mark" ? Event::Kind::kMark : Event::Kind::kDrop;
  const auto useful = from.find("useful");
  event.useful = useful == from.end() || !useful->is_boolean() || useful->get<bool>();
  return event;
}

void SessionRecorder::apply(const Event& event) {
  ++events_;
  switch (event.kind) {
    case Event::Kind::kBegin:
      session_.name = event.name;
      session_.topic = event.topic;
      session_.started = event.at;
      return;
    case Event::Kind::kVisit: {
      const uint32_t page = page_at(event.url);
      SessionPage& visited = session_.pages[page];
      if (!visited.response) visited.response = answer_of_browser(event.url, event.html, event.at);
      session_.steps.push_back({page, event.step, event.at});
      return;
    }
    case Event::Kind::kMark:
      session_.pages[page_at(event.url)].useful = event.useful;
      return;
    case Event::Kind::kDrop:
      drop(page_at(event.url));
      return;
  }
}

void SessionRecorder::drop(uint32_t page) {
  session_.pages.erase(session_.pages.begin() + page);
  std::erase_if(session_.steps, [page](const SessionStep& s) { return s.page == page; });
  for (SessionStep& step : session_.steps) step.page -= step.page > page;
  std::erase_if(numbers_, [page](const auto& entry) { return entry.second == page; });
  for (auto& [fingerprint, number] : numbers_) number -= number > page;
}

Session SessionRecorder::session() const {
  Session session = session_;
  PageLinks links;
  link_pages(session, links);
  return session;
}

}  // namespace dowser
