#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/converter.h"
#include "model/library_item.h"

// Papers that a person puts into the library of a crawl. They are kept in DIR/added, so that they
// survive when the library is rebuilt: NAME is a copy of the file, NAME.txt its text, and NAME.json
// what is known about it (docs/formats.md). A file counts once its NAME.json is there, which is
// written last.

namespace dowser {

class AddedFiles {
 public:
  explicit AddedFiles(const std::filesystem::path& crawl_folder)
      : folder_(crawl_folder / "added") {}

  // What was added, in order of name. A description that cannot be read is an error.
  Result<std::vector<LibraryItem>> list() const;
  // The text of an item that list() returned.
  Result<std::string> text(const LibraryItem& item) const;

  struct Added {
    LibraryItem item;
    bool is_new = false;  // false: the same bytes were there already, under this name
  };
  // Converts a file in the jail and keeps it. An error if it has no text.
  Result<Added> add(const std::filesystem::path& file, Converter& converter);
  // False: there is none of this name.
  Result<bool> remove(const std::string& name);

  // Changes whenever a file is added or removed.
  Result<std::string> stamp() const;

 private:
  std::filesystem::path folder_;
};

// "paper.pdf" of "added:paper.pdf"; "" of an address.
std::string added_name(const LibraryItem& item);

}  // namespace dowser
