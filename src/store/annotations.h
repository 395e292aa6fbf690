#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"

// Notes that people wrote about the items of a library, in DIR/annotations.sqlite. Nothing else
// writes this file, so the notes survive any change to the library and the crawl. Every change is
// one transaction, on disk when the call returns. Several processes may use a file at once.

namespace dowser {

struct Annotation {
  int64_t id = 0;   // never used again after it is removed
  std::string url;  // of the item
  std::string author, text, made_at;
};

class Annotations {
 public:
  static constexpr char kFileName[] = "annotations.sqlite";

  // For reading and writing; made if it does not exist.
  static Result<Annotations> create(const std::filesystem::path& path);
  // For reading. Nothing: there is no such file, so nothing has been annotated.
  static Result<std::optional<Annotations>> open(const std::filesystem::path& path);

  // Returns its id.
  Result<int64_t> add(const Annotation& annotation);
  Result<bool> remove(int64_t id);  // false: there is none
  // In the order in which they were made; of all items if `url` is empty.
  Result<std::vector<Annotation>> list(std::string_view url = {});
  // The items with an annotation that contains these words as a phrase, each item once.
  // `is_prefix`: the last word may be the beginning of a longer one. The name of the author counts
  // too.
  Result<std::vector<std::string>> urls_with(const std::vector<std::string>& words, bool is_prefix);

 private:
  Annotations(std::filesystem::path path, Database database)
      : path_(std::move(path)), database_(std::move(database)) {}
  Error about(const Error& error) const;
  Status run(std::string_view sql, int64_t id, std::string_view words = {});

  std::filesystem::path path_;
  Database database_;
};

}  // namespace dowser
