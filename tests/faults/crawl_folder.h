#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

// What a crawl's folder holds, read without any code of Dowser and without changing the folder.

namespace dowser::faults {

using Hash = uint64_t;

// Whole WARC records (gzip members whose checksum is right), by the hash of their content.
using Records = std::multiset<Hash>;
Records records_in(const std::filesystem::path& folder);  // archive/ and set-aside/
Records records_in_archive(const std::filesystem::path& folder);

// Those of `some` that are not in `all`.
size_t missing_from(const Records& all, const Records& some);

// The rows of the catalogue as texts, without what depends on the time of day.
struct Tables {
  std::string problem;  // why it cannot be read; "" where it can
  std::map<int64_t, std::string> pages;
  std::multiset<std::string> links, hosts;
  std::set<std::string> urls;  // of pages

  bool operator==(const Tables&) const = default;
};
Tables tables_in(const std::filesystem::path& folder);
// The addresses of the pages that were cut from the catalogue and lie in set-aside/.
std::set<std::string> urls_set_aside(const std::filesystem::path& folder);

// All files with hashes of their content; a folder has the hash 0.
std::map<std::string, Hash> files_in(const std::filesystem::path& folder);
// The first difference that matters, "" where there is none. crawl.log may grow, RocksDB may write
// its own log, and a reader of SQLite may make -shm and an empty -wal.
std::string changed(const std::map<std::string, Hash>& before,
                    const std::map<std::string, Hash>& after);

// The first difference between two finished crawls that should be the same, "" where there is none.
struct Finished {
  std::map<std::string, Hash> archive;
  Records records;  // of the archive
  Hash index = 0;
  Tables tables;
};
Finished finished_in(const std::filesystem::path& folder);
std::string difference(const Finished& wanted, const Finished& got);
// The same for what can be read, whatever its bytes.
std::string difference_in_content(const Finished& wanted, const Finished& got);

// Files of the user's own in archive/, with names like those of Dowser: nobody may touch them, and
// they do not count above.
void add_files_of_user(const std::filesystem::path& folder);
bool has_files_of_user(const std::filesystem::path& folder);
bool is_of_user(const std::string& name);

// A power cut: all files as they are now count as synced, and are copied to `synced`, where
// fail_calls.cc adds those that are synced later; then each file becomes what it was there.
void keep_as_synced(const std::filesystem::path& folder, const std::filesystem::path& synced);
void make_as_synced(const std::filesystem::path& folder, const std::filesystem::path& synced);

std::string file_content(const std::filesystem::path& path);
void copy_folder(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace dowser::faults
