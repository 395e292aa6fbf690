#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/new_file.h"
#include "base/result.h"
#include "store/database.h"
#include "store/index_text.h"
#include "store/word_counts.h"

// Writes a library: one SQLite file with an FTS5 table. It is derived from an archive and can be
// deleted and rebuilt at any time. The schema is in docs/formats.md, the design in
// library_writer.cc.

namespace dowser {

// What the catalogue says about a page and may change later.
struct CatalogueFacts {
  int64_t page = 0;  // its id in the catalogue
  double relevance = 0;
  bool relevant = false;
  uint64_t references = 0;

  friend bool operator==(const CatalogueFacts&, const CatalogueFacts&) = default;
};

class LibraryWriter {
 public:
  // Writes to a file next to `path`, which finish() moves to its place. A library that is there
  // already is replaced then; any other file is an error.
  static Result<LibraryWriter> create(const std::filesystem::path& path);
  // Continues a library. Others may read it meanwhile, and see the changes after finish().
  static Result<LibraryWriter> append(const std::filesystem::path& path);
  LibraryWriter(LibraryWriter&&) noexcept;
  ~LibraryWriter();  // discards what was not finished

  // Gives the item the next number.
  Status add(const IndexText& text);
  // Takes an item out of the results; its words stay in the index until the library is built again.
  Status remove(std::string_view url);
  // Updates what the catalogue says about a page that is in the library.
  Status set_facts(const CatalogueFacts& facts);
  // A fact about the library as a whole; LibraryReader::note() returns it.
  Status set_note(std::string_view name, std::string_view value);
  Status finish();

  uint64_t added() const { return added_; }

 private:
  struct Statements;
  LibraryWriter(std::filesystem::path path, std::optional<UnfinishedFile> new_file);
  Status prepare(Database database);
  Error about(const Error& error) const;

  std::filesystem::path path_;
  std::optional<UnfinishedFile> new_file_;  // nothing: `path_` itself is written
  std::optional<Database> database_;
  std::unique_ptr<Statements> statements_;
  std::unique_ptr<WordCountsWriter> counts_;  // its thread has its address
  int64_t last_id_ = 0;
  uint64_t added_ = 0;
};

// Whether the file is a library, also one of another version or a damaged one.
bool is_library(const std::filesystem::path& path);

// Names the file in an error of its database.
Error about_library(const std::filesystem::path& path, const Error& error);

}  // namespace dowser
