#include "engine/crawl.h"

#include <fmt/format.h>

#include "fetch/fetcher.h"
#include "model/url_canonical.h"
#include "parse/parse_page.h"

namespace dowser {
namespace {

class Crawl {
 public:
  Crawl(const CrawlParts& parts, const CrawlLimits& limits)
      : parts_(parts),
        limits_(limits),
        started_(parts.clock.now()),
        fetcher_(parts.web, parts.clock, fetcher_options()) {
    parse_options_.max_body = limits.max_body;
  }

  Result<CrawlCounters> run(std::span<const Url> seeds, const CrawlObserver& observer) {
    for (const Url& seed : seeds) {  // 1 start
      parts_.frontier.offer(canonical(seed, rules_), Score::seed(), {});
    }
    while (!finished()) {
      parts_.frontier.set_time(parts_.clock.now());
      const std::vector<Candidate> chosen = parts_.strategy.select(parts_.frontier);  // 2 choose
      if (chosen.empty() && !wait()) break;
      for (const Candidate& candidate : chosen) {
        if (finished()) break;
        Fetched fetched = fetcher_.fetch(candidate.url);           // 3 fetch
        Page page = parse_page(fetched.response, parse_options_);  // 4 parse
        Judgement judgement = judge(fetched.response, page);       // 5 judge
        const Visit visit{
            VisitId{visits_++},          candidate,       std::move(fetched.redirects),
            std::move(fetched.response), std::move(page), std::move(judgement)};
        count(visit);
        parts_.strategy.learn(visit);                                    // 6 learn
        const std::vector<FoundLink> links = offer_links(visit);         // 7 offer
        if (Status s = parts_.keep(visit, links); !s) return s.error();  // 8 keep
        parts_.strategy.revise(parts_.frontier);                         // 9 revise
        if (!observer(visit, counters_)) return counters_;
      }
    }
    return counters_;
  }

 private:
  bool finished() const {
    if (counters_.fetched >= limits_.max_pages) return true;
    return limits_.max_time > Duration(0) && parts_.clock.now() - started_ >= limits_.max_time;
  }

  // Until a waiting link may go. False: nothing waits.
  bool wait() {
    const std::optional<Time> ready = parts_.frontier.next_ready();
    if (ready) parts_.clock.wait_until(*ready);
    return ready.has_value();
  }

  Fetcher::Options fetcher_options() {
    Fetcher::Options options;
    options.agent = limits_.agent;
    options.before_request = [this](const Url& url) {
      parts_.clock.wait_until(parts_.frontier.ready_at(url));
      parts_.frontier.note_request(url, parts_.clock.now());
    };
    // A redirect to a page that was visited before brings nothing new: the hop is not asked for.
    options.may_follow = [this](const Url& url) {
      if (limits_.drop_missing && !parts_.web.may_hold(url)) return false;
      return parts_.frontier.mark_visited(canonical(url, rules_));
    };
    return options;
  }

  Judgement judge(const Response& response, const Page& page) const {
    return response.ok() ? parts_.judge.judge(page) : Judgement{};
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
      if (limits_.drop_missing && !parts_.web.may_hold(url)) {
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
  ParseOptions parse_options_;
  Fetcher fetcher_;
  CrawlCounters counters_;
  uint32_t visits_ = 0;
};

}  // namespace

Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlObserver& observer) {
  return Crawl(parts, limits).run(seeds, observer);
}

}  // namespace dowser
