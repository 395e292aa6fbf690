#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "model/visit.h"
#include "store/database.h"

// The catalogue: one SQLite file a person can open with anything. Its tables are described in
// docs/formats.md; the schema is in catalogue.cc.

namespace dowser {

// A link of a visited page and what became of it.
struct FoundLink {
  const Link* link = nullptr;
  std::optional<Score> score;  // nothing: not followed
  bool won = false;            // it was new, or better than every offer before
  std::string parts;  // terms of the score: "page=0.31 anchor=0.2"; "" where it did not win
};

// Where the archive holds a response.
struct ArchivePlace {
  std::string file;  // "" where nothing was archived
  int64_t offset = 0;
  std::string digest;  // of the payload
};

class Catalogue {
 public:
  // A new catalogue; the file must not exist.
  static Result<Catalogue> create(const std::filesystem::path& path);

  Status add_run(std::string_view configuration, Time started);
  Status add(const Visit& visit, std::span<const FoundLink> links, const ArchivePlace& place);
  Status finish_run(Time finished);  // writes all that is pending

 private:
  Catalogue(Database database, Statement page, Statement link, Statement host);
  Status commit();

  Database database_;
  Statement insert_page_;
  Statement insert_link_;
  Statement update_host_;
  int pending_ = 0;
};

}  // namespace dowser
