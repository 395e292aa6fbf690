#include "engine/counters.h"

#include "base/bytes.h"

namespace dowser {
namespace {

using C = CrawlCounters;

// The order of the totals is that of the saved form: new ones go to the end.
constexpr CounterInfo kCounters[] = {
    {&C::fetched, "fetched", "pages_fetched_total", "Pages asked for.", true},
    {&C::relevant, "relevant", "pages_relevant_total",
     "Pages found: on the topic, and no copies of earlier ones.", true},
    {&C::failed, "failed", "pages_failed_total",
     "Pages without an answer, or with one that is not 2xx.", true},
    {&C::disallowed, "disallowed", "pages_disallowed_total",
     "Pages not asked for, since robots.txt forbids it.", true},
    {&C::redirected, "redirected", "pages_redirected_total", "Pages reached through redirects.",
     true},
    {&C::near_duplicates, "near_duplicates", "pages_near_duplicate_total",
     "Pages that repeat others.", true},
    {&C::soft_404, "soft_404", "pages_soft_404_total", "'Not found' with status 200.", true},
    {&C::truncated, "truncated", "pages_truncated_total", "Bodies that were cut.", true},
    {&C::unchanged, "unchanged", "pages_unchanged_total",
     "Pages that are as they were in an earlier crawl.", true},
    {&C::retried, "retried", "requests_retried_total", "Requests that failed and are tried again.",
     true},
    {&C::given_up, "hosts_given_up", "hosts_given_up_total", "Hosts that cannot be asked.", true},
    {&C::links, "links", "links_found_total", "Links on pages.", true},
    {&C::waiting, "waiting", "links_waiting", "Links that wait.", false},
    {&C::hosts, "hosts", "hosts_known", "Hosts that were heard of.", false},
    {&C::hosts_active, "", "hosts_active", "Hosts with something waiting.", false},
    {&C::in_flight, "", "pages_in_flight", "Pages in flight.", false},
    {&C::bytes, "bytes", "body_bytes_total", "Bytes of bodies as they came.", true},
};

constexpr NamedCounterInfo kNamedCounters[] = {
    {&C::failures, "failures", "failures_total", "Pages without an answer.", "kind"},
    {&C::statuses, "statuses", "statuses_total", "Answers by status.", "status"},
    {&C::refused, "refused", "links_refused_total", "Links not followed.", "reason"},
};

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
}

std::string CrawlCounters::saved() const {
  ByteWriter out;
  for (const CounterInfo& counter : kCounters) {
    if (counter.is_total) out.number(static_cast<uint64_t>(this->*counter.value));
  }
  for (const NamedCounterInfo& counter : kNamedCounters) {
    const ByName& table = this->*counter.values;
    out.number(static_cast<uint32_t>(table.size()));
    for (const auto& [name, n] : table) {
      out.text(name);
      out.number(static_cast<uint64_t>(n));
    }
  }
  return out.bytes();
}

CrawlCounters CrawlCounters::loaded(std::string_view bytes) {
  CrawlCounters counters;
  ByteReader in(bytes);
  for (const CounterInfo& counter : kCounters) {
    if (counter.is_total) counters.*counter.value = in.number<uint64_t>();
  }
  for (const NamedCounterInfo& counter : kNamedCounters) {
    ByName& table = counters.*counter.values;
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      const std::string name(in.text());
      table[name] = in.number<uint64_t>();
    }
  }
  return counters;
}

}  // namespace dowser
