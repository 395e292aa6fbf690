#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "archive/warc_reader.h"
#include "base/clock.h"
#include "cli/arguments.h"
#include "cli/inspect.h"
#include "cli/print_json.h"
#include "model/response.h"
#include "model/url.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

struct Summary {
  uint64_t records = 0;
  uint64_t pages = 0;  // HTML that came with a 2xx
  std::map<std::string, uint64_t> types;
  std::map<int, uint64_t> statuses;
  std::set<std::string, std::less<>> hosts;
  std::optional<Time> oldest, newest;
  std::vector<ArchiveError> errors;

  void add(const WarcRecord& record);
};

bool is_html(std::string_view type) {
  return type == "text/html" || type == "application/xhtml+xml";
}

void Summary::add(const WarcRecord& record) {
  ++records;
  ++types[std::string(name_of(record.type))];
  if (record.date.micros != 0) {  // a record without a date has that of 1970
    oldest = oldest ? std::min(*oldest, record.date) : record.date;
    newest = newest ? std::max(*newest, record.date) : record.date;
  }
  if (const auto digest = record.block_digest(); digest && !record.truncated) {
    if (digest_matches(*digest, record.block) == false) {
      errors.push_back({record.place.offset, "the block does not match the digest in its header"});
    }
  }
  const bool is_response = record.type == RecordType::kResponse && record.is_http();
  if (!is_response && record.type != RecordType::kResource) return;
  if (const Result<Url> url = Url::parse(record.target); url && url->has_host()) {
    hosts.emplace(url->host());
  }
  if (!is_response) {
    pages += is_html(record.content_type.substr(0, record.content_type.find(';')));
    return;
  }
  const Result<Response> response = parse_response(record.block);
  if (!response) {
    errors.push_back({record.place.offset, response.error().message});
    return;
  }
  ++statuses[response->status];
  pages += response->ok() && is_html(response->content_type());
}

Summary summarise(WarcReader& reader) {
  Summary summary;
  while (const std::optional<WarcRecord> record = reader.next()) summary.add(*record);
  summary.errors.insert(summary.errors.end(), reader.errors().begin(), reader.errors().end());
  std::stable_sort(summary.errors.begin(), summary.errors.end(),
                   [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return summary;
}

Json to_json(const std::string& file, uint64_t bytes, const Summary& s) {
  const auto date = [](const auto& time) { return time ? Json(to_iso8601(*time)) : Json(nullptr); };
  Json statuses = Json::object(), errors = Json::array();
  for (const auto& [status, n] : s.statuses) statuses[std::to_string(status)] = n;
  for (const ArchiveError& e : s.errors) {
    errors.push_back({{"offset", e.offset}, {"message", e.message}});
  }
  return {{"file", file},
          {"bytes", bytes},
          {"records", s.records},
          {"types", s.types},
          {"pages", s.pages},
          {"statuses", statuses},
          {"hosts", s.hosts.size()},
          {"oldest", date(s.oldest)},
          {"newest", date(s.newest)},
          {"errors", errors}};
}

void print(const Json& json) {
  const auto counts = [](const Json& object) {
    std::string text;
    for (const auto& [name, n] : object.items()) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n.get<uint64_t>(), name);
    }
    return text;
  };
  const auto count = [&](const char* name) { return json[name].get<uint64_t>(); };
  fmt::print("{}: {} bytes\n", json["file"].get<std::string>(), count("bytes"));
  fmt::print("  records   {} ({})\n", count("records"), counts(json["types"]));
  fmt::print("  pages     {} on {} hosts\n", count("pages"), count("hosts"));
  if (!json["statuses"].empty()) fmt::print("  statuses  {}\n", counts(json["statuses"]));
  if (json["oldest"].is_string()) {
    fmt::print("  dates     {} to {}\n", json["oldest"].get<std::string>(),
               json["newest"].get<std::string>());
  }
  fmt::print("  errors    {}\n", json["errors"].size());
  for (const Json& e : json["errors"]) {
    fmt::print("    at {}: {}\n", e["offset"].get<uint64_t>(), e["message"].get<std::string>());
  }
}

}  // namespace

int inspect_archive_command(CommandLine line) {
  Arguments arguments("inspect archive", "Counts the records of an archive and lists its errors.",
                      "dowser inspect archive schools.warc.gz");
  std::string file;
  bool json = false;
  arguments.word("FILE", "a WARC file, plain or gzip", &file);
  arguments.flag("json", "print one JSON object", &json);
  arguments.note("The exit code is 0 even if there are errors, as long as the file is an archive.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  Result<WarcReader> reader = WarcReader::open(file);
  if (!reader) return fail("inspect archive", reader.error());
  const Json out = to_json(file, reader->size(), summarise(*reader));
  json ? print_json(out) : print(out);
  return kDone;
}

}  // namespace dowser
