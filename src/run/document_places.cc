#include "run/document_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include "base/file.h"
#include "fetch/archive_web.h"
#include "parse/parse_page.h"
#include "run/archived_pages.h"
#include "run/topic.h"
#include "store/stored_pages.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostAddressFile = 64 << 20;

bool is_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

bool is_document(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending == ".html" || ending == ".htm" || ending == ".xhtml" || ending == ".txt";
}

// Something to read: one page, or all that a crawl found.
struct Source {
  enum class Kind { kPage, kCrawl } kind;
  std::string place;
  std::string list;  // the file that names the address, if one does
};

Status add_folder(const std::string& place, std::vector<Source>& sources) {
  std::vector<std::string> files;
  std::error_code failed;
  for (auto it = fs::recursive_directory_iterator(
           place, fs::directory_options::skip_permission_denied, failed);
       !failed && it != fs::recursive_directory_iterator(); it.increment(failed)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored) && is_document(it->path())) {
      files.push_back(it->path().string());
    }
  }
  if (failed) return Error{fmt::format("cannot read {}: {}", place, failed.message())};
  if (files.empty()) {
    return Error{fmt::format(
        "{} contains no document: give the folder of a crawl, or a folder with .html or .txt files",
        place)};
  }
  std::sort(files.begin(), files.end());
  for (std::string& file : files) sources.push_back({Source::Kind::kPage, std::move(file)});
  return {};
}

// The addresses of a file that has nothing else; none if it is a document.
std::vector<std::string> addresses_of(const std::string& file) {
  std::error_code failed;
  if (fs::file_size(file, failed) > kMostAddressFile || failed) return {};
  const Result<std::string> text = read_file(file);
  if (!text) return {};
  std::vector<std::string> addresses;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (!is_address(line)) return {};
    addresses.push_back(std::move(line));
  }
  return addresses;
}

Status add_place(const std::string& place, bool has_web, std::vector<Source>& sources) {
  if (is_address(place)) {
    if (!has_web) {
      return Error{fmt::format(
          "{} is an address: name the archive that contains it with --web FILE", place)};
    }
    sources.push_back({Source::Kind::kPage, place});
    return {};
  }
  std::error_code failed;
  if (!fs::exists(place, failed)) {
    return Error{fmt::format("there is no {}: name a file, a folder or a crawl", place)};
  }
  if (fs::is_directory(place, failed)) {
    if (!StoredPages::is_crawl(place)) return add_folder(place, sources);
    sources.push_back({Source::Kind::kCrawl, place});
    return {};
  }
  const std::vector<std::string> addresses =
      has_web ? addresses_of(place) : std::vector<std::string>();
  if (addresses.empty()) sources.push_back({Source::Kind::kPage, place});
  for (const std::string& address : addresses) {
    sources.push_back({Source::Kind::kPage, address, place});
  }
  return {};
}

Status tell_crawl(const std::string& folder, const std::function<Status(NamedDocument)>& tell) {
  Result<StoredPages> pages = StoredPages::open(folder);
  if (!pages) return pages.error();
  ArchivedPages archive(fs::path(folder) / "archive");
  size_t found = 0;
  const Status told = pages->each([&](const StoredPage& row) -> Status {
    if (!row.found || row.archive_file.empty()) return {};
    const auto answer = archive.answer(row.archive_file, static_cast<uint64_t>(row.archive_offset));
    if (!answer) return answer.error();
    ++found;
    return tell({row.url, answer->page()});
  });
  if (!told) return told;
  if (found == 0) return Error{fmt::format("the crawl in {} has found no page", folder)};
  return {};
}

}  // namespace

Result<SkippedDocuments> each_document(const std::vector<std::string>& places,
                                       const std::vector<std::string>& archives,
                                       const std::function<Status(NamedDocument)>& tell,
                                       const std::function<void(size_t, size_t)>& progress) {
  std::vector<Source> sources;
  for (const std::string& place : places) {
    if (Status s = add_place(place, !archives.empty(), sources); !s) return s.error();
  }
  std::unique_ptr<ArchiveWeb> web;
  if (!archives.empty()) {
    const std::vector<fs::path> files(archives.begin(), archives.end());
    auto opened = ArchiveWeb::open(files);
    if (!opened) return opened.error();
    web = std::move(*opened);
  }
  size_t done = 0, told = 0;
  SkippedDocuments skipped;
  for (const Source& source : sources) {
    if (progress) progress(++done, sources.size());
    if (source.kind == Source::Kind::kCrawl) {
      if (Status s = tell_crawl(source.place, tell); !s) return s.error();
      ++told;
      continue;
    }
    const auto answers = load_examples({source.place}, web.get());
    if (!answers) {
      if (source.list.empty()) return answers.error();
      if (++skipped.count == 1) skipped.first = source.list + ": " + answers.error().message;
      continue;
    }
    if (Status s = tell({source.place, parse_page(answers->front())}); !s) return s.error();
    ++told;
  }
  if (told == 0 && skipped.count > 0) return Error{skipped.first};
  return skipped;
}

}  // namespace dowser
