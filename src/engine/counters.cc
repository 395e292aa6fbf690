#include "engine/counters.h"

#include "base/bytes.h"

namespace dowser {
namespace {

// All of them, in the order of the saved form. `visit` takes a reference of each.
template <class Counters, class Visitor>
void for_each_number(Counters& c, Visitor visit) {
  visit(c.fetched), visit(c.relevant), visit(c.failed), visit(c.disallowed), visit(c.redirected);
  visit(c.near_duplicates), visit(c.soft_404), visit(c.truncated), visit(c.unchanged),
      visit(c.retried);
  visit(c.given_up), visit(c.links), visit(c.bytes);
}

template <class Counters, class Visitor>
void for_each_table(Counters& c, Visitor visit) {
  visit(c.failures), visit(c.statuses), visit(c.refused);
}

}  // namespace

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
  for_each_number(*this, [&](const auto& n) { out.number(static_cast<uint64_t>(n)); });
  for_each_table(*this, [&](const ByName& table) {
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
  for_each_number(counters, [&](auto& n) { n = in.number<uint64_t>(); });
  for_each_table(counters, [&](ByName& table) {
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      const std::string name(in.text());
      table[name] = in.number<uint64_t>();
    }
  });
  return counters;
}

}  // namespace dowser
