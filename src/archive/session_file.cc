#include "archive/session_file.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "base/new_file.h"

// A session file is a WARC 1.1 file with one gzip member per record:
//
//   warcinfo    format: dowser-session 1
//   response    a page as it was seen, for each page whose HTML was kept; once, however many
//               sessions visited it
//   metadata    a session, after its pages: WARC-Target-URI urn:dowser:session:NAME,
//               Content-Type application/json
//
//   {"format": "dowser-session 1", "name": "2026-11-16 hockey", "topic": "hockey",
//    "started": "2026-11-16T09:30:00Z",
//    "pages": [{"url": "http://…", "html": true, "useful": true}, …],
//    "steps": [{"page": 0, "kind": "start", "at": "2026-11-16T09:30:00Z"}, …],
//    "links": [[0, 1], [0, 2], …]}
//
// "useful", "html" and a false "visited" (a goal that was added) are present only if they apply;
// unknown times are left out too. Pages, steps and links are those of model/session.h. Since a
// session comes after its pages, a truncated file loses only the last session.

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;
using nlohmann::json;

constexpr std::string_view kFormat = "dowser-session 1";
constexpr std::string_view kTarget = "urn:dowser:session:";
constexpr char kJsonType[] = "application/json";

std::string json_of(const Session& session) {
  Json out = {{"format", kFormat}, {"name", session.name}, {"topic", session.topic}};
  if (session.started.micros != 0) out["started"] = to_iso8601(session.started);
  out["pages"] = Json::array();
  for (const SessionPage& page : session.pages) {
    Json one = {{"url", page.url.href()}};
    if (page.response) one["html"] = true;
    if (page.useful) one["useful"] = true;
    if (!page.visited) one["visited"] = false;
    out["pages"].push_back(std::move(one));
  }
  out["steps"] = Json::array();
  for (const SessionStep& step : session.steps) {
    Json one = {{"page", step.page}, {"kind", name_of(step.kind)}};
    if (step.at.micros != 0) one["at"] = to_iso8601(step.at);
    out["steps"].push_back(std::move(one));
  }
  out["links"] = Json::array();
  for (const SessionLink& link : session.links) {
    out["links"].push_back(Json::array({link.from, link.to}));
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Letters, digits and a few signs as they are, the rest as %XX.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Time time_in(const json& from, const char* name) {
  const auto it = from.find(name);
  if (it == from.end() || !it->is_string()) return {};
  const Result<Time> time = parse_iso8601(it->get<std::string>());
  return time ? *time : Time{};
}

const json& list_in(const json& from, const char* name) {
  static const json kEmpty = json::array();
  const auto it = from.find(name);
  return it != from.end() && it->is_array() ? *it : kEmpty;
}

std::string text_in(const json& from, const char* name) {
  const auto it = from.find(name);
  return it != from.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool flag_in(const json& from, const char* name, bool otherwise) {
  const auto it = from.find(name);
  return it != from.end() && it->is_boolean() ? it->get<bool>() : otherwise;
}

class Reader {
 public:
  Reader(WarcReader& file, SessionFile& out) : file_(file), out_(out) {}

  void read() {
    while (std::optional<WarcRecord> record = file_.next()) {
      if (record->type == RecordType::kResponse && !record->truncated) {
        keep_page(*record);
      } else if (record->type == RecordType::kMetadata && record->target.starts_with(kTarget)) {
        read_session(*record);
      }
    }
    for (const ArchiveError& error : file_.errors()) {
      warn(fmt::format("byte {}: {}", error.offset, error.message));
    }
  }

 private:
  void warn(const std::string& text) {
    out_.warnings.push_back(fmt::format("{}: {}", file_.name(), text));
  }

  void keep_page(const WarcRecord& record) {
    Result<Response> response = parse_response(record.block);
    const Result<Url> url = Url::parse(record.target);
    if (!response || !url) return;
    response->url = *url;
    response->fetched_at = record.date;
    pages_[std::string(url->href())] = std::make_shared<const Response>(std::move(*response));
  }

  void read_session(const WarcRecord& record) {
    const json from = json::parse(record.block, nullptr, false);
    if (!from.is_object()) return warn("a session is cut short or broken and was left out");
    const std::string format = text_in(from, "format");
    if (format != kFormat) {
      return warn(fmt::format("a session of the form '{}' was left out: this program reads '{}'",
                              format, kFormat));
    }
    Session session;
    session.name = text_in(from, "name");
    session.topic = text_in(from, "topic");
    session.started = time_in(from, "started");
    if (!read_pages(from, session) || !read_steps(from, session)) {
      return warn(
          fmt::format("the session '{}' contradicts itself and was left out", session.name));
    }
    out_.sessions.push_back(std::move(session));
  }

  bool read_pages(const json& from, Session& session) {
    std::vector<std::string> missing;
    for (const json& one : list_in(from, "pages")) {
      if (!one.is_object()) return false;
      const Result<Url> url = Url::parse(text_in(one, "url"));
      if (!url) return false;
      SessionPage page{*url, nullptr, flag_in(one, "useful", false), flag_in(one, "visited", true)};
      if (flag_in(one, "html", false)) {
        const auto kept = pages_.find(std::string(url->href()));
        if (kept != pages_.end()) page.response = kept->second;
        if (kept == pages_.end()) missing.emplace_back(url->href());
      }
      session.pages.push_back(std::move(page));
    }
    if (!missing.empty()) {
      warn(fmt::format("{} page{} of the session '{}' {} missing from the file, the first is {}",
                       missing.size(), missing.size() == 1 ? "" : "s", session.name,
                       missing.size() == 1 ? "is" : "are", missing.front()));
    }
    return !session.pages.empty();
  }

  bool read_steps(const json& from, Session& session) {
    for (const json& one : list_in(from, "steps")) {
      if (!one.is_object()) return false;
      const auto page = index_of(one.value("page", json()), session);
      if (!page) return false;
      session.steps.push_back({*page,
                               step_kind_named(text_in(one, "kind")).value_or(StepKind::kUnknown),
                               time_in(one, "at")});
    }
    std::set<SessionLink> links;
    for (const json& one : list_in(from, "links")) {
      if (!one.is_array() || one.size() != 2) return false;
      const auto a = index_of(one[0], session), b = index_of(one[1], session);
      if (!a || !b) return false;
      if (*a != *b) links.insert({*a, *b});
    }
    session.links.assign(links.begin(), links.end());
    return true;
  }

  static std::optional<uint32_t> index_of(const json& value, const Session& session) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() >= session.pages.size()) {
      return std::nullopt;
    }
    return value.get<uint32_t>();
  }

  WarcReader& file_;
  SessionFile& out_;
  std::map<std::string, std::shared_ptr<const Response>> pages_;  // by address
};

Result<SessionFile> read_all(Result<WarcReader> file) {
  if (!file) return file.error();
  SessionFile out;
  Reader(*file, out).read();
  if (out.sessions.empty()) {
    return Error{
        fmt::format("{} contains no browsing session{}", file->name(),
                    out.warnings.empty() ? "" : " that can be read: " + out.warnings.front())};
  }
  return out;
}

}  // namespace

std::string session_file_bytes(std::span<const Session> sessions) {
  const Time first = sessions.empty() ? Time{} : sessions.front().started;
  WarcRecord info;
  info.type = RecordType::kWarcinfo;
  info.date = first;
  info.content_type = "application/warc-fields";
  info.block = fmt::format("software: Dowser\r\nformat: {}\r\n", kFormat);
  uint64_t salt = 0;
  std::string bytes = pack_record(info, true, salt++).bytes;
  std::set<std::string_view> written;
  for (const Session& session : sessions) {
    for (const SessionPage& page : session.pages) {
      if (!page.response || !written.insert(page.url.href()).second) continue;
      Response response = *page.response;
      response.url = page.url;
      bytes += pack_record(response_record(response), true, salt++).bytes;
    }
    WarcRecord record;
    record.type = RecordType::kMetadata;
    record.date = session.started;
    record.target = fmt::format("{}{}", kTarget, escaped(session.name));
    record.content_type = kJsonType;
    record.block = json_of(session);
    bytes += pack_record(record, true, salt++).bytes;
  }
  return bytes;
}

Status write_session_file(const std::filesystem::path& path, std::span<const Session> sessions) {
  return write_file(path, session_file_bytes(sessions));
}

Result<SessionFile> read_session_file(const std::filesystem::path& path) {
  return read_all(WarcReader::open(path));
}

Result<SessionFile> read_sessions(std::string_view bytes, const std::string& name) {
  return read_all(WarcReader::over(bytes, name));
}

}  // namespace dowser
