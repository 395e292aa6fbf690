#include "mine/session_recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
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
// Every event is appended to a journal, a file of one event a line, and flushed before add()
// returns. A recorder that is opened on a journal reads it again: whatever stopped the process, the
// session is there up to the last whole line, and a line that was cut is left out. The browser's
// part may also be stopped at any time, since all that is known is here.

namespace dowser {
namespace {

using nlohmann::json;

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
  return url->without_fragment();
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
  std::error_code failed;
  uint64_t whole = 0;  // bytes of the journal that are whole lines
  if (std::filesystem::exists(journal, failed)) {
    const Result<std::string> text = read_file(journal);
    if (!text) return text.error();
    for (size_t begin = 0, end; (end = text->find('\n', begin)) != text->npos; begin = end + 1) {
      const Status applied = recorder.apply(std::string_view(*text).substr(begin, end - begin));
      if (!applied && whole == 0) {
        return Error{
            fmt::format("{} is not a recording: {}", journal.string(), applied.error().message)};
      }
      whole = end + 1;
    }
  }
  recorder.file_ = ::open(journal.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (recorder.file_ < 0) {
    return Error{fmt::format("cannot write the recording {}", journal.string())};
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

Status SessionRecorder::add(std::string_view event) {
  const json parsed = json::parse(event, nullptr, false);
  if (!parsed.is_object()) return Error{"the event is no JSON object"};
  const std::string line = parsed.dump(-1, ' ', false, json::error_handler_t::replace);
  const Session before = session_;
  const std::map<uint64_t, uint32_t> numbers = numbers_;
  if (Status s = apply(line); !s) return s;
  if (Status s = append(line); !s) {
    session_ = before;
    numbers_ = numbers;
    --events_;
    return s;
  }
  return {};
}

Status SessionRecorder::append(std::string_view event) {
  const std::string line = std::string(event) + "\n";
  const off_t start = ::lseek(file_, 0, SEEK_CUR);
  for (size_t written = 0; written < line.size();) {
    const ssize_t n = ::write(file_, line.data() + written, line.size() - written);
    if (n <= 0) {
      static_cast<void>(::ftruncate(file_, start));
      static_cast<void>(::lseek(file_, start, SEEK_SET));
      return Error{"the recording cannot be written: is the disk full?"};
    }
    written += static_cast<size_t>(n);
  }
  return {};
}

uint32_t SessionRecorder::page_at(const Url& url) {
  const auto [it, is_new] =
      numbers_.try_emplace(seen_fingerprint(url), static_cast<uint32_t>(session_.pages.size()));
  if (is_new) session_.pages.push_back({url});
  return it->second;
}

Status SessionRecorder::apply(std::string_view event) {
  const json from = json::parse(event, nullptr, false);
  if (!from.is_object()) return Error{"the event is no JSON object"};
  const std::string kind = text_in(from, "event");
  if (kind == "begin") {
    if (events_ > 0) return Error{"the recording has begun already"};
    session_.name = text_in(from, "name");
    session_.topic = text_in(from, "topic");
    session_.started = time_in(from);
    ++events_;
    return {};
  }
  if (kind != "visit" && kind != "mark" && kind != "drop") {
    return Error{fmt::format("there is no event '{}'", kind.substr(0, 40))};
  }
  const Result<Url> url = url_in(from);
  if (!url) return url.error();
  const auto known = numbers_.find(seen_fingerprint(*url));
  if (kind == "visit") {
    const uint32_t page = page_at(*url);
    SessionPage& visited = session_.pages[page];
    if (!visited.response) {
      visited.response = answer_of_browser(*url, text_in(from, "html"), time_in(from));
    }
    const auto step = step_kind_named(text_in(from, "kind"));
    session_.steps.push_back({page, step.value_or(StepKind::kUnknown), time_in(from)});
  } else if (known == numbers_.end()) {
    return Error{fmt::format("{} was not visited", url->href())};
  } else if (kind == "mark") {
    const auto useful = from.find("useful");
    session_.pages[known->second].useful =
        useful == from.end() || !useful->is_boolean() || useful->get<bool>();
  } else {
    const uint32_t page = known->second;
    session_.pages.erase(session_.pages.begin() + page);
    std::erase_if(session_.steps, [page](const SessionStep& s) { return s.page == page; });
    for (SessionStep& step : session_.steps) step.page -= step.page > page;
    numbers_.erase(known);
    for (auto& [fingerprint, number] : numbers_) number -= number > page;
  }
  ++events_;
  return {};
}

Session SessionRecorder::session() const {
  Session session = session_;
  PageLinks links;
  link_pages(session, links);
  return session;
}

}  // namespace dowser
