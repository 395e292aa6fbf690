#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "model/profile.h"
#include "model/visit.h"

// What a crawl has found so far, by site and by directory, and what follows from it: sites to leave
// and directories to avoid. crawl_statistics.cc has the definitions.

namespace dowser {

struct DirectoryCounts {
  uint32_t pages = 0, relevant = 0, documents = 0, accepted = 0;
  bool has_documents = true;  // false: the crawl collects no documents

  // Nothing if the denominator is 0.
  std::optional<double> prr() const;  // share of relevant pages
  std::optional<double> ddr() const;  // documents per page
  std::optional<double> adr() const;  // share of accepted documents
  friend bool operator==(const DirectoryCounts&, const DirectoryCounts&) = default;
};

struct SiteRow {
  std::string host, entrance;  // the address of the first page
  Time first_page, last_page;
  uint32_t references = 0;  // links from other sites
  DirectoryCounts counts;
  bool is_trap = false;
  std::string not_again;  // why it is not to be crawled again: "trap", "prr", "ddr", "adr"; or ""
  friend bool operator==(const SiteRow&, const SiteRow&) = default;
};

struct DirectoryRow {
  std::string host, path;  // "/a/b/"; "/" stands for the whole site
  DirectoryCounts counts;
  std::string avoid;  // why it is to be avoided: "prr", "ddr", "adr"; or ""
  friend bool operator==(const DirectoryRow&, const DirectoryRow&) = default;
};

// A directory name under which nothing was found.
struct StopDirectoryRow {
  std::string name;
  std::string kind;                // "pages": no relevant page, "documents": no accepted document
  std::vector<std::string> sites;  // where; of many sites the first few
  bool is_stop = false;            // or only a candidate
  friend bool operator==(const StopDirectoryRow&, const StopDirectoryRow&) = default;
};

// The lists of an earlier crawl.
struct EarlierLists {
  std::vector<StopDirectoryRow> stop_directories;          // and candidates
  std::vector<std::pair<std::string, std::string>> avoid;  // host, path
  std::vector<std::string> not_again;                      // hosts
};

struct StatisticsLimits {
  uint32_t directories = 1'000'000;    // of all sites together
  uint32_t site_directories = 20'000;  // of one site
  uint32_t sites = 2'000'000;
  uint32_t name_bytes = 100;  // of the name of a directory
};

class CrawlStatistics {
 public:
  // Without documents, rates of documents are unknown rather than 0.
  explicit CrawlStatistics(const Profile::Statistics& rules, bool collects_documents = false,
                           const StatisticsLimits& limits = {});

  void learn(const Visit& visit);

  // What learn() does with a page, a document and a link; also for rows of a catalogue.
  void add_page(const Url& url, bool relevant, Time when);
  void add_document(const Url& url, bool accepted);
  void add_reference(std::string_view from_host, const Url& to);

  void use(const EarlierLists& earlier);

  // For strategies. A site is named by any of its addresses.
  bool is_trap(const Url& url) const;
  bool is_not_again(const Url& url) const;  // says an earlier crawl
  bool is_to_avoid(const Url& url) const;   // says an earlier crawl
  // The directory of the path that is a stop directory, if any: by this crawl's pages, or by what
  // an earlier crawl knew.
  std::optional<std::string> stop_directory(std::string_view path) const;
  DirectoryCounts site_counts(const Url& url) const;
  // The counts of the directory that contains the page, or of the nearest known one above it.
  DirectoryCounts directory_counts(const Url& url) const;

  // Everything that is known, in order: sites by their first page, directories by site and path,
  // names alphabetically.
  std::vector<SiteRow> sites() const;
  std::vector<DirectoryRow> directories() const;
  std::vector<StopDirectoryRow> stop_directories() const;
  size_t directory_count() const { return nodes_.size(); }
  // The number of pages whose directory is counted with the one above it, because the limits were
  // reached.
  uint64_t folded() const { return folded_; }
  size_t memory_bytes() const;

  // save() writes nothing if there is nothing to remember. load() replaces everything that was
  // known, including what use() added.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  using SiteId = uint32_t;
  using NodeId = uint32_t;
  using NameId = uint32_t;

  struct Site {
    NameId host;
    NodeId root;
    std::string entrance;
    Time first_page{0}, last_page{0};
    uint32_t references = 0;
    uint32_t directories = 0;
    bool is_trap = false;
    bool not_again = false;  // by an earlier crawl
  };
  struct Node {
    NodeId parent;
    NameId name;
    SiteId site;
    DirectoryCounts counts;
  };
  // Of a name of directories.
  struct NameFacts {
    uint8_t page_sites = 0, document_sites = 0;   // different ones; counted up to 255
    bool had_page = false, had_document = false;  // a relevant page, an accepted document
    bool was_stop = false;                        // for documents, in an earlier crawl
  };
  enum class Kind : uint8_t { kPages, kDocuments };

  // Texts with numbers.
  class Names {
   public:
    NameId id(std::string_view text);
    std::optional<NameId> find(std::string_view text) const;
    std::string_view text(NameId id) const;
    size_t size() const { return ends_.size(); }
    size_t memory_bytes() const;

   private:
    std::string bytes_;
    std::vector<uint32_t> ends_;
    absl::flat_hash_map<uint64_t, NameId> ids_;  // by hash
  };

  DirectoryCounts no_counts() const { return {0, 0, 0, 0, collects_documents_}; }
  std::optional<SiteId> find_site(const Url& url) const;
  std::optional<SiteId> site_of(std::string_view host);
  NodeId node_of(SiteId site, std::string_view path);
  void count_up(NodeId node, uint32_t DirectoryCounts::*count);
  void note_names(SiteId site, std::string_view path, Kind kind, bool good);
  void note_name(SiteId site, NameId name, Kind kind, bool good);
  bool is_stop(const NameFacts& facts, Kind kind) const;
  bool is_kept_for_documents(const DirectoryCounts& counts, double bad_adr) const;
  std::string avoid_reason(const DirectoryCounts& counts) const;
  std::string not_again_reason(const Site& site) const;
  std::string path_of(NodeId node) const;
  static uint64_t child_key(NodeId parent, NameId name) { return uint64_t{parent} << 32 | name; }
  static uint64_t pair_key(SiteId site, NameId name, Kind kind) {
    return uint64_t{name} << 32 | site << 1 | static_cast<uint32_t>(kind);
  }

  const Profile::Statistics rules_;
  const bool collects_documents_;
  const StatisticsLimits limits_;
  Names names_;  // of hosts and directories
  std::vector<Site> sites_;
  absl::flat_hash_map<NameId, SiteId> site_ids_;  // by name of the host
  std::vector<Node> nodes_;
  absl::flat_hash_map<uint64_t, NodeId> children_;
  absl::flat_hash_map<NameId, NameFacts> facts_;
  absl::flat_hash_set<uint64_t> pairs_;  // names and the sites that have them
  absl::flat_hash_set<uint64_t> avoid_;  // hashes of host and path, of earlier crawls
  uint64_t folded_ = 0;
};

}  // namespace dowser
