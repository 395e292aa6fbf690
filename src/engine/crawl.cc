#include "engine/crawl.h"

#include <fmt/format.h>

#include <deque>

#include "engine/dispatcher.h"
#include "model/url_canonical.h"

namespace dowser {
namespace {

class Crawl {
 public:
  Crawl(const CrawlParts& parts, const CrawlLimits& limits)
      : parts_(parts),
        limits_(limits),
        started_(parts.clock.now()),
        dispatcher_(parts.workers, parts.frontier, dispatch_options()) {}

  Result<CrawlCounters> run(std::span<const Url> seeds, const CrawlObserver& observer) {
    for (const Url& seed : seeds) {  // 1 start
      parts_.frontier.offer(canonical(seed, rules_), Score::seed(), {});
    }
    while (true) {
      choose();
      std::vector<Arrival> arrivals = dispatcher_.start_ready(parts_.clock.now());
      if (arrivals.empty()) {
        if (dispatcher_.idle() && (is_over() || parts_.frontier.waiting() == 0)) break;
        if (std::optional<Finished> finished = parts_.workers.next(next_ready())) {  // 3 fetch,
          std::optional<Arrival> arrival = dispatcher_.take(std::move(*finished));   // 4 parse,
          if (arrival) arrivals.push_back(std::move(*arrival));                      // 5 judge
        }
      }
      for (Arrival& arrival : arrivals) {
        const Visit visit = to_visit(std::move(arrival));
        count(visit);
        parts_.strategy.learn(visit);                                    // 6 learn
        const std::vector<FoundLink> links = offer_links(visit);         // 7 offer
        if (Status s = parts_.keep(visit, links); !s) return s.error();  // 8 keep
        parts_.strategy.revise(parts_.frontier);                         // 9 revise
        if (!observer(visit, counters_)) stopped_ = true;
      }
    }
    return counters_;
  }

 private:
  // Nothing more is sent out; what is on its way still arrives.
  bool is_over() const {
    if (stopped_ || limits_.should_stop()) return true;
    if (counters_.fetched + dispatcher_.errands() >= limits_.max_pages) return true;
    return limits_.max_time > Duration(0) && parts_.clock.now() - started_ >= limits_.max_time;
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
      }
      if (chosen_.empty()) return;
      dispatcher_.submit(std::move(chosen_.front()));
      chosen_.pop_front();
    }
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
    // A redirect to a page that was visited before brings nothing new: the hop is not asked for.
    options.may_follow = [this](const Url& url) {
      if (limits_.drop_missing && !parts_.web_holds(url)) return false;
      return parts_.frontier.mark_visited(canonical(url, rules_));
    };
    return options;
  }

  Visit to_visit(Arrival arrival) {
    return {VisitId{visits_++},
            std::move(arrival.candidate),
            std::move(arrival.redirects),
            std::move(arrival.answer.response),
            std::move(arrival.answer.page),
            std::move(arrival.answer.judgement)};
  }

  void count(const Visit& visit) {
    const bool disallowed = visit.response.failure == Failure::kRobots;
    counters_.disallowed += disallowed;
    counters_.fetched += !disallowed;
    counters_.failed += !disallowed && !visit.response.ok();
    counters_.redirected += !visit.redirects.empty();
    counters_.relevant += visit.judgement.relevant;
    counters_.bytes += visit.response.body.size();
  }

  std::vector<FoundLink> offer_links(const Visit& visit) {
    const uint32_t depth = visit.candidate.trail.depth + 1;
    const bool deep = limits_.max_depth > 0 && depth > limits_.max_depth;
    std::vector<FoundLink> links;
    links.reserve(visit.page.links.size());
    for (const Link& link : visit.page.links) {
      FoundLink& found = links.emplace_back();
      found.link = &link;
      if (deep || link.nofollow) continue;
      const Url url = canonical(link.url, rules_);
      if (limits_.drop_missing && !parts_.web_holds(url)) {
        ++counters_.missing;
        continue;
      }
      found.score = parts_.strategy.score(visit, link);
      if (!found.score) continue;
      const auto offer = parts_.frontier.offer(url, *found.score, {visit.id, depth, link.position});
      found.won = offer == Frontier::Offer::kNew || offer == Frontier::Offer::kRaised;
      if (found.won) found.parts = parts_text(parts_.strategy.explain(visit, link));
    }
    counters_.links += links.size();
    counters_.waiting = parts_.frontier.waiting();
    counters_.hosts = parts_.frontier.hosts();
    counters_.retried = dispatcher_.retried();
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
  std::deque<Candidate> chosen_;  // by the strategy, not yet sent out
  CrawlCounters counters_;
  uint32_t visits_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlObserver& observer) {
  return Crawl(parts, limits).run(seeds, observer);
}

}  // namespace dowser
