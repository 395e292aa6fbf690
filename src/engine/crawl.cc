#include "engine/crawl.h"

#include <fmt/format.h>

#include <deque>

#include "engine/dispatcher.h"
#include "model/url_canonical.h"
#include "seed/sitemap.h"

namespace dowser {
namespace {

constexpr size_t kAdviceEvery = 25;  // fetches

class Crawl {
 public:
  Crawl(const CrawlParts& parts, const CrawlLimits& limits, const CrawlStart& start)
      : parts_(parts),
        limits_(limits),
        started_(start.flight ? start.flight->started : parts.clock.now()),
        dispatcher_(parts.workers, parts.frontier, dispatch_options()),
        counters_(start.counters),
        retried_before_(start.counters.retried),
        given_up_before_(start.counters.given_up),
        visits_(start.visits) {}

  Result<CrawlCounters> run(std::span<const Url> seeds, const CrawlObserver& observer,
                            const CrawlStart& start) {
    if (start.flight) restore(*start.flight);
    look_around();
    counters_.advice = advice();
    if (counters_.fetched % kAdviceEvery == 0) heed_advice();
    if (!start.flight) {
      for (const Url& seed : seeds) {  // 1 start
        parts_.frontier.offer(canonical(seed, rules_), Score::seed(), {});
      }
    }
    while (true) {
      while (!arrivals_.empty()) {
        Arrival arrival = std::move(arrivals_.front());
        arrivals_.pop_front();
        if (arrival.probe) {
          const Finished& answer = arrival.answer;
          parts_.guards->learn_probe(arrival.candidate.url, answer.response, answer.page);
          continue;
        }
        const TextSketch sketch = arrival.answer.sketch;
        std::vector<ArchiveForm> forms = std::move(arrival.forms);
        Visit visit = to_visit(std::move(arrival));
        finish(visit);
        if (parts_.judge) parts_.judge->learn(visit);  // 6 learn
        parts_.strategy.learn(visit);
        if (parts_.advice) parts_.advice->learn(visit);
        if (parts_.hints) parts_.hints->learn(visit);
        std::vector<FoundLink> links = offer_links(visit);  // 7 offer
        parts_.strategy.revise(parts_.frontier);            // 8 revise
        look_around();
        if (counters_.fetched % kAdviceEvery == 0) heed_advice();
        if (!observer(visit, counters_)) stopped_ = true;
        probe(visit);
        Outcome outcome{std::move(visit), std::move(links), sketch, std::move(forms), {}};
        if (limits_.exact_resume) outcome.flight = flight();  // 9 keep
        if (Status s = parts_.keep(std::move(outcome), counters_); !s) return s.error();
      }
      // A resume goes on at the last visit that was kept: what is under way is begun again then.
      if (limits_.exact_resume && is_stopped()) break;
      choose();
      if (is_stopped()) dispatcher_.call_back();
      for (Arrival& arrival : dispatcher_.start_ready(parts_.clock.now())) {
        arrivals_.push_back(std::move(arrival));
      }
      if (!arrivals_.empty()) continue;
      if (dispatcher_.idle() && (is_over() || parts_.frontier.waiting() == 0)) break;
      if (std::optional<Finished> finished = parts_.workers.next(next_ready())) {  // 3 fetch,
        std::optional<Arrival> arrival =
            dispatcher_.take(std::move(*finished), parts_.clock.now());  // 4 parse,
        if (arrival) arrivals_.push_back(std::move(*arrival));           // 5 judge
      }
    }
    counters_.advice = advice();
    if (parts_.hints) counters_.hints = parts_.hints->hints(counters_);
    return counters_;
  }

 private:
  // Nothing more is sent out; what is on its way still arrives.
  bool is_over() const {
    return is_stopped() || counters_.fetched + dispatcher_.errands() >= limits_.max_pages;
  }

  // By a person, or by time: what has not been asked for yet is not waited for.
  bool is_stopped() const {
    if (stopped_ || limits_.should_stop()) return true;
    return limits_.max_time > Duration(0) && parts_.clock.now() - started_ >= limits_.max_time;
  }

  std::optional<Advice> advice() const {
    if (!parts_.advice) return std::nullopt;
    return parts_.advice->advise(parts_.frontier.waiting() + dispatcher_.errands(),
                                 counters_.relevant);
  }

  void heed_advice() {
    if (stopped_) return;
    counters_.advice = advice();
    if (!counters_.advice) return;
    counters_.enough = reason_to_stop(limits_.enough, *counters_.advice, counters_.fetched);
    stopped_ = !counters_.enough.empty();
  }

  // 2 choose: sends out as many of the chosen as the dispatcher wants. A batch goes whole before
  // the strategy is asked again.
  void choose() {
    parts_.frontier.set_time(parts_.clock.now());
    while (dispatcher_.wants_more() && !is_over()) {
      if (chosen_.empty()) {
        for (Candidate& candidate : parts_.strategy.select(parts_.frontier)) {
          chosen_.push_back(std::move(candidate));
        }
        is_new_batch_ = true;
      }
      if (chosen_.empty()) return;
      Candidate candidate = std::move(chosen_.front());
      chosen_.pop_front();
      if (may_still_go(candidate)) {
        dispatcher_.submit(std::move(candidate));
      } else {
        parts_.frontier.put_back(candidate);
        parts_.frontier.drop(candidate.url);
      }
    }
  }

  // What waited may have turned out to be a trap since. Seeds are the user's wish.
  bool may_still_go(const Candidate& candidate) {
    if (!parts_.guards || !candidate.trail.parent) return true;
    const Verdict verdict = parts_.guards->may_follow(candidate.url, candidate.trail.depth);
    if (!verdict) counters_.refuse(verdict.reason);
    return verdict.ok;
  }

  // When there is something to do although no answer has come.
  std::optional<Time> next_ready() const {
    std::optional<Time> ready = dispatcher_.next_ready();
    if (dispatcher_.wants_more() && !is_over()) {
      const std::optional<Time> other = parts_.frontier.next_ready();
      if (other && (!ready || *other < *ready)) ready = other;
    }
    return ready;
  }

  DispatchOptions dispatch_options() {
    DispatchOptions options;
    options.agent = limits_.agent;
    options.max_errands = limits_.connections;
    options.live = limits_.live;
    // A redirect to a page that was visited before brings nothing new: the hop is not asked for. To
    // another spelling of itself, as with "www.", it leads on.
    options.may_follow = [this](const Candidate& candidate, const Url& from, const Url& to) {
      const Url url = canonical(to, rules_);
      if (limits_.drop_missing && !parts_.web_holds(url)) return false;
      if (parts_.guards && !parts_.guards->may_redirect_to(url, candidate.trail.depth))
        return false;
      return parts_.frontier.mark_visited(url) || seen_key(url, rules_) == seen_key(from, rules_);
    };
    options.unmark = [this](const Url& target) {
      parts_.frontier.unmark(canonical(target, rules_));
    };
    if (limits_.sitemaps) {
      options.on_sitemap = [this](const Url& url) {
        // Those of a robots.txt that is read again for a resume were offered before.
        if (is_restoring_ || url.href().size() > SitemapLimits().address) return;
        parts_.frontier.offer(canonical(url, rules_), Score::seed(), {});
      };
    }
    return options;
  }

  // What is under way, behind a visit that is complete.
  SavedFlight flight() {
    SavedFlight flight;
    flight.now = parts_.clock.now();
    flight.started = started_;
    const auto sequence_of = [&](const Candidate& candidate) {
      return parts_.frontier.sequence_of(candidate.url).value_or(UINT64_MAX);
    };
    for (const Arrival& arrival : arrivals_) {
      SavedFlight::Errand& errand = flight.arrived.emplace_back();
      errand.sequence = sequence_of(arrival.candidate);
      errand.mark = arrival.candidate.mark;
      errand.failure = arrival.answer.response.failure;
      for (const Response& r : arrival.redirects) errand.redirects.push_back(r.fetched_at);
    }
    dispatcher_.save(flight);
    flight.marked = parts_.frontier.marked();
    flight.batch_left = static_cast<uint32_t>(chosen_.size());
    if (std::exchange(is_new_batch_, false)) {
      for (const Candidate& c : chosen_) flight.batch.push_back({sequence_of(c), c.mark});
    }
    return flight;
  }

  void restore(const SavedFlight& flight) {
    parts_.clock.wait_until(flight.now);
    parts_.frontier.set_time(flight.now);
    is_restoring_ = true;
    for (Arrival& arrival : dispatcher_.restore(flight, parts_.get_again)) {
      arrivals_.push_back(std::move(arrival));
    }
    is_restoring_ = false;
    for (const SavedFlight::Chosen& one : flight.batch) {
      if (auto candidate = flight.candidate(one.sequence, one.mark)) chosen_.push_back(*candidate);
    }
    is_new_batch_ = true;
  }

  Visit to_visit(Arrival arrival) {
    Finished& answer = arrival.answer;
    const VisitId id{visits_++};
    Guards::Opinion opinion;
    if (parts_.guards) {
      const Url& canonical_url = answer.page.canonical;
      opinion = parts_.guards->judge(
          id, arrival.candidate.url, answer.response, answer.page, answer.sketch,
          canonical_url.empty() ? std::nullopt
                                : parts_.frontier.visit_of(canonical(canonical_url, rules_)));
    }
    return {id,
            std::move(arrival.candidate),
            std::move(arrival.redirects),
            std::move(answer.response),
            std::move(answer.page),
            std::move(answer.judgement),
            opinion.near_duplicate_of,
            opinion.soft_404};
  }

  // The candidate and what its redirects led to wait no more.
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

  void look_around() {
    counters_.waiting = parts_.frontier.waiting();
    counters_.hosts = parts_.frontier.hosts();
    counters_.hosts_active = parts_.frontier.hosts_active();
    counters_.in_flight = dispatcher_.errands();
    counters_.retried = retried_before_ + dispatcher_.retried();
    counters_.given_up = given_up_before_ + dispatcher_.given_up();
  }

  void probe(const Visit& visit) {
    if (!parts_.guards || is_over()) return;
    if (const auto url = parts_.guards->probe(visit.response.url, visit.response)) {
      dispatcher_.submit_probe(*url);
    }
  }

  // Why a link of the page is not followed, whatever the strategy would say; "" where it may be.
  std::string_view refusal(const Visit& visit, const Link& link, const Url& url,
                           uint64_t fingerprint, uint32_t depth) {
    if (link.nofollow) return "nofollow";
    if (limits_.max_depth > 0 && depth > limits_.max_depth) return "depth";
    if (visit.soft_404) return "soft-404";
    if (limits_.drop_missing && !parts_.web_holds(url)) return "missing";
    // What is known passed before, and is looked at again before it is fetched.
    if (!parts_.guards || parts_.frontier.is_known(fingerprint)) return "";
    return parts_.guards->may_follow(url, depth).reason;
  }

  std::vector<FoundLink> offer_links(const Visit& visit) {
    const uint32_t depth = visit.candidate.trail.depth + 1;
    std::vector<FoundLink> links;
    links.reserve(visit.page.links.size());
    fingerprints_.clear();
    for (const Link& link : visit.page.links) fingerprints_.push_back(seen_fingerprint(link));
    parts_.frontier.expect(fingerprints_);
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
      if (found.won) found.parts = parts_text(parts_.strategy.explain(visit, link));
    }
    counters_.links += links.size();
    if (visit.page.overlong_links > 0) counters_.refuse("length", visit.page.overlong_links);
    return links;
  }

  static std::string parts_text(const std::vector<ScorePart>& parts) {
    std::string text;
    for (const ScorePart& part : parts) {
      fmt::format_to(std::back_inserter(text), "{}{}={:.6g}", text.empty() ? "" : " ", part.name,
                     part.value);
    }
    return text;
  }

  const CrawlParts& parts_;
  const CrawlLimits& limits_;
  const Time started_;
  const CanonicalRules rules_;
  Dispatcher dispatcher_;
  std::deque<Arrival> arrivals_;  // not yet learned from
  std::deque<Candidate> chosen_;  // by the strategy, not yet sent out
  bool is_new_batch_ = false;     // they were chosen since what is under way was last saved
  CrawlCounters counters_;
  const size_t retried_before_, given_up_before_;  // by the crawl that this one continues
  uint32_t visits_ = 0;
  std::vector<uint64_t> fingerprints_;  // of the links of a page
  bool stopped_ = false;
  bool is_restoring_ = false;
};

}  // namespace

Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlObserver& observer,
                            const CrawlStart& start) {
  return Crawl(parts, limits, start).run(seeds, observer, start);
}

}  // namespace dowser
