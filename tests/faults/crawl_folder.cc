#include "tests/faults/crawl_folder.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace dowser::faults {
namespace {

namespace fs = std::filesystem;

Hash hash_of(std::string_view bytes) {
  Hash hash = 14695981039346656037u;  // FNV-1a
  for (const unsigned char c : bytes) hash = (hash ^ c) * 1099511628211u;
  return hash;
}

// The content of the gzip member that begins here, and where it ends; nothing where it is broken.
std::optional<std::string> unpack(std::string_view bytes, size_t& size) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string content;
  char piece[65536];
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    code = inflate(&stream, Z_NO_FLUSH);
    content.append(piece, sizeof piece - stream.avail_out);
  }
  size = bytes.size() - stream.avail_in;
  inflateEnd(&stream);
  return code == Z_STREAM_END ? std::optional(std::move(content)) : std::nullopt;
}

void add_records(const fs::path& file, Records& records) {
  const std::string bytes = file_content(file);
  constexpr std::string_view kBegin = "\x1f\x8b\x08";
  for (size_t at = bytes.find(kBegin); at != bytes.npos; at = bytes.find(kBegin, at)) {
    size_t size = 0;
    const auto content = unpack(std::string_view(bytes).substr(at), size);
    if (content && content->starts_with("WARC/1.")) records.insert(hash_of(*content));
    at += content ? size : 1;
  }
}

template <class Use>
void each_file(const fs::path& folder, Use&& use) {
  std::error_code none;
  for (fs::recursive_directory_iterator it(folder, none), end; it != end; it.increment(none)) {
    if (none) return;
    use(it->path());
  }
}

// A copy of the database in a folder of its own: reading it there changes nothing here.
class DatabaseCopy {
 public:
  explicit DatabaseCopy(const fs::path& file) {
    std::string pattern = (fs::temp_directory_path() / "faults-sqlite-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return;
    folder_ = pattern;
    std::error_code failed;
    for (const char* end : {"", "-wal", "-journal"}) {
      const fs::path part = file.string() + end;
      if (fs::is_regular_file(part, failed)) {
        fs::copy_file(part, folder_ / (std::string("copy") + end), failed);
      }
    }
    if (!fs::exists(folder_ / "copy", failed) ||
        sqlite3_open_v2((folder_ / "copy").c_str(), &db_, SQLITE_OPEN_READWRITE, nullptr) !=
            SQLITE_OK) {
      problem_ = "cannot be opened";
    }
  }
  ~DatabaseCopy() {
    sqlite3_close_v2(db_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  // Calls use(first column, all columns as one text).
  template <class Use>
  void each_row(const char* sql, Use&& use) {
    if (!problem_.empty()) return;
    sqlite3_stmt* rows = nullptr;
    int code = sqlite3_prepare_v2(db_, sql, -1, &rows, nullptr);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
      code = sqlite3_step(rows);
      if (code != SQLITE_ROW) break;
      std::string text;
      for (int i = 0; i < sqlite3_column_count(rows); ++i) {
        const auto* cell = reinterpret_cast<const char*>(sqlite3_column_text(rows, i));
        if (i > 0) text += '\x1f';
        text += cell ? std::string(cell, static_cast<size_t>(sqlite3_column_bytes(rows, i)))
                     : std::string("NULL");
      }
      use(rows, text);
    }
    if (code != SQLITE_DONE) problem_ = sqlite3_errmsg(db_);
    sqlite3_finalize(rows);
  }

  const std::string& problem() const { return problem_; }

 private:
  fs::path folder_;
  sqlite3* db_ = nullptr;
  std::string problem_;
};

constexpr const char* kOfUser[] = {"crawl-00000.warc.gz.bak", "crawl-merged.warc.gz",
                                   "crawl-99999.warc.gz.part", "notes.txt"};
constexpr char kContentOfUser[] = "the user's own file\n";

std::string inode_of(const fs::path& file) {
  struct stat status = {};
  stat(file.c_str(), &status);
  return std::to_string(status.st_ino);
}

bool may_change(const std::string& name) {
  return name == "crawl.log" || name.starts_with("state/LOG") || name.ends_with(".sqlite-shm");
}

}  // namespace

bool is_of_user(const std::string& name) {
  return std::find(std::begin(kOfUser), std::end(kOfUser), fs::path(name).filename()) !=
         std::end(kOfUser);
}

void add_files_of_user(const fs::path& folder) {
  if (!fs::is_directory(folder / "archive")) return;
  for (const char* name : kOfUser) std::ofstream(folder / "archive" / name) << kContentOfUser;
}

bool has_files_of_user(const fs::path& folder) {
  return std::all_of(std::begin(kOfUser), std::end(kOfUser), [&](const char* name) {
    return file_content(folder / "archive" / name) == kContentOfUser;
  });
}

std::string file_content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void copy_folder(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

void keep_as_synced(const fs::path& folder, const fs::path& synced) {
  fs::remove_all(synced);
  fs::create_directories(synced);
  each_file(folder, [&](const fs::path& file) {
    if (fs::is_regular_file(file)) fs::copy_file(file, synced / inode_of(file));
  });
}

void make_as_synced(const fs::path& folder, const fs::path& synced) {
  each_file(folder, [&](const fs::path& file) {
    if (!fs::is_regular_file(file)) return;
    const fs::path copy = synced / inode_of(file);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << file_content(copy);
  });
}

Records records_in_archive(const fs::path& folder) {
  Records records;
  each_file(folder / "archive", [&](const fs::path& file) {
    if (fs::is_regular_file(file)) add_records(file, records);
  });
  return records;
}

Records records_in(const fs::path& folder) {
  Records records = records_in_archive(folder);
  each_file(folder / "set-aside", [&](const fs::path& file) {
    if (fs::is_regular_file(file) && file.filename().string().find(".warc.gz") != std::string::npos)
      add_records(file, records);
  });
  return records;
}

size_t missing_from(const Records& all, const Records& some) {
  Records missing;
  std::set_difference(some.begin(), some.end(), all.begin(), all.end(),
                      std::inserter(missing, missing.end()));
  return missing.size();
}

Tables tables_in(const fs::path& folder) {
  Tables tables;
  DatabaseCopy db(folder / "catalogue.sqlite");
  db.each_row("SELECT * FROM pages ORDER BY id", [&](sqlite3_stmt* row, const std::string& text) {
    tables.pages[sqlite3_column_int64(row, 0)] = text;
  });
  db.each_row("SELECT url FROM pages",
              [&](sqlite3_stmt*, const std::string& text) { tables.urls.insert(text); });
  db.each_row("SELECT * FROM links",
              [&](sqlite3_stmt*, const std::string& text) { tables.links.insert(text); });
  db.each_row("SELECT * FROM hosts",
              [&](sqlite3_stmt*, const std::string& text) { tables.hosts.insert(text); });
  tables.problem = db.problem();
  return tables;
}

std::set<std::string> urls_set_aside(const fs::path& folder) {
  std::set<std::string> urls;
  each_file(folder / "set-aside", [&](const fs::path& file) {
    if (file.extension() != ".sqlite") return;
    DatabaseCopy(file).each_row("SELECT url FROM pages",
                                [&](sqlite3_stmt*, const std::string& url) { urls.insert(url); });
  });
  return urls;
}

std::map<std::string, Hash> files_in(const fs::path& folder) {
  std::map<std::string, Hash> files;
  each_file(folder, [&](const fs::path& file) {
    const std::string name = fs::relative(file, folder).string();
    files[name] = fs::is_directory(file) ? 0 : hash_of(file_content(file));
  });
  return files;
}

std::string changed(const std::map<std::string, Hash>& before,
                    const std::map<std::string, Hash>& after) {
  for (const auto& [name, hash] : before) {
    if (may_change(name)) continue;
    const auto found = after.find(name);
    if (found == after.end()) return name + " is gone";
    if (found->second != hash) return name + " has changed";
  }
  for (const auto& [name, hash] : after) {
    const bool is_empty_wal = name.ends_with(".sqlite-wal") && hash == hash_of("");
    if (!before.contains(name) && !may_change(name) && !is_empty_wal) return name + " is new";
  }
  return {};
}

Finished finished_in(const fs::path& folder) {
  Finished finished;
  each_file(folder / "archive", [&](const fs::path& file) {
    if (!is_of_user(file)) finished.archive[file.filename().string()] = hash_of(file_content(file));
  });
  finished.records = records_in_archive(folder);
  finished.index = hash_of(file_content(folder / "index.cdxj"));
  finished.tables = tables_in(folder);
  return finished;
}

std::string difference_in_content(const Finished& wanted, const Finished& got) {
  if (!got.tables.problem.empty()) return "the catalogue cannot be read: " + got.tables.problem;
  if (got.tables.pages.size() != wanted.tables.pages.size()) {
    return std::to_string(got.tables.pages.size()) + " pages in the catalogue instead of " +
           std::to_string(wanted.tables.pages.size());
  }
  if (got.tables.pages != wanted.tables.pages) return "other pages in the catalogue";
  if (got.tables.links != wanted.tables.links) return "other links in the catalogue";
  if (got.tables.hosts != wanted.tables.hosts) return "other hosts in the catalogue";
  if (got.records != wanted.records) return "other records in the archive";
  if (got.index != wanted.index) return "another index";
  return {};
}

std::string difference(const Finished& wanted, const Finished& got) {
  if (std::string in_content = difference_in_content(wanted, got); !in_content.empty()) {
    return in_content;
  }
  return got.archive == wanted.archive ? "" : "other bytes in the archive";
}

}  // namespace dowser::faults
