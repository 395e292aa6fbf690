#include "strategy/cindi/site_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "model/registrable_domain.h"
#include "model/url_host.h"

// The CINDI Robot (Chen 2008, chapter 3) has 75 threads, each of which crawls one site at a time:
// "CINDI Robot won't retrieve a new web site from the URL frontier until it finishes the current
// one." Here a thread is an open site:
//
//   open      a page of it was fetched or is in flight, and more of its links wait or are in flight
//   finished  a page of it was fetched, and none of its links waits or is in flight
//   waiting   none of its pages was fetched, and a link to it waits
//
// While fewer than `most_open` sites are open, the first waiting site with high priority is opened,
// otherwise the first one with low priority; but a link with low priority opens no site while an
// open site has one with high priority. Then the open site continues whose best link has the
// highest score; among equal ones that whose newest page is the oldest, and one without a page in
// flight is preferred. With `take_turns` scores do not count, as if all threads were equally fast.
// Inside a site the frontier's order holds: by score, and among equal scores the first found first.
//
// Example with most_open = 2 and sites a, b, c of three pages each, all known and with equal
// scores: a1 b1 a2 b2 a3 b3 c1 c2 c3. With most_open = 1: a1 a2 a3 b1 b2 …
//
// Seeds open sites before all others. A site that was finished and gets a new link is open again at
// once, also beyond `most_open`; or, without `reopens`, the frontier refuses such links.
//
// Links whose score is below 0 do not make a site open. They are taken when nothing else waits.
//
// What is open follows from the visits that were learned and from the frontier, and both are the
// same after a crash. So a resumed crawl chooses as one that was never stopped. open_ only saves
// looking at all sites; choose() looks at the open ones each time, a few hash lookups for each.

namespace dowser {

std::string_view SiteQueue::key_of(const Url& url) const {
  const std::string_view host = name_without_dot(url);
  return options_.by_domain ? registrable_domain(host) : host;
}

std::optional<SiteQueue::SiteId> SiteQueue::find(const Url& url) const {
  const auto it = ids_.find(hash64(key_of(url)));
  if (it == ids_.end()) return std::nullopt;
  return it->second;
}

SiteQueue::SiteId SiteQueue::site_of(const Url& url) {
  const auto [it, is_new] =
      ids_.try_emplace(hash64(key_of(url)), static_cast<SiteId>(sites_.size()));
  if (is_new) sites_.emplace_back();
  std::vector<std::string>& hosts = sites_[it->second].hosts;
  const std::string_view host = name_without_dot(url);
  if (is_new || (options_.by_domain && std::find(hosts.begin(), hosts.end(), host) == hosts.end()))
    hosts.emplace_back(host);
  return it->second;
}

void SiteQueue::note_visit(const Url& url, VisitId id) {
  const SiteId site = site_of(url);
  ++sites_[site].visits;
  sites_[site].last_visit = id.value;
  open_.insert(site);
}

void SiteQueue::note_offer(const Url& url, Priority priority) {
  const SiteId id = site_of(url);
  Site& site = sites_[id];
  if (site.visits > 0) {
    open_.insert(id);
    return;
  }
  bool& is_queued = priority == Priority::kHigh ? site.is_high : site.is_low;
  if (!is_queued) (priority == Priority::kHigh ? high_ : low_).sites.push_back(id);
  is_queued = true;
}

bool SiteQueue::note_layer_one(const Url& url) {
  return !std::exchange(sites_[site_of(url)].has_layer_one, true);
}

void SiteQueue::note_trap(const Url& url) {
  const SiteId id = site_of(url);
  sites_[id].is_trap = true;
  open_.insert(id);
}

SiteQueue::Look SiteQueue::look_at(const Site& site, const FrontierView& frontier) const {
  Look look;
  for (const std::string& host : site.hosts) {
    const HostView view = frontier.host(host);
    look.in_flight += view.in_flight;
    if (!view.best || view.best->value() < 0) continue;
    look.has_work = true;
    look.will_be_ready = look.will_be_ready || view.will_be_ready;
    if (view.is_ready && (!look.ready || *view.best > look.best)) {
      look.ready = &host;
      look.best = *view.best;
    }
  }
  return look;
}

void SiteQueue::leave(const Site& site, FrontierView& frontier) const {
  for (const std::string& host : site.hosts) frontier.leave(host);
}

// After load(): sites in flight, and those that were visited, of which choose() drops the finished.
void SiteQueue::find_open(const FrontierView& frontier) {
  knows_open_ = true;
  for (SiteId id = 0; id < sites_.size(); ++id) {
    if (sites_[id].visits > 0 || look_at(sites_[id], frontier).in_flight > 0) open_.insert(id);
  }
}

std::optional<Candidate> SiteQueue::take(SiteId site, const Look& look, FrontierView& frontier) {
  open_.insert(site);
  return frontier.take_from(*look.ready);
}

bool SiteQueue::goes_before(const Turn& a, const Turn& b) const {
  const auto group = [&](const Turn& turn) {
    const bool is_seed = turn.look.best == Score::seed();
    return options_.take_turns && !is_seed ? Score() : turn.look.best;
  };
  if (group(a) != group(b)) return group(a) > group(b);
  return std::tuple(a.look.in_flight, a.last_visit, a.site) <
         std::tuple(b.look.in_flight, b.last_visit, b.site);
}

std::optional<SiteQueue::Choice> SiteQueue::choose(FrontierView& frontier) {
  if (!knows_open_) find_open(frontier);
  size_t open = 0;
  bool waits = false;  // for a page in flight, or for a host
  std::optional<Turn> next;
  for (auto it = open_.begin(); it != open_.end();) {
    const SiteId id = *it;
    const Site& site = sites_[id];
    const Look look = look_at(site, frontier);
    const bool is_begun = site.visits > 0 || look.in_flight > 0;
    if (site.is_trap || !is_begun || (!look.has_work && look.in_flight == 0)) {
      if (site.is_trap || (is_begun && !options_.reopens)) leave(site, frontier);
      it = open_.erase(it);
      continue;
    }
    ++it;
    ++open;
    waits = waits || look.in_flight > 0 || look.will_be_ready;
    if (!look.ready) continue;
    const Turn turn{id, site.last_visit, look};
    if (!next || goes_before(turn, *next)) next = turn;
  }

  bool high_is_exhausted = true;
  if (open < options_.most_open) {
    if (frontier.best_score() == Score::seed()) {
      std::optional<Candidate> seed = frontier.take();
      if (const std::optional<SiteId> site = find(seed->url)) open_.insert(*site);
      return Choice{std::move(*seed)};
    }
    for (Queue* queue : {&high_, &low_}) {
      std::vector<SiteId>& sites = queue->sites;
      while (queue->begin < sites.size() && sites_[sites[queue->begin]].visits > 0) ++queue->begin;
      for (size_t i = queue->begin; i < sites.size(); ++i) {
        const Site& site = sites_[sites[i]];
        if (site.visits > 0) continue;
        const Look look = look_at(site, frontier);
        if (!look.has_work || look.in_flight > 0) continue;
        if (queue == &high_) high_is_exhausted = false;
        waits = waits || look.will_be_ready;
        if (!look.ready) continue;
        if (next && !options_.take_turns && next->look.best.value() > look.best.value()) break;
        return Choice{*take(sites[i], look, frontier), high_is_exhausted};
      }
    }
  }
  if (next) return Choice{*take(next->site, next->look, frontier)};
  if (waits) return std::nullopt;
  if (std::optional<Candidate> last = frontier.take()) return Choice{std::move(*last), true};
  return std::nullopt;
}

void SiteQueue::save(ByteWriter& out) const {
  out.number(static_cast<uint32_t>(sites_.size()));
  for (const Site& site : sites_) {
    out.number(static_cast<uint32_t>(site.hosts.size()));
    for (const std::string& host : site.hosts) out.text(host);
    out.number(site.visits);
    out.number(site.last_visit);
    out.number(static_cast<uint8_t>(site.is_high | site.is_low << 1 | site.has_layer_one << 2 |
                                    site.is_trap << 3));
  }
  for (const Queue* queue : {&high_, &low_}) {
    out.number(static_cast<uint32_t>(queue->sites.size()));
    for (const SiteId id : queue->sites) out.number(id);
  }
}

Status SiteQueue::load(ByteReader& in) {
  const Error damaged{"the saved sites of the crawl are damaged"};
  for (uint32_t left = in.number<uint32_t>(); left > 0; --left) {
    Site site;
    for (uint32_t hosts = in.number<uint32_t>(); hosts > 0 && in.ok(); --hosts) {
      site.hosts.emplace_back(in.text());
    }
    site.visits = in.number<uint32_t>();
    site.last_visit = in.number<uint32_t>();
    const auto flags = in.number<uint8_t>();
    site.is_high = flags & 1, site.is_low = flags & 2;
    site.has_layer_one = flags & 4, site.is_trap = flags & 8;
    if (!in.ok() || site.hosts.empty()) return damaged;
    const std::string_view host = site.hosts.front();
    ids_.emplace(hash64(options_.by_domain ? registrable_domain(host) : host),
                 static_cast<SiteId>(sites_.size()));
    sites_.push_back(std::move(site));
  }
  for (Queue* queue : {&high_, &low_}) {
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      const auto id = in.number<SiteId>();
      if (id >= sites_.size()) return damaged;
      queue->sites.push_back(id);
    }
  }
  if (!in.ok()) return damaged;
  knows_open_ = false;
  return {};
}

}  // namespace dowser
