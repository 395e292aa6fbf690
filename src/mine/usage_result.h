#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mine/hit_counter.h"
#include "mine/log_merge.h"
#include "mine/patterns.h"
#include "mine/session_counter.h"

// What `dowser usage` has found, ready to be shown: names instead of numbers, sorted and cut.

namespace dowser {

struct UsageCount {
  std::string name;
  uint64_t count = 0;
  uint64_t bytes = 0;
};

// A list of names with counts, most frequent first.
struct UsageTable {
  std::string key;    // "not_found", in JSON and in usage.sqlite
  std::string title;  // "Addresses that do not exist"
  std::string unit;   // "hits", "visitors"
  std::vector<UsageCount> rows;
  size_t all = 0;  // rows there are, also those that were cut off
};

// What the catalogue of a crawl tells about a page.
struct CatalogueEntry {
  std::string title, language, label;
  double relevance = 0;
  bool relevant = false;
};

struct UsagePage {
  uint32_t page = kNoPage;
  std::string name;  // as people read it
  std::string url;   // "" if the site is not known
  uint64_t hits = 0, bytes = 0;
  PageTally tally;
  std::optional<CatalogueEntry> catalogue;
};

struct UsageEvent {
  std::string name;
  EventTally tally;
};

struct UsageDay {
  std::string day;  // "2015-05-17"
  HitCounter::DayTally tally;
};

// How the pages of the log and those of a crawl fit together.
struct CatalogueJoin {
  uint64_t pages = 0;    // of the site, in the catalogue
  uint64_t seen = 0;     // of these, that somebody looked at
  uint64_t missing = 0;  // pages of the log that the catalogue lacks
  uint64_t relevant_views = 0, other_views = 0;
};

struct UsageResult {
  std::vector<LogTally> logs;
  size_t rows = 0;   // that a list has at most, where it is shown
  std::string site;  // its address, "http://example.org"; "" if it is not known
  bool site_guessed = false;
  int64_t first = 0, last = 0;  // seconds

  Tally all;
  uint64_t successful = 0, redirected = 0, cached = 0, failed = 0, server_errors = 0, not_found = 0;
  Cleaned cleaned;
  uint64_t robot_sessions = 0, robot_views = 0;
  std::vector<UsageCount> robot_reasons;

  uint64_t users = 0, returning_users = 0, identified_users = 0, split_users = 0;
  uint64_t sessions = 0, views = 0, inferred = 0, joined = 0, single = 0;
  double mean_views = 0, mean_path = 0;  // of a session: as in the log, and completed
  double mean_view_seconds = 0, mean_session_seconds = 0;
  double hits_per_day = 0, hits_per_session = 0;
  uint64_t with_cookie = 0;
  std::map<size_t, uint64_t> lengths;

  std::vector<UsageDay> days;
  std::vector<Tally> hours;
  std::vector<UsageTable> tables;
  std::vector<UsagePage> pages;  // most viewed first
  std::vector<UsagePage> entry_pages, exit_pages, single_pages;
  std::vector<UsageEvent> events;
  std::map<std::string, SourceTally> sources;
  std::optional<CatalogueJoin> join;
  std::vector<std::optional<CatalogueEntry>> catalogue;  // by page; empty without a crawl
  uint64_t web_pages = 0, web_links = 0;                 // known from --web
  UsagePatterns patterns;
  uint64_t patterns_from_one_in = 1;           // sessions; more than 1: a sample
  std::map<uint32_t, std::string> page_names;  // of the pages in the patterns
  bool tables_full = false;                    // some names were not kept apart, for lack of room

  const UsageTable* table(std::string_view key) const {
    for (const UsageTable& table : tables) {
      if (table.key == key) return &table;
    }
    return nullptr;
  }
};

// The address of a page, "" if the site is not known. `site` is "http://example.org".
std::string page_address(const std::string& site, const SitePages& pages, uint32_t page);

// The single figures, by the names they have in JSON and in usage.sqlite.
std::vector<std::pair<std::string, double>> usage_totals(const UsageResult& result);

// Everything that can be counted, ready to be shown; lists have at most `most` rows. Without the
// patterns and the join with a crawl.
UsageResult summarise_usage(const UsageOptions& options, const LogMerge& logs,
                            const HitCounter& hits, const SessionCounter& sessions,
                            std::string site, size_t most);

}  // namespace dowser
