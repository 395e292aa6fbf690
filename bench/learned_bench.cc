#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <numeric>

#include "base/random.h"
#include "engine/judge_in_use.h"
#include "engine/plugins.h"
#include "model/url_canonical.h"
#include "text/terms.h"

// What a strategy costs a page, with a million links waiting: pages of 50 links, each with an
// anchor of three words and ten words on either side, a third of them to addresses that are known.
// A tenth of the pages is on the topic, so that the judge has something to learn: each time it has,
// a strategy that goes by it has to think again. Timed are learn(), score(), offer(), revise() and
// select(), in time of the processor; making and judging the pages is not.
//
//   bench_learned [WAITING] [STRATEGY…]
//
// Without strategies: what learned costs over best-first, five times in turn, since both wait for
// memory, which others on the machine use too.

namespace {

using namespace dowser;

// Of this thread, so that others on the machine do not count.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

constexpr int kLinks = 50;
constexpr int kPatterns = 200;  // of pages
constexpr int kOnTopic = 10;    // one in so many of them
constexpr int kExamples = 10;
constexpr int kTimed = 2000;
constexpr int kRuns = 5;

// In letters, since numbers are no terms.
std::string name(std::string text, uint64_t number) {
  for (; number > 0; number /= 26) text += static_cast<char>('a' + number % 26);
  return text;
}

// A page of words and links; the addresses come later. On the topic, half of its words are.
Page make_page(Random& random, bool is_on_topic) {
  const auto word = [is_on_topic](Random& from) {
    const bool is_of_topic = is_on_topic && from.below(2) == 0;
    return is_of_topic ? name("topic", from.below(300)) : name("word", from.below(20'000));
  };
  Page page;
  page.language = "en";
  page.tag_paths = {"body>div>ul>li>a", "body>p>a"};
  std::vector<uint32_t> cuts;
  for (int i = 0; i < kLinks; ++i) {
    for (int k = 0; k < 10; ++k) page.text += word(random) + " ";
    Link link;
    link.position = static_cast<uint32_t>(i);
    link.tag_path = static_cast<uint16_t>(random.below(2));
    link.anchor.begin = static_cast<uint32_t>(page.text.size());
    page.text += word(random) + " " + word(random) + " " + word(random);
    link.anchor.end = static_cast<uint32_t>(page.text.size());
    cuts.insert(cuts.end(), {link.anchor.begin, link.anchor.end});
    page.text += " ";
    page.links.push_back(link);
  }
  page.placed_terms = placed_terms(page.text, "en", cuts);
  page.terms = count_terms(page.placed_terms);
  return page;
}

Url address(uint64_t number) {
  return *Url::parse(
      fmt::format("http://host{}.test/{}/page{}.html", number % 1000, number % 37, number));
}

class Bench {
 public:
  Bench(const std::string& name, size_t waiting) : name_(name), wanted_(waiting) {
    for (int i = 0; i < kPatterns; ++i) {
      patterns_.push_back(make_page(random_, i % kOnTopic == 0));
    }
    for (int i = 0; i < kExamples; ++i) topic_.examples.push_back(make_page(random_, true));
    judge_ = std::make_unique<JudgeInUse>(std::move(*make_judge("learned", {topic_, {}, {}})));
    strategy_ = std::move(*make_strategy(name, {.topic = topic_, .judge = judge_.get()}));
    frontier_.offer(address(0), Score::seed(), {});
  }

  struct Costs {
    double on_the_way, now;  // µs a page
  };

  Costs run() {
    while (frontier_.waiting() < wanted_) visit();
    const double filled = seconds_;
    const uint32_t before = visits_;
    seconds_ = 0;
    for (int i = 0; i < kTimed; ++i) visit();
    fmt::print(
        "{:<14} {:>9} waiting after {:>6} pages, {:>6.1f} µs a page on the way, {:>6.1f} µs now; "
        "{} judges, {:.1f} s for them, {:.1f} ms at most\n",
        name_, frontier_.waiting(), before, 1e6 * filled / before, 1e6 * seconds_ / kTimed,
        judge_->generation(), for_judges_, 1e3 * longest_);
    return {1e6 * filled / before, 1e6 * seconds_ / kTimed};
  }

 private:
  void visit() {
    std::vector<Candidate> chosen = strategy_->select(view_);
    Visit visit;
    visit.id = {visits_++};
    visit.candidate = std::move(chosen.at(0));
    visit.response.url = visit.candidate.url;
    visit.response.status = 200;
    visit.page = patterns_[random_.below(kPatterns)];
    for (Link& link : visit.page.links) {
      link.url = address(random_.below(3) == 0 ? random_.below(known_ + 1) : ++known_);
      link.fingerprint = seen_fingerprint(link.url);  // as a worker does for every strategy
    }
    visit.judgement.relevance = judge_->relevance(terms_of(visit.page));
    const uint64_t judge = judge_->generation();
    judge_->learn(visit);
    const double start = cpu_seconds();
    frontier_.finish(visit.candidate.url, visit.id);
    strategy_->learn(visit);
    fingerprints_.clear();
    for (const Link& link : visit.page.links) fingerprints_.push_back(link.fingerprint);
    frontier_.prefetch(fingerprints_);
    for (const Link& link : visit.page.links) {
      if (const auto score = strategy_->score(visit, link)) {
        frontier_.offer(link.url, link.fingerprint, *score, {visit.id, 1, link.position});
      }
    }
    strategy_->revise(view_);
    const double took = cpu_seconds() - start;
    seconds_ += took;
    if (judge_->generation() == judge) return;
    for_judges_ += took;
    longest_ = std::max(longest_, took);
  }

  const std::string name_;
  const size_t wanted_;
  Random random_{1};
  std::vector<Page> patterns_;
  Topic topic_;
  std::unique_ptr<JudgeInUse> judge_;
  std::unique_ptr<Strategy> strategy_;
  Frontier frontier_{FrontierOptions{}};
  FrontierView view_{frontier_};
  std::vector<uint64_t> fingerprints_;  // of the links of a page
  uint64_t known_ = 0;
  uint32_t visits_ = 0;
  double seconds_ = 0;
  double for_judges_ = 0, longest_ = 0;  // seconds of visits after which there was a new judge
};

void print_difference(const char* when, std::vector<double> runs) {
  std::sort(runs.begin(), runs.end());
  const double mean = std::accumulate(runs.begin(), runs.end(), 0.0) / runs.size();
  fmt::print("learned costs {:.0f} µs a page more than best-first {} ({:.0f} to {:.0f})\n", mean,
             when, runs.front(), runs.back());
}

void compare(size_t waiting) {
  std::vector<double> on_the_way, now;
  for (int i = 0; i < kRuns; ++i) {
    const Bench::Costs usual = Bench("best-first", waiting).run();
    const Bench::Costs learned = Bench("learned", waiting).run();
    on_the_way.push_back(learned.on_the_way - usual.on_the_way);
    now.push_back(learned.now - usual.now);
  }
  print_difference("on the way", on_the_way);
  print_difference("now", now);
}

}  // namespace

int main(int argc, char** argv) {
  const size_t waiting = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  if (argc <= 2) compare(waiting);
  for (int i = 2; i < argc; ++i) Bench(argv[i], waiting).run();
}
