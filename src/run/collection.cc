#include "run/collection.h"

#include <fmt/format.h>
#include <unistd.h>

#include "mine/index_archive.h"
#include "parse/parse_page.h"
#include "run/earlier_crawls.h"
#include "run/fetch_pages.h"
#include "run/library.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

// Names and sizes of the files that were indexed: an archive that has grown has another size.
Result<std::string> source_of(std::span<const fs::path> files) {
  std::string source;
  for (const fs::path& file : files) {
    std::error_code failed;
    const auto size = fs::file_size(file, failed);
    if (failed) return Error{fmt::format("cannot read {}: {}", file.string(), failed.message())};
    source += fmt::format("{} {}\n", file.filename().string(), size);
  }
  return source;
}

fs::path temporary_path() {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  return (failed ? fs::path("/tmp") : folder) / fmt::format("dowser-index-{}.sqlite", getpid());
}

// The index and what SQLite keeps next to it while it is open. SQLite does not remove the latter
// when the index itself is gone.
void remove_index(const fs::path& path) {
  for (const char* ending : {"", "-wal", "-shm"}) {
    std::error_code failed;
    fs::remove(path.string() + ending, failed);
  }
}

}  // namespace

Result<std::optional<Collection>> Collection::open(std::span<const std::string> places,
                                                   const std::string& index,
                                                   const Progress& progress) {
  const auto files = archive_files(places);
  if (!files) return files.error();
  const Result<std::string> source = source_of(*files);
  if (!source) return source.error();
  if (!progress("opening", 0, 0)) return std::optional<Collection>();
  Result<ArchiveSet> archive = ArchiveSet::open(*files);
  if (!archive) return archive.error();
  std::optional<SiteTemplates> templates = SiteTemplates::learn(
      *archive, [&](size_t done, size_t of) { return progress("templates of hosts", done, of); });
  if (!templates) return std::optional<Collection>();

  fs::path path = index;
  if (path.empty() && places.size() == 1 && fs::is_directory(places.front())) {
    return of_crawl(places.front(), std::move(*archive), std::move(*templates), progress);
  }
  const bool is_temporary = path.empty();
  if (is_temporary) path = temporary_path();
  std::error_code failed;
  if (!is_temporary && fs::exists(path, failed)) {
    if (Result<TextIndex> found = TextIndex::open(path); found && found->source() == *source) {
      return std::optional(
          Collection(std::move(*archive), std::move(*templates), std::move(*found)));
    }
  }
  IndexArchiveOptions options;
  options.source = *source;
  options.mark = [&](Page& page) { templates->mark(page); };
  options.progress = [&](size_t done, size_t of) { return progress("indexing", done, of); };
  const Result<bool> built = index_archive(*archive, path, options);
  if (!built) return built.error();
  if (!*built) return std::optional<Collection>();
  Result<TextIndex> made = TextIndex::open(path);
  if (is_temporary) remove_index(path);  // it lives as long as it is open
  if (!made) return made.error();
  return std::optional(Collection(std::move(*archive), std::move(*templates), std::move(*made)));
}

Result<std::optional<Collection>> Collection::of_crawl(const fs::path& folder, ArchiveSet archive,
                                                       SiteTemplates templates,
                                                       const Progress& progress) {
  LibraryOptions options;
  bool is_stopped = false;
  options.watch = [&](const dowser::Progress& p) {
    is_stopped = !progress(p.what, p.done, p.total);
    return !is_stopped;
  };
  const Result<LibraryReader> library = open_library(folder, options);
  if (is_stopped) return std::optional<Collection>();
  if (!library) return library.error();
  Result<TextIndex> index = TextIndex::open(library_file(folder, options));
  if (!index) return index.error();
  return std::optional(Collection(std::move(archive), std::move(templates), std::move(*index)));
}

std::optional<Page> Collection::page(const Url& url) const {
  const auto record = archive_.find(url.href());
  if (!record) return std::nullopt;
  const Result<Response> response = archive_.load(*record);
  if (!response) return std::nullopt;
  ParseOptions options;
  options.count_terms = false;
  Page page = parse_page(*response, options);
  if (!is_html_page(*response, page)) return std::nullopt;
  templates_.mark(page);
  return page;
}

}  // namespace dowser
