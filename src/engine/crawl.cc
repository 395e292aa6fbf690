#include "engine/crawl.h"

#include <fmt/format.h>

#include <deque>
#include <set>

#include "engine/dispatcher.h"
#include "model/url_canonical.h"
#include "seed/sitemap.h"

namespace dowser {
namespace {

constexpr size_t kAdviceEvery = 25;  // fetches
constexpr Duration kWaitToTell = std::chrono::seconds(2);

// The numbers are the steps of "The story of one link" in ARCHITECTURE.md.
class Crawl {
 public:
  Crawl(const CrawlParts& parts, const CrawlLimits& limits, const CrawlEvents& events,
        const CrawlStart& start)
      : parts_(parts),
        limits_(limits),
        events_(events),
        started_(start.flight ? start.flight->started : parts.clock.now()),
        explains_(dynamic_cast<const ExplainsScores*>(&parts.strategy)),
        explores_(dynamic_cast<const ExploresHosts*>(&parts.strategy)),
        dispatcher_(parts.workers, HostAccess(parts.frontier), dispatch_options()),
        counters_(start.counters),
        retried_before_(start.counters.retried),
        abandoned_before_(start.counters.given_up),
        visits_(start.visits) {}

  Result<CrawlCounters> run(std::span<const Url> seeds, const CrawlStart& start) {
    if (start.flight) restore(*start.flight, start.taken);
    count();
    counters_.advice = advice();
    if (counters_.fetched % kAdviceEvery == 0) heed_advice();
    if (!start.flight) offer_seeds(seeds);
    explore(seeds);
    while (true) {
      while (!fetched_.empty()) {
        Fetched fetched = std::move(fetched_.front());
        fetched_.pop_front();
        if (fetched.probe) {
          const WorkerResult& result = fetched.result;
          parts_.guards->learn_probe(fetched.candidate.url, result.response, result.page);
          continue;
        }
        std::vector<ArchiveForm> forms = std::move(fetched.forms);
        ByteLease lease = std::move(fetched.result.lease);
        Visit visit = to_visit(std::move(fetched));
        finish(visit);
        learn(visit);                                       // 8 learned from
        std::vector<FoundLink> links = offer_links(visit);  // 2 admitted, 3 scored, 4 waiting
        parts_.strategy.revise(view_);
        count();
        if (counters_.fetched % kAdviceEvery == 0) heed_advice();
        events_.publish(VisitMade{visit, counters_});  // 9 told
        probe(visit);
        Status kept = keep(
            {std::move(visit), std::move(links), std::move(forms), std::move(lease)});  // 10 stored
        if (!kept) return kept.error();
      }
      // A resumed crawl continues after the last visit that was kept, and fetches again what is in
      // flight now.
      if (limits_.exact_resume && is_stopped()) break;
      choose();
      if (is_stopped()) dispatcher_.put_back_waiting();
      for (Fetched& failed : dispatcher_.start_ready(parts_.clock.now())) {
        fetched_.push_back(std::move(failed));
      }
      if (!fetched_.empty()) continue;
      if (dispatcher_.take_new_host_waits()) {
        if (Status kept = parts_.keep_host_waits(); !kept) return kept.error();
      }
      if (dispatcher_.idle() && (is_over() || parts_.frontier.waiting() == 0)) break;
      if (dispatcher_.idle() && strategy_waits_ && !next_ready()) break;  // it chooses nothing more
      const std::optional<Time> ready = next_ready();
      if (ready && dispatcher_.is_only_waiting()) tell_wait(*ready);
      if (std::optional<WorkerResult> result = parts_.workers.next(ready)) {  // 6 fetched,
        std::optional<Fetched> fetched =
            dispatcher_.take(std::move(*result), parts_.clock.now());  // 1 found,
        if (fetched) fetched_.push_back(std::move(*fetched));          // 7 judged
      }
    }
    counters_.advice = advice();
    if (parts_.hints) counters_.hints = parts_.hints->hints(counters_);
    return counters_;
  }

 private:
  // The seeds of the user, and those of the strategy.
  void offer_seeds(std::span<const Url> seeds) {
    const auto offer = [&](const Url& seed) {
      parts_.frontier.offer(canonical(seed, rules_), Score::seed(), {});
    };
    for (const Url& seed : seeds) offer(seed);
    if (const auto* brings = dynamic_cast<const BringsSeeds*>(&parts_.strategy)) {
      for (const Url& seed : brings->seeds()) offer(seed);
    }
  }

  // The more hosts the seeds have, the fewer pages of each are explored. It does not depend on the
  // limits of the crawl: a shorter crawl is the beginning of a longer one.
  void explore(std::span<const Url> seeds) {
    if (!explores_) return;
    std::set<std::string_view> hosts;
    for (const Url& seed : seeds) hosts.insert(seed.host());
    Exploration exploration = explores_->exploration();
    exploration.pages = exploration.pages_of_each(hosts.size());
    parts_.frontier.explore(exploration);
  }

  // Nothing more is started; fetches in flight still end.
  bool is_over() const {
    return is_stopped() || counters_.fetched + dispatcher_.in_flight() >= limits_.max_pages;
  }

  // By the user, or because the time is over or enough was found: fetches that have not been
  // requested yet are put back.
  bool is_stopped() const {
    if (stopped_ || limits_.should_stop()) return true;
    if (limits_.max_relevant > 0 && counters_.relevant >= limits_.max_relevant) return true;
    return limits_.max_time > Duration(0) && parts_.clock.now() - started_ >= limits_.max_time;
  }

  void learn(const Visit& visit) {
    if (parts_.judge) {
      const uint64_t before = parts_.judge->generation();
      parts_.judge->learn(visit);
      const uint64_t generation = parts_.judge->generation();
      if (generation != before) events_.publish(JudgeReplaced{generation});
    }
    if (parts_.statistics) parts_.statistics->learn(visit);  // strategies look at them
    parts_.strategy.learn(visit);
    if (explores_) parts_.frontier.set_fatigue(visit.candidate.url, explores_->fatigue());
    if (parts_.advice) parts_.advice->learn(visit);
    if (parts_.hints) parts_.hints->learn(visit);
  }

  std::optional<Advice> advice() const {
    if (!parts_.advice) return std::nullopt;
    return parts_.advice->advise(parts_.frontier.waiting() + dispatcher_.in_flight(),
                                 counters_.relevant, parts_.frontier.hosts_active());
  }

  void heed_advice() {
    if (stopped_) return;
    if (parts_.hints) {
      const std::string alarm = parts_.hints->alarm();
      if (!alarm.empty()) events_.publish(CrawlWarning{alarm});
    }
    counters_.advice = advice();
    if (!counters_.advice) return;
    events_.publish(AdviceRenewed{*counters_.advice});
    counters_.enough = reason_to_stop(limits_.enough, *counters_.advice, counters_.fetched);
    stopped_ = !counters_.enough.empty();
  }

  // 5 chosen: gives the dispatcher as many candidates as it wants. All of a batch are fetched
  // before the strategy is asked again.
  void choose() {
    parts_.frontier.set_time(parts_.clock.now());
    strategy_waits_ = false;
    while (dispatcher_.wants_more() && !is_over()) {
      if (chosen_.empty()) {
        for (Candidate& candidate : parts_.strategy.select(view_)) {
          chosen_.push_back(std::move(candidate));
        }
        is_new_batch_ = true;
      }
      if (chosen_.empty()) {
        const std::optional<Time> ready = parts_.frontier.next_ready();
        strategy_waits_ = ready && *ready <= parts_.clock.now();
        return;
      }
      Candidate candidate = std::move(chosen_.front());
      chosen_.pop_front();
      if (may_still_follow(candidate)) {
        dispatcher_.submit(std::move(candidate));
      } else {
        parts_.frontier.discard(candidate);
      }
    }
  }

  // While it waited, its address may have turned out to belong to a trap. Seeds are always
  // followed: the user named them.
  bool may_still_follow(const Candidate& candidate) {
    if (!parts_.guards || !candidate.trail.parent) return true;
    const Verdict verdict = parts_.guards->may_follow(candidate.url, candidate.trail.depth);
    if (!verdict) counters_.refuse(verdict.reason);
    return verdict.ok;
  }

  // When there is something to do even if no answer comes.
  std::optional<Time> next_ready() const {
    std::optional<Time> ready;
    if (const auto start = dispatcher_.next_start()) ready = start->ready;
    if (dispatcher_.wants_more() && !is_over()) {
      const std::optional<Time> other =
          strategy_waits_ ? parts_.frontier.next_delayed() : parts_.frontier.next_ready();
      if (other && (!ready || *other < *ready)) ready = other;
    }
    return ready;
  }

  void tell_wait(Time until) {
    const Duration wait = until - parts_.clock.now();
    if (wait < kWaitToTell) return;
    const auto start = dispatcher_.next_start();
    const bool is_started = start && start->ready == until;
    const std::optional<Url> url =
        is_started ? std::optional(*start->url) : parts_.frontier.first_delayed();
    if (!url) return;
    count();
    events_.publish(CrawlWaits{url->host(), wait, dispatcher_.delay_of(*url), counters_});
  }

  DispatchOptions dispatch_options() {
    DispatchOptions options;
    options.agent = limits_.agent;
    options.max_in_flight = limits_.connections;
    options.live = limits_.live;
    // A redirect to a page that was visited before is not followed, since it brings nothing new;
    // unless the target is another spelling of the same address, as with "www.".
    options.may_follow = [this](const Candidate& candidate, const Url& from, const Url& to) {
      const Url url = canonical(to, rules_);
      if (limits_.drop_missing && !parts_.web_holds(url)) return false;
      if (parts_.guards && !parts_.guards->may_redirect_to(url, candidate.trail.depth))
        return false;
      return parts_.frontier.mark_visited(url) || seen_key(url, rules_) == seen_key(from, rules_);
    };
    options.put_back = [this](const Candidate& candidate, std::span<const Url> targets) {
      for (const Url& target : targets) parts_.frontier.unmark(canonical(target, rules_));
      parts_.frontier.put_back(candidate);
    };
    options.on_host_abandoned = [this](std::string_view host) {
      events_.publish(HostAbandoned{host});
    };
    if (limits_.sitemaps) {
      options.on_sitemap = [this](const Url& url) {
        // The sitemaps of a robots.txt that is read again for a resume were offered before.
        if (is_restoring_ || url.href().size() > SitemapLimits().address) return;
        parts_.frontier.offer(canonical(url, rules_), Score::seed(), {});
      };
    }
    return options;
  }

  Status keep(KeptVisit visit) {
    if (!limits_.exact_resume) return parts_.keep(std::move(visit), counters_, nullptr);
    const SavedFlight in_flight = flight();
    return parts_.keep(std::move(visit), counters_, &in_flight);
  }

  // What is in flight after a visit.
  SavedFlight flight() {
    SavedFlight flight;
    flight.now = parts_.clock.now();
    flight.started = started_;
    for (const Fetched& fetched : fetched_) {
      SavedFlight::Fetch& fetch = flight.failed.emplace_back();
      fetch.sequence = fetched.candidate.sequence;
      fetch.mark = fetched.candidate.mark;
      fetch.failure = fetched.result.response.failure;
      for (const Response& r : fetched.redirects) fetch.redirects.push_back(r.fetched_at);
    }
    dispatcher_.save(flight);
    flight.marked = parts_.frontier.marked();
    flight.batch_left = static_cast<uint32_t>(chosen_.size());
    if (std::exchange(is_new_batch_, false)) {
      for (const Candidate& c : chosen_) flight.batch.push_back({c.sequence, c.mark, {}});
    }
    return flight;
  }

  void restore(const SavedFlight& flight, const Frontier::Taken& taken) {
    parts_.clock.wait_until(flight.now);
    parts_.frontier.set_time(flight.now);
    is_restoring_ = true;
    for (Fetched& failed : dispatcher_.restore(flight, taken, parts_.get_again)) {
      fetched_.push_back(std::move(failed));
    }
    is_restoring_ = false;
    for (const SavedFlight::Fetch& chosen : flight.batch) {
      if (auto candidate = chosen.candidate(taken)) chosen_.push_back(std::move(*candidate));
    }
    is_new_batch_ = true;
  }

  Visit to_visit(Fetched fetched) {
    WorkerResult& result = fetched.result;
    const VisitId id{visits_++};
    Guards::Opinion opinion;
    if (parts_.guards) {
      const Url& canonical_url = result.page.canonical;
      opinion = parts_.guards->judge(
          id, fetched.candidate.url, result.response, result.page, result.sketch,
          canonical_url.empty() ? std::nullopt
                                : parts_.frontier.visit_of(canonical(canonical_url, rules_)),
          result.document);
    }
    return {id,
            std::move(fetched.candidate),
            std::move(fetched.redirects),
            std::move(result.response),
            std::move(result.page),
            std::move(result.judgement),
            opinion.near_duplicate_of,
            opinion.soft_404,
            std::move(result.document)};
  }

  // The candidate and the targets of its redirects no longer wait.
  void finish(const Visit& visit) {
    parts_.frontier.finish(visit.candidate.url, visit.id);
    if (!visit.redirects.empty()) {
      for (size_t i = 1; i < visit.redirects.size(); ++i) {
        parts_.frontier.finish(canonical(visit.redirects[i].url, rules_), visit.id);
      }
      parts_.frontier.finish(canonical(visit.response.url, rules_), visit.id);
    }
    if (parts_.guards) parts_.guards->learn(visit);
    if (parts_.templates && visit.response.ok()) parts_.templates->learn(visit.page);
    counters_.add(visit);
  }

  void count() {
    counters_.waiting = parts_.frontier.waiting();
    counters_.hosts = parts_.frontier.hosts();
    counters_.hosts_active = parts_.frontier.hosts_active();
    counters_.in_flight = dispatcher_.in_flight();
    counters_.retried = retried_before_ + dispatcher_.retried();
    counters_.given_up = abandoned_before_ + dispatcher_.hosts_abandoned();
  }

  void probe(const Visit& visit) {
    if (!parts_.guards || is_over()) return;
    if (const auto url = parts_.guards->probe(visit.response.url, visit.response)) {
      dispatcher_.submit_probe(*url);
    }
  }

  // Why a link of the page is not followed, whatever its score; empty if it may be followed.
  std::string_view refusal(const Visit& visit, const Link& link, const Url& url,
                           uint64_t fingerprint, uint32_t depth) {
    if (link.nofollow) return "nofollow";
    if (limits_.max_depth > 0 && depth > limits_.max_depth) return "depth";
    if (visit.soft_404) return "soft-404";
    if (limits_.drop_missing && !parts_.web_holds(url)) return "missing";
    // A known link was allowed before, and will be checked again before it is fetched.
    if (!parts_.guards || parts_.frontier.is_known(fingerprint)) return "";
    return parts_.guards->may_follow(url, depth).reason;
  }

  std::vector<FoundLink> offer_links(const Visit& visit) {
    const uint32_t depth = visit.candidate.trail.depth + 1;
    std::vector<FoundLink> links;
    links.reserve(visit.page.links.size());
    fingerprints_.clear();
    for (const Link& link : visit.page.links) fingerprints_.push_back(seen_fingerprint(link));
    parts_.frontier.prefetch(fingerprints_);
    for (const Link& link : visit.page.links) {
      const uint64_t fingerprint = fingerprints_[links.size()];
      FoundLink& found = links.emplace_back();
      found.link = &link;
      const Url url = canonical(link.url, rules_);
      found.refused = refusal(visit, link, url, fingerprint, depth);
      if (!found.refused.empty()) {
        counters_.refuse(found.refused);
        continue;
      }
      found.score = parts_.strategy.score(visit, link);
      if (!found.score) continue;
      if (visit.near_duplicate_of) found.score = Score::last();
      const auto offer =
          parts_.frontier.offer(url, fingerprint, *found.score, {visit.id, depth, link.position});
      found.won = offer == Frontier::Offer::kNew || offer == Frontier::Offer::kRaised;
      if (found.won && explains_)
        found.parts = parts_text(*found.score, explains_->explain(visit, link));
    }
    counters_.links += links.size();
    if (visit.page.overlong_links > 0) counters_.refuse("length", visit.page.overlong_links);
    return links;
  }

  const CrawlParts& parts_;
  const CrawlLimits& limits_;
  const CrawlEvents& events_;
  const Time started_;
  const CanonicalRules rules_;
  FrontierView view_{parts_.frontier};
  const ExplainsScores* const explains_;  // the strategy, if it can explain
  const ExploresHosts* const explores_;   // the strategy, if it explores hosts
  Dispatcher dispatcher_;
  std::deque<Fetched> fetched_;   // not yet visits
  std::deque<Candidate> chosen_;  // by the strategy, not yet given to the dispatcher
  bool is_new_batch_ = false;     // they were chosen since the last save
  CrawlCounters counters_;
  const size_t retried_before_, abandoned_before_;  // by the crawl that this one continues
  uint32_t visits_ = 0;
  std::vector<uint64_t> fingerprints_;  // of the links of a page
  bool stopped_ = false;
  bool strategy_waits_ = false;  // it chose nothing, although links may be taken
  bool is_restoring_ = false;
};

}  // namespace

Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlEvents& events,
                            const CrawlStart& start) {
  return Crawl(parts, limits, events, start).run(seeds, start);
}

}  // namespace dowser
