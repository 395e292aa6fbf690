#include "run/signature_hits.h"

#include <fmt/format.h>

#include <map>

#include "judge/signature/keyword_finder.h"
#include "judge/signature/page_words.h"
#include "learn/signature/cluster_hits.h"
#include "learn/signature/signature_scanner.h"
#include "parse/parse_page.h"
#include "run/archived_pages.h"
#include "run/stored_answer.h"
#include "store/stored_pages.h"

namespace dowser {

Result<KeptHits> keep_signature_hits(const std::filesystem::path& crawl_folder,
                                     const std::vector<Signature>& library,
                                     const std::vector<std::string>& previous, uint32_t clusters) {
  SignatureTables tables;
  KeptHits kept;
  for (const Signature& s : library) {
    tables.signatures.push_back({s.name,
                                 fmt::format("{} {} {}", s.words[0], s.words[1], s.words[2]),
                                 s.angle, s.evidence.precision()});
    kept.found.signatures.push_back(s.name);
  }
  const SignatureScanner scanner(library, PageWords::term_of);
  const KeywordFinder finder(library, scanner.groups());
  ArchivedPages archive(crawl_folder / "archive");
  EarlierAnswers earlier(previous);
  std::vector<size_t> rows;  // of tables.pages, by row of the array
  {
    Result<StoredPages> pages = StoredPages::open(crawl_folder);
    if (!pages) return pages.error();
    const Status read = pages->each([&](const StoredPage& row) -> Status {
      if (row.relevance <= 0 || row.archive_file.empty()) return {};
      const Result<Page> page = stored_page(row, archive, earlier);
      if (!page) return {};  // dowser check tells of damage; the other pages count
      const std::vector<HitCount> hits = count_hits(scanner.hits(finder.find(*page)));
      if (hits.empty()) return {};
      StoredHits& stored = tables.pages.emplace_back();
      stored.page = row.id;
      for (const HitCount& hit : hits) stored.counts.emplace_back(hit.signature, hit.count);
      if (!row.found) return {};
      rows.push_back(tables.pages.size() - 1);
      kept.found.rows.push_back({row.url, row.title, hits});
      return {};
    });
    if (!read) return read.error();
  }
  if (!kept.found.rows.empty()) {
    auto grouped = cluster_hits(kept.found, {.clusters = clusters});
    if (!grouped) return grouped.error();
    kept.clusters = std::move(*grouped);
    for (size_t i = 0; i < rows.size(); ++i) {
      tables.pages[rows[i]].cluster = kept.clusters.cluster_of[i] + 1;
    }
  }
  if (Status s = write_signature_tables(crawl_folder / "catalogue.sqlite", tables); !s) {
    return s.error();
  }
  return kept;
}

Result<CrawlHits> read_crawl_hits(const std::filesystem::path& crawl_folder) {
  Result<StoredPages> pages = StoredPages::open(crawl_folder);
  if (!pages) return pages.error();
  const Result<SignatureTables> tables = read_signature_tables(crawl_folder / "catalogue.sqlite");
  if (!tables) return tables.error();
  std::map<int64_t, const StoredHits*> hits;
  for (const StoredHits& page : tables->pages) hits.emplace(page.page, &page);
  CrawlHits result;
  for (const StoredSignature& s : tables->signatures) result.array.signatures.push_back(s.name);
  const Status read = pages->each([&](const StoredPage& row) -> Status {
    const auto it = hits.find(row.id);
    if (it == hits.end() || !row.found) return {};
    HitsRow& kept = result.array.rows.emplace_back(HitsRow{row.url, row.title, {}});
    for (const auto& [signature, count] : it->second->counts)
      kept.hits.push_back({signature, count});
    result.pages.push_back(row.id);
    result.cluster_of.push_back(
        it->second->cluster > 0 ? static_cast<uint32_t>(it->second->cluster - 1) : 0);
    return {};
  });
  if (!read) return read.error();
  return result;
}

}  // namespace dowser
