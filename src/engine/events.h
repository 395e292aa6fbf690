#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/advice.h"
#include "engine/counters.h"
#include "model/visit.h"

// What happens in a crawl, for whoever watches it: progress, metrics and the log subscribe, and the
// crawl knows none of them. There is at most one event of a kind for each visit, never one for each
// link. What an event refers to is valid during the call only.

namespace dowser {

// A page came back, was judged and learned from.
struct VisitMade {
  const Visit& visit;
  const CrawlCounters& counters;
};
// A host failed so often that it is not asked any more.
struct HostAbandoned {
  std::string_view host;
};
// The judge learned: pages are judged by a new one from now on.
struct JudgeReplaced {
  uint64_t generation;  // how many times it was replaced
};
// The estimate of what is left has been renewed.
struct AdviceRenewed {
  const Advice& advice;
};
// Something that the user should know and that does not end the crawl, as one sentence.
struct CrawlWarning {
  std::string_view text;
};
// Nothing is sent: each host with something to fetch has to be left alone. Told again and again
// while it lasts.
struct CrawlWaits {
  std::string_view host;  // may be asked first
  Duration wait;          // for so long no request is sent
  Duration delay;         // of this host: a longer wait was asked for, or follows a failure
  const CrawlCounters& counters;
};
// The crawl has ended, and its pages are judged again by what it has learned.
struct PagesJudgedAgain {
  size_t done, total;
};
// The crawl is over and everything is written, or it failed.
struct CrawlEnded {
  const CrawlCounters& counters;
  std::string_view error;  // empty if it did not fail
};

using CrawlEvent = std::variant<VisitMade, HostAbandoned, JudgeReplaced, AdviceRenewed,
                                CrawlWarning, CrawlWaits, CrawlEnded, PagesJudgedAgain>;

// The subscribers of a crawl. They are called in the order in which they subscribed, on the thread
// that runs the crawl, and should return quickly.
class CrawlEvents {
 public:
  using Subscriber = std::function<void(const CrawlEvent&)>;

  void subscribe(Subscriber subscriber) { subscribers_.push_back(std::move(subscriber)); }

  // Subscribes to visits only.
  void on_visit(std::function<void(const Visit&, const CrawlCounters&)> use) {
    subscribe([use = std::move(use)](const CrawlEvent& event) {
      if (const auto* made = std::get_if<VisitMade>(&event)) use(made->visit, made->counters);
    });
  }

  void publish(const CrawlEvent& event) const {
    for (const Subscriber& subscriber : subscribers_) subscriber(event);
  }

 private:
  std::vector<Subscriber> subscribers_;
};

}  // namespace dowser
