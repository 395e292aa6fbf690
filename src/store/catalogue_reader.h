#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/visit.h"
#include "store/database.h"

// Reads the catalogue of a crawl: everything that reports, commands and mining need, as values. SQL
// is written only in store/. Nothing is changed, and a crawl may write at the same time; each call
// sees the catalogue as it is at that moment. One thread at a time.

namespace dowser {

// A row of `pages`. Text is empty if the column is NULL.
struct CataloguePage {
  uint32_t id = 0;  // the number of the visit, from 0
  std::string url, final_url;
  std::optional<int> status;  // nothing: no answer came, for the reason that `failure` names
  std::string failure;
  std::string title, language, label, fetched_at;
  uint32_t depth = 0;
  std::optional<uint32_t> parent;  // nothing: a seed
  uint32_t parent_link = 0;        // position of the link on the parent that won
  std::optional<double> score;     // nothing: a seed
  double relevance = 0;
  bool relevant = false;
  double relevance_at_fetch = 0;  // the same as `relevance` in catalogues before version 3
  bool relevant_at_fetch = false;
  std::string reasons;  // JSON: [["bird",0.1],…]
  std::optional<uint32_t> near_duplicate_of;
  bool soft_404 = false;
  std::string archive_file;  // empty: nothing was archived
  uint64_t archive_offset = 0;
};

// A row of `hosts`.
struct CatalogueHost {
  std::string host;
  uint64_t pages = 0, relevant = 0, failed = 0, bytes = 0;
};

// What the rows of the first visits add up to. The names are those of CrawlCounters.
struct CatalogueCounts {
  size_t fetched = 0, disallowed = 0, failed = 0, redirected = 0, relevant = 0;
  size_t near_duplicates = 0, soft_404 = 0, truncated = 0, bytes = 0, links = 0;
  std::map<std::string, size_t> failures, statuses, refused;
};

// A row of `documents`, with what its page says. Text is empty if the column is NULL.
struct CatalogueDocument {
  uint32_t page = 0;
  std::string url, name, format, failure, kind, title, authors;  // authors as a JSON list
  double confidence = 0, relevance = 0;
  bool accepted = false;
  int year = 0;
  std::optional<uint32_t> same_bytes_as, other_format_of, found_on;
};

// What the documents of the first visits add up to. The names are those of CrawlCounters.
struct DocumentCounts {
  size_t documents = 0, relevant = 0, accepted = 0, failed = 0, copies = 0, formats = 0, bytes = 0;
  std::map<std::string, size_t> kinds, failures;
};

// A link with the page that it is on.
struct LinkOnPage {
  std::string page_url, page_title;
  double page_relevance = 0;
  std::string anchor, tag_path;
  uint32_t position = 0;  // on the page, from 0
  double score = 0;
  bool won = false;   // its offer was the best for its address
  std::string parts;  // of the score: "page=0.31 anchor=0.2"
};

// An address that most pages of a host link to.
struct BoilerplateLink {
  std::string host, url;
  double share = 0;  // of the host's pages
  int64_t links = 0;
};

class CatalogueReader {
 public:
  // `place` is the folder of a crawl, or a catalogue itself.
  static Result<CatalogueReader> open(const std::filesystem::path& place);

  // For each fetched page in the order of the visits: was it relevant, and neither a copy nor a
  // soft 404? This is the one definition of the harvest.
  Result<std::vector<bool>> harvest();

  // Counts the visits with ids below `visits`; by default all of them. The second leaves out what
  // needs a pass over the links: links, refused.
  Result<CatalogueCounts> counts(std::optional<uint32_t> visits = {});
  Result<CatalogueCounts> page_counts(std::optional<uint32_t> visits = {});
  // Of these visits, those that counted as relevant when they were fetched.
  Result<size_t> relevant_at_fetch(uint32_t visits);

  Result<std::optional<CataloguePage>> page(VisitId id);
  // The page that was fetched at an address, or that an address led to.
  Result<std::optional<CataloguePage>> page_at(std::string_view url);
  // Those that count for the harvest, most relevant first.
  Result<std::vector<CataloguePage>> best_pages(size_t most);
  // Pages with an answer that are neither copies nor soft 404s: their relevances, and those whose
  // relevance is nearest to `threshold`, among the relevant ones or the others.
  Result<std::vector<double>> relevances();
  Result<std::vector<CataloguePage>> borderline(bool relevant, double threshold, size_t most);
  // Archived pages with status 200 that are not relevant, from all over the crawl.
  Result<std::vector<CataloguePage>> sample_of_others(size_t most);
  // Every page with a status of 200 to 299, in the order of the visits.
  Status for_each_answer(const std::function<void(const CataloguePage&)>& use);

  // Of documents (catalogue_documents.cc). A catalogue from before there were any has none.
  Result<DocumentCounts> document_counts(std::optional<uint32_t> visits = {});
  // Accepted ones that count for the harvest, most relevant first.
  Result<std::vector<CatalogueDocument>> best_documents(size_t most);
  // Without copies and other formats of a document: how many of a kind are of a year (0: unknown).
  Result<std::map<std::string, std::map<int, size_t>>> document_years();

  Result<std::vector<CatalogueHost>> hosts(size_t most);  // with the most relevant pages first
  Result<size_t> host_count();
  Result<std::string> largest_host();  // by pages; empty if there is none

  // The link of its parent through which a page was reached; nothing for a seed.
  Result<std::optional<LinkOnPage>> winning_link(const CataloguePage& page);
  // The pages that link to an address, the most relevant first, and how many there are.
  struct LinksTo {
    std::vector<LinkOnPage> links;
    size_t pages = 0;
  };
  Result<LinksTo> links_to(std::string_view url, size_t most);
  // Links near the one that led to a page which had been fetched before it, the nearest first.
  struct Neighbour {
    int64_t places = 0;  // after the link; negative: before it
    std::string url;
    double relevance = 0;
  };
  Result<std::vector<Neighbour>> neighbours(const CataloguePage& page);
  // How many pages of its host had been fetched before it.
  Result<size_t> pages_of_host_before(const CataloguePage& page);

  // Every link of a page with status 200, in the order of the pages.
  struct PageLink {
    std::string from, to;
    bool is_frame = false;
  };
  Status for_each_link(const std::function<void(const PageLink&)>& use);

  // Navigation bars and footers, by host, the most frequent of a host first; see docs/formats.md.
  Result<std::vector<BoilerplateLink>> boilerplate();
  struct BoilerplateSample {
    int64_t pages = 0, hosts = 0, links = 0;  // that were looked at
  };
  Result<BoilerplateSample> boilerplate_sample();

  // The configuration of each run of the crawl, the first one first.
  Result<std::vector<std::string>> configurations();

  // The rows of "pages", "links", "hosts" or "runs" as they appear there.
  Result<Statement> table(std::string_view name, bool relevant_only = false);

 private:
  CatalogueReader(Database database, Statement page_by_id, std::string columns)
      : database_(std::move(database)),
        page_by_id_(std::move(page_by_id)),
        columns_(std::move(columns)) {}
  Result<std::vector<CataloguePage>> pages(std::string_view from, size_t most);
  // `sql` has one parameter, `end`.
  Result<bool> has_documents();
  Status for_each_below(int64_t end, std::string_view sql,
                        const std::function<void(const Statement&)>& use);
  Status count_by_name(int64_t end, std::string_view sql, std::map<std::string, size_t>& counts);

  Database database_;
  Statement page_by_id_;  // used once for each visit that a resumed crawl reads again
  std::string columns_;   // of a CataloguePage
};

}  // namespace dowser
