#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "archive/warc_writer.h"
#include "base/byte_budget.h"
#include "store/catalogue.h"
#include "store/unsorted_index.h"

// What a crawl keeps: archive files, their index, and the catalogue. A visit is archived first and
// then its row is written, so a row never points at a record that does not exist. keep() returns a
// mark for each visit; resume_at() continues at a mark, whatever was written after it.

namespace dowser {

struct StoreOptions {
  std::filesystem::path folder;
  std::string
      configuration;  // TOML: goes to crawl.toml, to the warcinfo records and to the catalogue
  std::string software = "Dowser";
  std::string user_agent = "Dowser";
  std::string strategy, judge;  // text forms, for the metadata records
};

// How much is kept: this many visits, and the archive up to there.
struct StoreMark {
  uint32_t visits = 0;
  ArchiveEnd archive;
};

// An answer and its request as records, ready to be written.
struct ArchiveForm {
  PackedRecord response, request;
  std::string digest;                      // of the payload
  std::optional<PackedRecord> conversion;  // the text of a document
};
ArchiveForm archive_form(const Response& response, std::string_view user_agent, uint32_t salt = 0,
                         const Document* document = nullptr);

// A visit that is to be stored, with what became of its links.
struct KeptVisit {
  Visit visit;
  std::vector<FoundLink> links;    // they point into the visit, which may be moved
  std::vector<ArchiveForm> forms;  // of its redirects and its answer; empty: the store makes them
  ByteLease lease;                 // of the memory for documents
};

class Store {
 public:
  // Makes the folder of a new crawl, or refuses one that is not empty.
  static Status make_folder(const std::filesystem::path& folder);
  // In a new folder. `in_place`: in a folder that exists and holds nothing yet.
  static Result<std::unique_ptr<Store>> create(StoreOptions options, bool in_place = false);
  // In the folder of an earlier crawl, of which nothing is taken away. Error, and nothing changed,
  // where somebody holds a lock on the catalogue.
  static Result<std::unique_ptr<Store>> open(StoreOptions options);
  // After open(): sets aside everything after the mark, and begins a new run there. An Error, and
  // nothing changed, if the archive ends before the mark.
  Status resume_at(const StoreMark& mark, SetAside& set_aside);

  // Keeps visits in their order: in the catalogue all or none. When it returns they survive the
  // death of the process; after sync() also that of the machine. The marks after each.
  Result<std::vector<StoreMark>> keep(std::span<const KeptVisit> visits);
  Status keep(const Visit& visit, std::span<const FoundLink> links);
  Status sync();
  // Everything up to the mark is on disk, the state included. Written with the next visits, or
  // at the end.
  void set_synced(const SyncMark& mark) { catalogue_.set_synced(mark); }
  Status write_synced() { return catalogue_.write_synced(); }  // at once

  // Writes the index and all that is pending.
  Status finish();

  std::filesystem::path catalogue_path() const { return options_.folder / "catalogue.sqlite"; }
  std::filesystem::path archive_folder() const { return options_.folder / "archive"; }

 private:
  Store(StoreOptions options, Catalogue catalogue, UnsortedIndex index);

  // Sets `place` to the position of the response.
  Status archive(const ArchiveForm& form, ArchivePlace& place);
  Status archive(const KeptVisit& kept, ArchivePlace& place);
  Status add(const KeptVisit& kept);
  Status archive_metadata(const Visit& visit);
  Status write(const PackedRecord& record, ArchivePlace* place);

  const StoreOptions options_;
  WarcWriter writer_;
  UnsortedIndex index_;
  Catalogue catalogue_;
  uint32_t visits_ = 0;
  ArchiveEnd kept_;  // the end of the last visit that the catalogue has too
};

}  // namespace dowser
