#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

// Reads the dumps of web directories, which list sites by category: those of the Open Directory
// Project (structure.rdf.u8.gz and content.rdf.u8.gz, RDF-like XML) and tab-separated ones as its
// successor Curlie offers them. Millions of entries stream through; directory_dump.cc says what is
// done about broken files.

namespace dowser {

// The categories that are wanted, each with all below it: "Top/Computers" takes
// "Top/Computers/Robotics", but not "Top/Computers_old". "Top/" in front may be missing.
class CategoryFilter {
 public:
  explicit CategoryFilter(std::span<const std::string> categories);
  bool takes(std::string_view category) const;

 private:
  std::vector<std::string> categories_;
};

struct DumpReport {
  uint64_t categories = 0, entries = 0;  // read
  uint64_t taken = 0;                    // of these entries
  // What ended the reading before the end of the file, with the line. All before it was used.
  std::optional<Error> damage;
  bool was_stopped = false;  // by the watch
};

// Calls `use` with the address and category of each wanted entry, in the order of the file; of
// tab-separated files too, by the name's ending (.tsv, .tsv.gz). An error only if the file cannot
// be opened.
using UseEntry = std::function<void(std::string_view address, std::string_view category)>;
Result<DumpReport> read_directory(const std::filesystem::path& file, const CategoryFilter& filter,
                                  const UseEntry& use, const Watch& watch = {});

// Calls `use` with every category of a structure dump.
Result<DumpReport> read_categories(const std::filesystem::path& file,
                                   const std::function<void(std::string_view)>& use,
                                   const Watch& watch = {});

}  // namespace dowser
