#include "run/added_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/new_file.h"
#include "document/header.h"
#include "document/kind.h"
#include "parse/parse_page.h"
#include "store/index_text.h"
#include "text/language.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kLongestName = 120;  // bytes

// A name that is safe in any folder and on any terminal.
std::string safe_name(const fs::path& file) {
  std::string name = file.filename().string();
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F ||
        std::string_view("/\\:*?\"<>|").find(c) != std::string::npos) {
      c = '_';
    }
  }
  while (name.starts_with('.')) name.erase(0, 1);
  if (name.size() > kLongestName) {
    const std::string ending = fs::path(name).extension().string().substr(0, 16);
    size_t keep = kLongestName - ending.size();
    while (keep > 0 && (static_cast<unsigned char>(name[keep]) & 0xC0) == 0x80) --keep;
    name = name.substr(0, keep) + ending;
  }
  return name.empty() ? "file" : name;
}

std::string dump(const json& object) {
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

json json_of(const LibraryItem& item, const fs::path& original, const std::string& digest) {
  json object = {
      {"original", original.string()}, {"added_at", item.fetched_at}, {"digest", digest},
      {"format", item.format},         {"kind", item.kind},           {"title", item.title},
      {"authors", item.authors},       {"abstract", item.abstract},   {"keywords", item.keywords},
      {"language", item.language}};
  if (item.year) object["year"] = *item.year;
  return object;
}

Result<LibraryItem> item_in(const fs::path& description) {
  const Result<std::string> text = read_file(description);
  if (!text) {
    return Error{fmt::format("{}: correct it, or remove the file with `dowser library remove`",
                             text.error().message)};
  }
  const json object = json::parse(*text, nullptr, false);
  if (!object.is_object()) {
    return Error{
        fmt::format("{} is not JSON: correct it, or remove the file with `dowser library "
                    "remove`",
                    description.string())};
  }
  const auto value = [&](const char* name) {
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  LibraryItem item;
  item.url = std::string(kAddedScheme) + description.stem().string();
  item.fetched_at = value("added_at"), item.format = value("format"), item.kind = value("kind");
  item.title = value("title"), item.authors = value("authors");
  item.abstract = value("abstract"), item.keywords = value("keywords");
  item.language = value("language");
  if (object.contains("year") && object["year"].is_number_integer()) {
    item.year = object["year"].get<int>();
  }
  return item;
}

struct Converted {
  LibraryItem item;
  std::string text;
};

Result<Converted> convert_html(const fs::path& file, const std::string& bytes) {
  Response response;
  response.status = 200;
  response.url = *Url::parse("http://added.invalid/");
  response.headers.add("Content-Type", "text/html");
  response.body = bytes;
  Page page = parse_page(response, {});
  Converted converted;
  converted.text = shown_text(page);
  if (converted.text.find_first_not_of(" \n") == std::string::npos) {
    return Error{fmt::format("{} has no text", file.string())};
  }
  converted.item.title = page.title, converted.item.keywords = page.keywords;
  converted.item.abstract = page.description, converted.item.language = page.language;
  converted.item.format = "html", converted.item.kind = "page";
  return converted;
}

Result<Converted> convert(const fs::path& file, const std::string& bytes, Converter& converter) {
  DocumentText document = read_document(bytes, "", file.filename().string(), &converter);
  if (document.format == DocumentFormat::kHtml) return convert_html(file, bytes);
  if (document.failure != ConversionFailure::kNone) {
    return Error{fmt::format("{} cannot be added: {}{}{}", file.string(), name_of(document.failure),
                             document.detail.empty() ? "" : ", ", document.detail)};
  }
  const DocumentHeader header = header_of(document);
  Converted converted;
  LibraryItem& item = converted.item;
  item.title = header.title.value, item.abstract = header.abstract.value;
  item.keywords = header.keywords.value;
  item.authors = fmt::format("{}", fmt::join(header.authors, "; "));
  if (header.year != 0) item.year = header.year;
  item.format = name_of(document.format), item.kind = name_of(kind_of(document, header).type);
  converted.text = std::move(document.text);
  item.language = detect_language(converted.text);
  return converted;
}

}  // namespace

std::string added_name(const LibraryItem& item) {
  return item.url.starts_with(kAddedScheme) ? item.url.substr(kAddedScheme.size()) : "";
}

Result<std::vector<LibraryItem>> AddedFiles::list() const {
  std::vector<LibraryItem> items;
  std::error_code failed;
  if (!fs::exists(folder_, failed)) return items;
  std::vector<fs::path> descriptions;
  for (fs::directory_iterator it(folder_, failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->path().extension() == ".json") descriptions.push_back(it->path());
  }
  if (failed) {
    return Error{
        fmt::format("cannot read {}: {}; if it is not the folder of added files, move it "
                    "away",
                    folder_.string(), failed.message())};
  }
  std::sort(descriptions.begin(), descriptions.end());
  for (const fs::path& description : descriptions) {
    Result<LibraryItem> item = item_in(description);
    if (!item) return item.error();
    items.push_back(std::move(*item));
  }
  return items;
}

Result<std::string> AddedFiles::text(const LibraryItem& item) const {
  return read_file(folder_ / (added_name(item) + ".txt"), kLargestDocument);
}

Result<AddedFiles::Added> AddedFiles::add(const fs::path& file, Converter& converter) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) {
    return Error{fmt::format("{} is a folder: name the files, as in {}/*.pdf", file.string(),
                             file.string())};
  }
  const Result<std::string> bytes = read_file(file, kLargestDocument);
  if (!bytes) return bytes.error();
  const std::string digest = sha1_digest(*bytes);
  std::string name = safe_name(file);
  for (int tries = 0;; ++tries) {
    const fs::path description = folder_ / (name + ".json");
    const bool is_described = fs::exists(description, failed);
    if (!is_described && !fs::exists(folder_ / name, failed)) break;
    const Result<std::string> held = read_file(folder_ / name, kLargestDocument);
    if (held && *held == *bytes) {
      if (!is_described) break;  // of an earlier try that was killed
      Result<LibraryItem> item = item_in(description);
      if (!item) return item.error();
      return Added{std::move(*item), false};
    }
    // Another file of this name: the content distinguishes them.
    const fs::path plain = safe_name(file);
    name = fmt::format("{}-{:08x}{}", plain.stem().string(),
                       static_cast<uint32_t>(hash64(*bytes, static_cast<uint64_t>(tries))),
                       plain.extension().string());
    if (tries > 3) return Error{fmt::format("there is no free name for {}", file.string())};
  }
  Result<Converted> converted = convert(file, *bytes, converter);
  if (!converted) return converted.error();
  LibraryItem& item = converted->item;
  item.url = std::string(kAddedScheme) + name;
  item.fetched_at = to_iso8601(wall_time());
  if (item.title.empty()) item.title = file.filename().string();
  if (Status s = is_no_link(folder_); !s) return s.error();
  fs::create_directories(folder_, failed);
  if (failed) {
    return Error{fmt::format("cannot make the folder {}: {}; move away what is there",
                             folder_.string(), failed.message())};
  }
  if (Status s = replace_own_file(folder_ / name, *bytes); !s) return s.error();
  if (Status s = replace_own_file(folder_ / (name + ".txt"), converted->text); !s) return s.error();
  const std::string description = dump(json_of(item, fs::absolute(file, failed), digest));
  if (Status s = replace_own_file(folder_ / (name + ".json"), description); !s) return s.error();
  return Added{std::move(item), true};
}

Result<bool> AddedFiles::remove(const std::string& name) {
  std::error_code failed;
  const fs::path description = folder_ / (name + ".json");
  const bool is_name = !name.empty() && name.find('/') == std::string::npos;
  if (!is_name || !fs::exists(description, failed)) return false;
  for (const fs::path& path : {description, folder_ / (name + ".txt"), folder_ / name}) {
    fs::remove(path, failed);
    if (failed) return Error{fmt::format("cannot remove {}: {}", path.string(), failed.message())};
  }
  return true;
}

Result<std::string> AddedFiles::stamp() const {
  const Result<std::vector<LibraryItem>> items = list();
  if (!items) return items.error();
  std::string text;
  for (const LibraryItem& item : *items) {
    text += fmt::format("{}\n{}\n{}\n{}\n{}\n", item.url, item.fetched_at, item.title, item.authors,
                        item.kind);
  }
  return text.empty() ? "" : sha1_digest(text);
}

}  // namespace dowser
