#include "engine/counters.h"

#include "base/bytes.h"

namespace dowser {
namespace {

using C = CrawlCounters;

// The order of the totals is that of the saved form: new ones go to the end. Those of documents are
// newer than the named counters and stand after them in the saved form, so that older states can
// be read.
constexpr CounterInfo kCounters[] = {
    {&C::fetched, "fetched", "pages_fetched_total", "Pages requested.", true},
    {&C::relevant, "relevant", "pages_relevant_total",
     "Pages found: on the topic, and not copies of earlier ones.", true},
    {&C::failed, "failed", "pages_failed_total",
     "Pages without an answer, or with one that is not 2xx.", true},
    {&C::disallowed, "disallowed", "pages_disallowed_total",
     "Pages not requested, because robots.txt forbids it.", true},
    {&C::redirected, "redirected", "pages_redirected_total", "Pages reached through redirects.",
     true},
    {&C::near_duplicates, "near_duplicates", "pages_near_duplicate_total",
     "Near duplicates of other pages.", true},
    {&C::soft_404, "soft_404", "pages_soft_404_total", "'Not found' with status 200.", true},
    {&C::truncated, "truncated", "pages_truncated_total", "Bodies that were cut short.", true},
    {&C::unchanged, "unchanged", "pages_unchanged_total",
     "Pages that have not changed since an earlier crawl.", true},
    {&C::retried, "retried", "requests_retried_total", "Requests that failed and are tried again.",
     true},
    {&C::given_up, "hosts_given_up", "hosts_given_up_total", "Hosts that were given up.", true},
    {&C::links, "links", "links_found_total", "Links on pages.", true},
    {&C::waiting, "waiting", "links_waiting", "Waiting links.", false},
    {&C::hosts, "hosts", "hosts_known", "Known hosts.", false},
    {&C::hosts_active, "", "hosts_active", "Hosts with waiting links.", false},
    {&C::in_flight, "", "pages_in_flight", "Pages in flight.", false},
    {&C::bytes, "bytes", "body_bytes_total", "Bytes of bodies as received.", true},
    {&C::documents, "documents", "documents_total", "Documents among the pages.", true},
    {&C::documents_relevant, "documents_relevant", "documents_relevant_total",
     "Documents found: on the topic, and not copies.", true},
    {&C::documents_accepted, "documents_accepted", "documents_accepted_total",
     "Theses, papers, reports and FAQs.", true},
    {&C::documents_failed, "documents_failed", "documents_failed_total",
     "Documents that could not be converted.", true},
    {&C::document_copies, "document_copies", "document_copies_total",
     "Documents with the same bytes as another.", true},
    {&C::document_formats, "document_formats", "document_formats_total",
     "Documents that are another format of another document.", true},
    {&C::document_bytes, "document_bytes", "document_bytes_total", "Bytes of documents.", true},
};
constexpr size_t kFirstCounters = 17;  // before documents

constexpr NamedCounterInfo kNamedCounters[] = {
    {&C::failures, "failures", "failures_total", "Pages without an answer.", "kind"},
    {&C::statuses, "statuses", "statuses_total", "Answers by status.", "status"},
    {&C::refused, "refused", "links_refused_total", "Links not followed.", "reason"},
    {&C::document_kinds, "document_kinds", "document_kinds_total", "Documents by kind.", "kind"},
    {&C::document_failures, "document_failures", "document_failures_total",
     "Documents that could not be converted.", "failure"},
};
constexpr size_t kFirstNamedCounters = 3;

}  // namespace

std::span<const CounterInfo> counter_list() { return kCounters; }
std::span<const NamedCounterInfo> named_counter_list() { return kNamedCounters; }

void CrawlCounters::count(ByName& names, std::string_view name, size_t n) {
  const auto it = names.find(name);
  it == names.end() ? void(names.emplace(name, n)) : void(it->second += n);
}

void CrawlCounters::add(const Visit& visit) {
  const Response& response = visit.response;
  const bool was_asked = response.was_asked_for();
  disallowed += !was_asked;
  fetched += was_asked;
  failed += was_asked && !response.ok();
  redirected += !visit.redirects.empty();
  relevant += visit.found();
  near_duplicates += visit.near_duplicate_of.has_value();
  soft_404 += visit.soft_404;
  truncated += response.truncated;
  unchanged += response.unchanged_since.has_value();
  bytes += response.body.size();
  if (response.failure != Failure::kNone) count(failures, name_of(response.failure));
  if (response.failure == Failure::kNone) count(statuses, std::to_string(response.status));
  if (visit.document) add_document(visit);
}

void CrawlCounters::add_document(const Visit& visit) {
  const Document& document = *visit.document;
  ++documents;
  documents_relevant += visit.found();
  document_bytes += visit.response.body.size();
  document_copies += document.same_bytes_as.has_value();
  document_formats += document.other_format_of.has_value();
  if (document.failure != ConversionFailure::kNone) {
    ++documents_failed;
    count(document_failures, name_of(document.failure));
  } else {
    documents_accepted += document.kind.is_accepted();
    count(document_kinds, name_of(document.kind.type));
  }
}

namespace {

// The counters that are saved, in their order: first those that were there first.
template <class UseTotal, class UseNames>
void for_each_saved(const UseTotal& use_total, const UseNames& use_names) {
  const auto totals = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (kCounters[i].is_total) use_total(kCounters[i]);
    }
  };
  const auto names = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) use_names(kNamedCounters[i]);
  };
  totals(0, kFirstCounters);
  names(0, kFirstNamedCounters);
  totals(kFirstCounters, std::size(kCounters));
  names(kFirstNamedCounters, std::size(kNamedCounters));
}

}  // namespace

std::string CrawlCounters::saved() const {
  ByteWriter out;
  for_each_saved(
      [&](const CounterInfo& counter) { out.number(static_cast<uint64_t>(this->*counter.value)); },
      [&](const NamedCounterInfo& counter) {
        const ByName& table = this->*counter.values;
        out.number(static_cast<uint32_t>(table.size()));
        for (const auto& [name, n] : table) {
          out.text(name);
          out.number(static_cast<uint64_t>(n));
        }
      });
  return out.bytes();
}

CrawlCounters CrawlCounters::loaded(std::string_view bytes) {
  CrawlCounters counters;
  ByteReader in(bytes);
  for_each_saved(
      [&](const CounterInfo& counter) { counters.*counter.value = in.number<uint64_t>(); },
      [&](const NamedCounterInfo& counter) {
        ByName& table = counters.*counter.values;
        for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
          const std::string name(in.text());
          table[name] = in.number<uint64_t>();
        }
      });
  return counters;
}

}  // namespace dowser
