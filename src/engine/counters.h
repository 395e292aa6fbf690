#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advice.h"
#include "model/visit.h"

namespace dowser {

// What a crawl has done so far: in progress, metrics, report and --json alike. counter_list() says
// what each number means.
struct CrawlCounters {
  using ByName = std::map<std::string, size_t, std::less<>>;

  size_t fetched = 0;     // pages requested; a redirect and its target count as one
  size_t relevant = 0;    // found: on the topic, and not had before
  size_t failed = 0;      // no answer, or one that is not 2xx
  size_t disallowed = 0;  // by robots.txt; not requested, so not among the fetched
  size_t redirected = 0;
  size_t near_duplicates = 0;
  size_t soft_404 = 0;
  size_t truncated = 0;  // bodies that were cut
  size_t unchanged = 0;  // the server said that the page is as it was in an earlier crawl
  size_t retried = 0;    // requests that failed and were put back
  size_t given_up = 0;   // hosts
  size_t links = 0;      // found on pages
  size_t waiting = 0;
  size_t hosts = 0;
  size_t hosts_active = 0;  // with something waiting
  size_t in_flight = 0;
  size_t bytes = 0;  // of bodies
  // Documents are among the pages above, and counted here once more.
  size_t documents = 0;
  size_t documents_relevant = 0;
  size_t documents_accepted = 0;   // by the filter: theses, papers, reports, FAQs
  size_t documents_failed = 0;     // have no text
  size_t document_copies = 0;      // the same bytes as another
  size_t document_formats = 0;     // another format of one that the crawl had
  size_t document_bytes = 0;       // of bodies
  ByName document_kinds;           // "paper"
  ByName document_failures;        // "encrypted"
  ByName failures;                 // by kind: "timeout-stall"
  ByName statuses;                 // by status: "404"
  ByName refused;                  // links not followed, by reason: "shape", "denied", …
  std::optional<Advice> advice;    // of late; nothing while it is too early to tell
  std::vector<std::string> hints;  // sentences on what seems wrong, and what to try
  std::string enough;              // why the advice ended the crawl, "" if it did not

  double harvest_rate() const {
    return fetched > 0 ? static_cast<double>(relevant) / static_cast<double>(fetched) : 0;
  }

  void add(const Visit& visit);
  void refuse(std::string_view reason, size_t links = 1) { count(refused, reason, links); }

  // As bytes, for the state of a crawl.
  std::string saved() const;
  static CrawlCounters loaded(std::string_view bytes);

 private:
  void add_document(const Visit& visit);
  static void count(ByName& names, std::string_view name, size_t n = 1);
};

// A counter that is a number: the one place that gives it its names. Whoever saves, prints or
// serves counters goes through the list.
struct CounterInfo {
  size_t CrawlCounters::*value;
  std::string_view name;    // in the JSON of `dowser crawl --json`; empty: not there
  std::string_view metric;  // for Prometheus, without "dowser_"
  std::string_view help;    // one sentence
  // A total only grows and is saved with the state; other counters describe the current situation.
  bool is_total;
};
std::span<const CounterInfo> counter_list();

// The same for counts by name.
struct NamedCounterInfo {
  CrawlCounters::ByName CrawlCounters::*values;
  std::string_view name, metric, help;
  std::string_view label;  // what the names are, for Prometheus
};
std::span<const NamedCounterInfo> named_counter_list();

}  // namespace dowser
