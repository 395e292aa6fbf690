#include "archive/cdxj.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/file.h"
#include "base/new_file.h"
#include "model/url.h"

namespace dowser {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// "http://www2.example.org" -> "http://example.org".
std::string without_www(std::string_view url) {
  const size_t host = url.find("//") + 2;
  std::string_view rest = url.substr(host);
  if (rest.starts_with("www")) {
    const size_t dot = rest.find_first_not_of("0123456789", 3);
    if (dot != std::string_view::npos && rest[dot] == '.') rest.remove_prefix(dot + 1);
  }
  return std::string(url.substr(0, host)).append(rest);
}

std::string turned_round(std::string_view host) {
  std::string out;
  for (size_t end = host.size(); true;) {
    const size_t dot = end == 0 ? std::string_view::npos : host.rfind('.', end - 1);
    const size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    out += host.substr(begin, end - begin);
    if (dot == std::string_view::npos) return out;
    out += ',';
    end = dot;
  }
}

std::string sorted_arguments(std::string_view query) {
  std::vector<std::string_view> arguments;
  for (size_t begin = 0; begin <= query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    arguments.push_back(query.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(arguments.begin(), arguments.end());
  return fmt::format("{}", fmt::join(arguments, "&"));
}

// Tools differ in whether numbers are written as strings.
std::string text_of(const nlohmann::json& fields, const char* name) {
  const auto found = fields.find(name);
  if (found == fields.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::optional<uint64_t> number_of(const nlohmann::json& fields, const char* name) {
  const std::string text = text_of(fields, name);
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_indexed(const WarcRecord& record) {
  switch (record.type) {
    case RecordType::kWarcinfo:
    case RecordType::kRequest:
    case RecordType::kConversion:  // whoever asks for the address wants the document itself
      return false;
    case RecordType::kMetadata:
    case RecordType::kResource:
      return record.content_type != "application/warc-fields";
    default:
      return true;
  }
}

}  // namespace

std::string surt(std::string_view url) {
  if (!url.starts_with("http:") && !url.starts_with("https:")) return std::string(url);
  const std::string bare =
      url.find("//") == std::string_view::npos ? std::string(url) : without_www(url);
  const Result<Url> parsed = Url::parse(lower(bare));
  if (!parsed) return bare;
  std::string key = turned_round(parsed->hostname());
  if (parsed->port()) key += fmt::format(":{}", *parsed->port());
  key += ')';
  key += parsed->path();
  if (!parsed->query().empty()) key += '?' + sorted_arguments(parsed->query());
  return key;
}

std::string CdxEntry::line() const {
  nlohmann::ordered_json fields;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) fields[name] = value;
  };
  set("url", url);
  set("mime", mime);
  set("status", status);
  set("digest", digest);
  set("length", fmt::format("{}", length));
  set("offset", fmt::format("{}", offset));
  set("filename", filename);
  // Two spaces end a line's first two parts, so the key must hold none.
  std::string text;
  for (const char c : key) c == ' ' ? text += "%20" : text += c;
  using Json = nlohmann::ordered_json;
  return fmt::format("{} {} {}", text, timestamp,
                     fields.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<CdxEntry> CdxEntry::parse(std::string_view line) {
  const Error bad{fmt::format("'{}' is not a line of a CDXJ index", line.substr(0, 80))};
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return bad;
  const auto fields = nlohmann::json::parse(line.substr(second + 1), nullptr, false);
  if (!fields.is_object()) return bad;
  const auto length = number_of(fields, "length"), offset = number_of(fields, "offset");
  if (!offset) return bad;
  CdxEntry entry;
  entry.key = line.substr(0, first);
  entry.timestamp = line.substr(first + 1, second - first - 1);
  entry.url = text_of(fields, "url");
  entry.mime = text_of(fields, "mime");
  entry.status = text_of(fields, "status");
  entry.digest = text_of(fields, "digest");
  entry.length = length.value_or(0);
  entry.offset = *offset;
  entry.filename = text_of(fields, "filename");
  return entry;
}

std::optional<CdxEntry> cdx_entry(const WarcRecord& record, std::string filename) {
  if (!is_indexed(record)) return std::nullopt;
  CdxEntry entry;
  entry.key = surt(record.target);
  entry.timestamp = to_cdx_timestamp(record.date);
  entry.url = record.target;
  entry.mime = record.content_type;
  if (record.is_http()) {
    const std::string_view block = record.block;
    const auto head = parse_response(block.substr(0, block.size() - record.payload().size()));
    entry.mime.clear();
    if (head) {
      entry.status = fmt::format("{}", head->status);
      const std::string_view type = head->headers.get("Content-Type").value_or("");
      entry.mime = type.substr(0, type.find(';'));
      entry.mime.erase(entry.mime.find_last_not_of(" \t") + 1);
    }
  }
  if (record.type == RecordType::kRevisit) entry.mime = "warc/revisit";
  if (const auto digest = record.payload_digest())
    entry.digest = digest->substr(digest->find(':') + 1);
  entry.length = record.place.length;
  entry.offset = record.place.offset;
  entry.filename = std::move(filename);
  return entry;
}

Status CdxIndex::add_all(WarcReader& reader) {
  const std::string filename = std::filesystem::path(reader.name()).filename().string();
  while (const auto record = reader.next()) {
    if (!record->place.addressable()) {
      return Error{
          fmt::format("{} has several records in one gzip member, so they cannot be found by their "
                      "offset: repack it with 'warcio recompress OLD NEW'",
                      reader.name())};
    }
    if (auto entry = cdx_entry(*record, filename)) add(std::move(*entry));
  }
  return {};
}

std::span<const CdxEntry> CdxIndex::entries() {
  if (!sorted_) {
    // The order of `LC_ALL=C sort` over the lines, which tools that merge indexes rely on.
    std::sort(entries_.begin(), entries_.end(), [](const CdxEntry& a, const CdxEntry& b) {
      const auto parts = std::tie(a.key, a.timestamp) <=> std::tie(b.key, b.timestamp);
      return parts != 0 ? parts < 0 : a.line() < b.line();
    });
    sorted_ = true;
  }
  return entries_;
}

std::span<const CdxEntry> CdxIndex::find(std::string_view url) {
  const std::span<const CdxEntry> all = entries();
  const std::string key = surt(url);
  const auto first =
      std::partition_point(all.begin(), all.end(), [&](const CdxEntry& e) { return e.key < key; });
  const auto last =
      std::partition_point(first, all.end(), [&](const CdxEntry& e) { return e.key == key; });
  return {first, last};
}

Result<CdxIndex> CdxIndex::read(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path, UINT64_MAX);
  if (!text) return text.error();
  CdxIndex index;
  for (std::string_view rest = *text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    // "!meta {…}" and " CDX …" say what kind of index it is.
    if (line.empty() || line.front() == '!' || line.front() == ' ') continue;
    Result<CdxEntry> entry = CdxEntry::parse(line);
    if (!entry) return Error{fmt::format("{}: {}", path.string(), entry.error().message)};
    index.add(std::move(*entry));
  }
  return index;
}

Status CdxIndex::write(const std::filesystem::path& path) {
  std::string text;
  for (const CdxEntry& entry : entries()) text += entry.line() + '\n';
  return replace_own_file(path, text);
}

}  // namespace dowser
