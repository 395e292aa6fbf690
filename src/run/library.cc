#include "run/library.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/new_file.h"
#include "base/set_aside.h"
#include "run/library_source.h"

// A library notes three things: `stamp`, the sizes and times of the files that it was made from, so
// that an unchanged crawl is recognised without reading anything; `rows`, how many pages of the
// catalogue it has looked at; and `mark`, a hash that identifies these pages. If the crawl has
// fetched more pages since, its first pages are the same, and the others are appended. If they are
// not the same, because the crawl was killed and fetched others in their place, the library is
// rebuilt.

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr auto kRetry = std::chrono::milliseconds(100);

// One process at a time builds the library of a crawl. The lock is on the folder of the archive,
// which has no other lock and exists in every crawl; it ends with the process.
Result<FolderLock> wait_for_lock(const fs::path& crawl_folder, const Watch& watch) {
  while (true) {
    Result<FolderLock> lock = FolderLock::take(crawl_folder / "archive");
    std::error_code failed;
    if (lock) return lock;
    if (!fs::is_directory(crawl_folder / "archive", failed)) {
      return Error{fmt::format("{}; dowser check {} says what is wrong", lock.error().message,
                               crawl_folder.string())};
    }
    if (!watch({"waiting for another process that is building the library", 0, 0}))
      return stopped();
    std::this_thread::sleep_for(kRetry);
  }
}

UnreadableRows unreadable_in(LibraryReader& library) {
  UnreadableRows rows;
  const Result<std::string> count = library.note("unreadable");
  const Result<std::string> first = library.note("first unreadable");
  if (count) std::from_chars(count->data(), count->data() + count->size(), rows.count);
  if (first) rows.first = *first;
  return rows;
}

// Whether pages that could not be read when the library was built may be readable now.
bool may_be_completed(LibraryReader& library, const fs::path& crawl_folder) {
  const UnreadableRows rows = unreadable_in(library);
  if (rows.count == 0) return false;
  const Result<std::string> archive = library.note("archive");
  return !archive || *archive != archive_stamp(crawl_folder) ||
         is_readable(crawl_folder, rows.first);
}

class LibraryBuild {
 public:
  LibraryBuild(const fs::path& crawl_folder, const LibraryOptions& options, std::string stamp)
      : folder_(crawl_folder),
        file_(library_file(crawl_folder, options)),
        options_(options),
        stamp_(std::move(stamp)) {}

  Status run(LibraryReader* old) {
    Result<LibrarySource> source = LibrarySource::read(folder_, options_.watch);
    if (!source) return source.error();
    const bool can_append = old && !options_.rebuild && !may_be_completed(*old, folder_);
    const size_t known = can_append ? rows_in(*old, *source) : 0;
    return known > 0 ? append(*old, *source, known) : build(*source);
  }

 private:
  // How many rows of the source are in a library; 0 if its rows are others.
  size_t rows_in(LibraryReader& old, const LibrarySource& source) const {
    const Result<std::string> rows = old.note("rows"), mark = old.note("mark");
    size_t count = 0;
    if (!rows || !mark) return 0;
    std::from_chars(rows->data(), rows->data() + rows->size(), count);
    return count <= source.rows().size() && source.mark(count) == *mark ? count : 0;
  }

  Status build(const LibrarySource& source) {
    Result<LibraryWriter> writer = LibraryWriter::create(file_);
    if (!writer) return writer.error();
    const auto unreadable = add_rows(folder_, source, 0, *writer, options_.watch);
    if (!unreadable) return unreadable.error();
    for (const LibraryItem& item : source.added()) {
      if (Status s = add_file(item, *writer); !s) return s;
    }
    return finish(source, *unreadable, *writer);
  }

  Status append(LibraryReader& old, const LibrarySource& source, size_t known) {
    Result<LibraryWriter> writer = LibraryWriter::append(file_);
    if (!writer) return writer.error();
    if (Status s = renew_facts(old, source, known, *writer); !s) return s;
    Result<UnreadableRows> unreadable = add_rows(folder_, source, known, *writer, options_.watch);
    if (!unreadable) return unreadable.error();
    const UnreadableRows before = unreadable_in(old);
    unreadable->count += before.count;
    if (before.count > 0) unreadable->first = before.first;
    if (Status s = renew_added(old, source, *writer); !s) return s;
    return finish(source, *unreadable, *writer);
  }

  // What the catalogue says differently of pages that are in the library.
  Status renew_facts(LibraryReader& old, const LibrarySource& source, size_t known,
                     LibraryWriter& writer) {
    std::vector<CatalogueFacts> changed;
    const auto& rows = source.rows();
    const Status read = old.for_each_fact([&](const CatalogueFacts& facts) {
      const auto row =
          std::lower_bound(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(known), facts.page,
                           [](const LibrarySource::Row& r, int64_t page) { return r.id < page; });
      if (row == rows.end() || row->id != facts.page) return;
      if (LibrarySource::facts(*row) != facts) changed.push_back(LibrarySource::facts(*row));
    });
    if (!read) return read;
    for (const CatalogueFacts& facts : changed) {
      if (Status s = writer.set_facts(facts); !s) return s;
    }
    return {};
  }

  Status renew_added(LibraryReader& old, const LibrarySource& source, LibraryWriter& writer) {
    const Result<std::vector<LibraryItem>> held = old.added_items();
    if (!held) return held.error();
    const auto card = [](const LibraryItem& item) {
      return fmt::format("{}\n{}\n{}\n{}\n{}", item.url, item.fetched_at, item.title, item.authors,
                         item.kind);
    };
    std::set<std::string> wanted, unchanged;
    for (const LibraryItem& item : source.added()) wanted.insert(card(item));
    for (const LibraryItem& item : *held) {
      if (wanted.contains(card(item))) {
        unchanged.insert(card(item));
      } else if (Status s = writer.remove(item.url); !s) {
        return s;
      }
    }
    for (const LibraryItem& item : source.added()) {
      if (unchanged.contains(card(item))) continue;
      if (Status s = add_file(item, writer); !s) return s;
    }
    return {};
  }

  Status add_file(const LibraryItem& item, LibraryWriter& writer) {
    const Result<std::string> text = AddedFiles(folder_).text(item);
    if (!text) return text.error();
    return writer.add(index_text(item, *text));
  }

  Status finish(const LibrarySource& source, const UnreadableRows& unreadable,
                LibraryWriter& writer) {
    const size_t rows = source.rows().size();
    const bool has_all = unreadable.count == 0;
    for (const auto& [name, value] :
         {std::pair("unreadable", std::to_string(unreadable.count)),
          std::pair("first unreadable", unreadable.first),
          std::pair("archive", has_all ? std::string() : archive_stamp(folder_))}) {
      if (Status s = writer.set_note(name, value); !s) return s;
    }
    if (Status s = writer.set_note("rows", std::to_string(rows)); !s) return s;
    if (Status s = writer.set_note("mark", source.mark(rows)); !s) return s;
    if (Status s = writer.set_note("stamp", stamp_); !s) return s;
    return writer.finish();
  }

  const fs::path folder_, file_;
  const LibraryOptions& options_;
  const std::string stamp_;
};

// Whether it holds all that can be read of the crawl as it is now.
bool is_current(Result<LibraryReader>& library, const std::string& stamp,
                const fs::path& crawl_folder) {
  if (!library) return false;
  const Result<std::string> made_from = library->note("stamp");
  return made_from && *made_from == stamp && !may_be_completed(*library, crawl_folder);
}

// A file in the place of the library that is something else is never overwritten.
Status make_room(const fs::path& file, const fs::path& crawl_folder,
                 const LibraryOptions& options) {
  struct stat status;
  if (Status s = is_no_link(file); !s) return s;
  if (::stat(file.c_str(), &status) != 0 || status.st_size == 0 || is_library(file)) return {};
  if (!options.file.empty()) {
    return Error{
        fmt::format("{} exists already, and is not a library: name another file with "
                    "--library FILE",
                    file.string())};
  }
  SetAside set_aside(crawl_folder, SystemClock().now());
  if (Status s = set_aside.move(file); !s) return s;
  options.tell(fmt::format("{} was not a library, and was moved to {}", file.string(),
                           set_aside.folder().string()));
  return {};
}

// What is missing is said whenever the library is used.
void tell_unreadable(LibraryReader& library, const fs::path& crawl_folder,
                     const LibraryOptions& options) {
  const UnreadableRows rows = unreadable_in(library);
  if (rows.count == 0) return;
  options.tell(
      fmt::format("{} pages could not be read from the archive and are not in the library: "
                  "see  dowser check {}",
                  rows.count, crawl_folder.string()));
}

Result<LibraryReader> open_current_library(const fs::path& crawl_folder,
                                           const LibraryOptions& options);

}  // namespace

fs::path library_file(const fs::path& crawl_folder, const LibraryOptions& options) {
  return options.file.empty() ? crawl_folder / "library.sqlite" : options.file;
}

Result<LibraryReader> open_library(const fs::path& crawl_folder, const LibraryOptions& options) {
  Result<LibraryReader> library = open_current_library(crawl_folder, options);
  if (library) tell_unreadable(*library, crawl_folder, options);
  return library;
}

namespace {

Result<LibraryReader> open_current_library(const fs::path& crawl_folder,
                                           const LibraryOptions& options) {
  const fs::path file = library_file(crawl_folder, options);
  Result<std::string> stamp = source_stamp(crawl_folder);
  if (!stamp) return stamp.error();
  Result<LibraryReader> library = LibraryReader::open(file);
  if (!options.rebuild && is_current(library, *stamp, crawl_folder)) return library;

  const Result<FolderLock> lock = wait_for_lock(crawl_folder, options.watch);
  if (!lock) return lock.error();
  // Somebody may have built it meanwhile, and the crawl may have continued.
  stamp = source_stamp(crawl_folder);
  if (!stamp) return stamp.error();
  library = LibraryReader::open(file);
  if (!options.rebuild && is_current(library, *stamp, crawl_folder)) return library;
  if (Status s = make_room(file, crawl_folder, options); !s) return s.error();
  std::error_code failed;
  if (!library && fs::exists(file, failed) && !options.rebuild) {
    options.tell(fmt::format("{}; the library is being rebuilt", library.error().message));
  }
  const bool has_old = library.ok();
  const fs::path place = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (access(place.c_str(), W_OK) != 0) {
    if (has_old && !options.rebuild) {
      options.tell(fmt::format(
          "the crawl has fetched more pages since {} was built, but {} is not writable, so the new "
          "pages are not searched; build another library with --library FILE",
          file.string(), place.string()));
      return library;
    }
    return Error{
        fmt::format("{} is not writable: name another file for the library with --library FILE",
                    place.string())};
  }
  const Status built =
      LibraryBuild(crawl_folder, options, *stamp).run(has_old ? &*library : nullptr);
  if (!built) return built.error();
  library = Error{"closed"};  // before it is opened again, so that no -wal file stays behind
  return LibraryReader::open(file);
}

}  // namespace

}  // namespace dowser
