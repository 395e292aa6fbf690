#include "run/own_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include "archive/cdxj.h"
#include "base/clock.h"
#include "base/new_file.h"
#include "report/html.h"
#include "run/crawl_model.h"
#include "run/crawl_profile.h"
#include "run/final_judgement.h"
#include "store/configuration.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHead = 1 << 16;  // bytes that tell what a file is

constexpr std::string_view kFiles[] = {
    "crawl.toml",      "crawl.log",      "catalogue.sqlite",   "index.cdxj",
    "index.unsorted",  "library.sqlite", "annotations.sqlite", "report.html",
    CrawlModel::kCopy, kJudgeFile,       CrawlProfile::kCopy,  kNextConfiguration};
constexpr std::string_view kFolders[] = {"archive", "state", "added", "set-aside"};

// Also the files that SQLite puts beside its own.
bool is_own(std::string_view name) {
  for (const std::string_view suffix : {"-wal", "-shm", "-journal"}) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  }
  return std::find(std::begin(kFiles), std::end(kFiles), name) != std::end(kFiles) ||
         std::find(std::begin(kFolders), std::end(kFolders), name) != std::end(kFolders);
}

bool is_log_line(std::string_view line) {
  const size_t tab = line.find('\t');
  return tab != line.npos && parse_iso8601(line.substr(0, tab)).ok();
}

bool is_index_line(std::string_view line) {
  return CdxEntry::parse(line.substr(0, line.rfind('\t'))).ok() || CdxEntry::parse(line).ok();
}

// Whether the beginning of a file has such a line; a damaged file still has others.
bool has_line(std::string_view head, bool (*is_ours)(std::string_view)) {
  for (size_t begin = 0; begin < head.size();) {
    const size_t end = std::min(head.find('\n', begin), head.size());
    if (is_ours(head.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

// SQLite files and the configuration are recognised where they are opened.
bool is_foreign(const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return false;  // reading a pipe might wait for ever
  std::string head(kHead, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(in.gcount()));
  if (head.empty()) return false;
  if (name == "crawl.log") return !has_line(head, is_log_line);
  if (name == "index.cdxj" || name == "index.unsorted") return !has_line(head, is_index_line);
  if (name == "report.html") return head.find(kMadeByDowser) == head.npos;
  if (name == kJudgeFile) return head.find("dowser") == head.npos;
  return false;
}

}  // namespace

Status has_no_links(const fs::path& crawl_folder) {
  std::error_code failed;  // a folder that cannot be read is reported by whoever needs it
  const auto each = [&](const fs::path& folder, const auto& use) -> Status {
    for (auto it = fs::directory_iterator(folder, failed);
         !failed && it != fs::directory_iterator(); it.increment(failed)) {
      if (Status s = use(it->path()); !s) return s;
    }
    return {};
  };
  return each(crawl_folder, [&](const fs::path& place) -> Status {
    if (!is_own(place.filename().string())) return {};
    if (Status s = is_no_link(place); !s) return s;
    std::error_code unknown;
    return fs::is_directory(place, unknown) ? each(place, is_no_link) : Status{};
  });
}

Status may_write_into(const fs::path& crawl_folder) {
  if (Status s = has_no_links(crawl_folder); !s) return s;
  for (const std::string_view name : kFiles) {
    const fs::path file = crawl_folder / name;
    if (!is_foreign(file)) continue;
    return Error{fmt::format(
        "{} was not written by a crawl, and is left as it is: move it away and try again",
        file.string())};
  }
  return {};
}

Status is_no_part_of_a_crawl(const fs::path& file) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file), failed);
  fs::path part = whole;  // of its folder
  for (fs::path folder = whole.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const std::string name = part.lexically_relative(folder).begin()->string();
    part = folder;
    if (!fs::exists(folder / "crawl.toml", failed) || !is_own(name)) continue;
    return Error{fmt::format("{} belongs to the crawl in {}: name another file", file.string(),
                             folder.string())};
  }
  return {};
}

}  // namespace dowser
