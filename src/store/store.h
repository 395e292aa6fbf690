#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "archive/cdxj.h"
#include "archive/warc_writer.h"
#include "store/catalogue.h"

// What a crawl keeps: archive files, their index, and the catalogue. A visit is archived first,
// then its row is written, so that a row never points at what is not there.

namespace dowser {

struct StoreOptions {
  std::filesystem::path folder;  // must be new or empty
  std::string
      configuration;  // TOML: goes to crawl.toml, to the warcinfo records and to the catalogue
  std::string software = "Dowser";
  std::string user_agent = "Dowser";
  std::string strategy, judge;  // text forms, for the metadata records
};

class Store {
 public:
  static Result<std::unique_ptr<Store>> create(StoreOptions options);

  Status keep(const Visit& visit, std::span<const FoundLink> links);

  // Writes the index and all that is pending.
  Status finish();

  std::filesystem::path catalogue_path() const { return options_.folder / "catalogue.sqlite"; }
  std::filesystem::path archive_folder() const { return options_.folder / "archive"; }

 private:
  Store(StoreOptions options, Catalogue catalogue);

  // Request and response of one hop. `place` is set to where the response stands.
  Status archive(const Response& response, ArchivePlace& place);
  Status archive_metadata(const Visit& visit);
  Status write(WarcRecord record, ArchivePlace* place, std::string* id);

  const StoreOptions options_;
  WarcWriter writer_;
  CdxIndex index_;
  Catalogue catalogue_;
  std::vector<std::string> addresses_;  // of the visits so far, to name parents
};

}  // namespace dowser
