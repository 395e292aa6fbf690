#include "strategy/learned/known_hosts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "model/url_host.h"

namespace dowser {
namespace {

// Of the fatigue of a host.
constexpr double kStep = 4;              // for each time that what it brings has halved
constexpr double kMostSteps = 3;         // an eighth of the mean, or less
constexpr double kLeastRelevance = .02;  // below this there is nothing to halve
constexpr uint32_t kRecentPages = 25;
constexpr double kCertainAfter = 20;  // pages: before that it counts in proportion

constexpr uint32_t kFairStartEvery = 3;  // fetches
// The topic has been found if the best pages have this share of its words.
constexpr double kCoverage = 0.65;
constexpr uint32_t kFewestPages = 20;

}  // namespace

void KnownHosts::learn(const Visit& visit, double relevance, double mean) {
  ++visits_;
  const std::string_view name = name_without_dot(visit.candidate.url);
  if (!visit.candidate.trail.parent) {
    of_seeds_[std::string(name)];
    // Where a seed leads to, as with "www.".
    if (!visit.redirects.empty()) of_seeds_[std::string(name_without_dot(visit.response.url))];
  }
  const auto seed = of_seeds_.find(std::string(name));
  if (seed != of_seeds_.end()) ++seed->second;

  if (visit.is_new_page() && !visit.page.terms.empty()) {
    best_pages_.add_page(relevance, best_pages_.coverage().words().in(visit.page.terms));
  }
  Host& host = hosts_[hash64(name)];
  ++host.pages;
  host.recent += (relevance - host.recent) / std::min(host.pages, kRecentPages);
  const double halved = std::log2((mean + kLeastRelevance) / (host.recent + kLeastRelevance));
  fatigue_ =
      kStep * std::clamp(halved, 0.0, kMostSteps) * std::min(1.0, host.pages / kCertainAfter);
}

// A topic that is given by examples alone is recognised where it is found.
bool KnownHosts::has_found_topic() const {
  if (best_pages_.coverage().words().empty()) return true;
  return visits_ >= kFewestPages && best_pages_.finds().share >= kCoverage;
}

std::optional<Candidate> KnownHosts::take_fair_start(FrontierView& frontier,
                                                     const Exploration& exploration) const {
  if (of_seeds_.size() < 2 || visits_ % kFairStartEvery != 0) return std::nullopt;
  double least = exploration.pages_of_each(of_seeds_.size());
  if (least < 1 || has_found_topic()) return std::nullopt;
  const std::string* least_known = nullptr;
  for (const auto& [name, fetched] : of_seeds_) {
    if (fetched >= least) continue;
    const HostView host = frontier.host(name);
    if (!host.is_ready || fetched + host.in_flight >= least) continue;
    least = fetched + host.in_flight;
    least_known = &name;
  }
  return least_known ? frontier.take_from(*least_known) : std::nullopt;
}

void KnownHosts::save(ByteWriter& out) const {
  std::vector<uint64_t> names;
  for (const auto& [name, host] : hosts_) names.push_back(name);
  std::sort(names.begin(), names.end());
  out.number(static_cast<uint32_t>(names.size()));
  for (const uint64_t name : names) {
    const Host& host = hosts_.at(name);
    out.number(name);
    out.number(host.recent);
    out.number(host.pages);
  }
  out.number(static_cast<uint32_t>(of_seeds_.size()));
  for (const auto& [name, fetched] : of_seeds_) {
    out.text(name);
    out.number(fetched);
  }
  best_pages_.save(out);
  out.number(visits_);
  out.number(fatigue_);
}

void KnownHosts::load(ByteReader& in) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Host& host = hosts_[in.number<uint64_t>()];
    host.recent = in.number<double>();
    host.pages = in.number<uint32_t>();
  }
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    std::string name(in.text());
    of_seeds_[std::move(name)] = in.number<uint32_t>();
  }
  best_pages_.load(in);
  visits_ = in.number<uint32_t>();
  fatigue_ = in.number<double>();
}

}  // namespace dowser
