// Measurements of the parts of the CINDI Robot (Chen 2008): bench/cindi runs them.
//
//   bench_cindi classifiers WEB.warc.gz LABELS.tsv TOPIC DRAWS
//       tables 10 and 11: representations for a support vector machine, plain and weighted naive
//       Bayes. 200 pages of the topic and 400 others (500 and 1,000 for naive Bayes), or half of
//       the topic's pages if there are fewer, and three test sets of 200 pages with the same
//       shares.
//   bench_cindi tunnel WEB.warc.gz LABELS.tsv TOPIC
//       what share of the pages the bias of tunnelling lets into layer 2
//   bench_cindi links STRATEGY SITES
//       links a second through a strategy and the frontier, with so many sites known
//   bench_cindi directories COUNT
//       memory for the statistics of so many directories with names of their own, on 100 sites;
//       half as many more are made up by the sites, and folded into those above

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>

#include "base/random.h"
#include "engine/plugins.h"
#include "eval/held_web.h"
#include "eval/labels.h"
#include "frontier/frontier_view.h"
#include "graph/back_link_layers.h"
#include "learn/naive_bayes.h"
#include "learn/page_weights.h"
#include "learn/rbf_svm.h"
#include "learn/weighted_bayes.h"
#include "model/crawl_statistics.h"
#include "model/url_canonical.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

SparseVector counts_of(const Page& page) {
  std::vector<SparseVector::Entry> entries;
  for (const TermCount& t : page.terms) entries.push_back({t.term, static_cast<double>(t.count)});
  return SparseVector(std::move(entries));
}

struct Loaded {
  HeldWeb web;
  std::vector<Node> topic, others;  // with words
};

Result<Loaded> load(char** arguments) {
  const std::filesystem::path file = arguments[0];
  Result<HeldWeb> web = HeldWeb::load(std::span(&file, 1), 1);
  if (!web) return web.error();
  const Result<Labels> labels = Labels::read(arguments[1], *web);
  if (!labels) return labels.error();
  const auto it = labels->topics().find(arguments[2]);
  if (it == labels->topics().end()) return Error{"there is no such topic"};
  std::vector<Node> topic, others;
  for (Node node = 0; node < web->nodes(); ++node) {
    if (web->page(node).terms.empty()) continue;
    const bool is_on = std::binary_search(it->second.begin(), it->second.end(), node);
    (is_on ? topic : others).push_back(node);
  }
  return Loaded{std::move(*web), std::move(topic), std::move(others)};
}

void shuffle(std::vector<Node>& nodes, Random& random) {
  for (size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[random.below(i)]);
}

struct Sets {
  std::vector<Example> train, tests[3];
};

// Twice as many others as pages of the topic, everywhere.
Sets draw_sets(const Loaded& loaded, size_t positives, uint64_t seed) {
  Random random(seed);
  std::vector<Node> topic = loaded.topic, others = loaded.others;
  shuffle(topic, random);
  shuffle(others, random);
  Sets sets;
  const auto take = [&](std::vector<Example>& to, size_t n) {
    for (size_t i = 0; i < n && !topic.empty(); ++i, topic.pop_back()) {
      to.push_back({counts_of(loaded.web.page(topic.back())), 1});
    }
    for (size_t i = 0; i < 2 * n && !others.empty(); ++i, others.pop_back()) {
      to.push_back({counts_of(loaded.web.page(others.back())), 0});
    }
  };
  take(sets.train, std::min(positives, topic.size() / 2));
  const size_t of_each = std::min<size_t>(67, topic.size() / 3);
  for (auto& test : sets.tests) take(test, of_each);
  return sets;
}

// Accuracy on each of the three sets and the F1 of all, over the draws.
struct Tally {
  double right[3] = {}, pages[3] = {}, both = 0, said = 0, meant = 0, train = 0, judge = 0;

  void test(const Sets& sets, const auto& is_relevant) {
    const Clock::time_point start = Clock::now();
    for (int s = 0; s < 3; ++s) {
      for (const Example& page : sets.tests[s]) {
        const bool says = is_relevant(page.vector);
        right[s] += says == (page.label == 1);
        ++pages[s];
        both += says && page.label == 1;
        said += says;
        meant += page.label == 1;
      }
    }
    judge += seconds_since(start);
  }
  void print(std::string_view name, int draws) const {
    const double all = pages[0] + pages[1] + pages[2];
    fmt::print("{:<16} {:>6.1f} {:>6.1f} {:>6.1f} {:>7.3f} {:>9.1f} {:>9.3f}\n", name,
               100 * right[0] / pages[0], 100 * right[1] / pages[1], 100 * right[2] / pages[2],
               2 * both / (said + meant), 1e3 * train / draws, 1e3 * judge / all);
  }
};

int classifiers(char** arguments) {
  const Result<Loaded> loaded = load(arguments);
  if (!loaded) return std::cerr << loaded.error().message << "\n", 1;
  const int draws = std::atoi(arguments[3]);
  const size_t half = loaded->topic.size() / 2;
  fmt::print("{}: {} pages of the topic, {} others, {} draws\n", arguments[2], loaded->topic.size(),
             loaded->others.size(), draws);
  fmt::print("{:<16} {:>6} {:>6} {:>6} {:>7} {:>9} {:>9}\n", "", "set 1", "set 2", "set 3", "F1",
             "train ms", "page ms");
  fmt::print("trained on {} pages of the topic\n", std::min<size_t>(200, half));
  for (const std::string_view name : weight_kind_names()) {
    Tally tally;
    for (int draw = 0; draw < draws; ++draw) {
      const Sets sets = draw_sets(*loaded, 200, static_cast<uint64_t>(draw) + 1);
      const Clock::time_point start = Clock::now();
      const PageWeights weights = PageWeights::learn(sets.train, *weight_kind_named(name));
      // As in the thesis: no classes are balanced, and nothing is calibrated.
      const Result<RbfSvm> svm =
          RbfSvm::train(weights.vectors(sets.train), {.balanced = false, .folds = 0});
      tally.train += seconds_since(start);
      if (!svm) return std::cerr << svm.error().message << "\n", 1;
      tally.test(sets, [&](const SparseVector& v) { return svm->best(weights.vector(v)) == 1; });
    }
    tally.print(name, draws);
  }
  fmt::print("trained on {} pages of the topic\n", std::min<size_t>(500, half));
  for (const bool weighted : {false, true}) {
    Tally tally;
    for (int draw = 0; draw < draws; ++draw) {
      const Sets sets = draw_sets(*loaded, 500, static_cast<uint64_t>(draw) + 1);
      const Clock::time_point start = Clock::now();
      if (weighted) {
        const Result<WeightedBayes> bayes = WeightedBayes::train(sets.train);
        tally.train += seconds_since(start);
        tally.test(sets, [&](const SparseVector& v) { return bayes->best(v) == 1; });
      } else {
        const Result<NaiveBayes> bayes = NaiveBayes::train(sets.train, {.alpha = 0.5});
        tally.train += seconds_since(start);
        tally.test(sets, [&](const SparseVector& v) { return bayes->best(v) == 1; });
      }
    }
    tally.print(weighted ? "weighted Bayes" : "classic Bayes", draws);
  }
  return 0;
}

// In layer 2: pages that are not of the topic, from which ten examples can be reached by one or two
// links. Out of it: pages from which they cannot. Half of each is learned from.
int tunnel(char** arguments) {
  const Result<Loaded> loaded = load(arguments);
  if (!loaded) return std::cerr << loaded.error().message << "\n", 1;
  Random random(1);
  std::vector<Node> topic = loaded->topic;
  shuffle(topic, random);
  topic.resize(std::min<size_t>(topic.size(), 10));
  std::vector<char> is_in(loaded->web.nodes());
  for (const auto& layer : back_link_layers(loaded->web.links(), topic, 2, loaded->web.nodes(),
                                            [](Node node) { return node; })) {
    for (const Node node : layer) is_in[node] = true;
  }
  std::vector<Node> pages[2];
  for (const Node node : loaded->others) pages[is_in[node] != 0].push_back(node);
  std::vector<Example> train;
  for (uint32_t label : {0, 1}) {
    shuffle(pages[label], random);
    const size_t n = std::min<size_t>(300, pages[label].size() / 2);
    for (size_t i = 0; i < n; ++i, pages[label].pop_back()) {
      train.push_back({counts_of(loaded->web.page(pages[label].back())), label});
    }
  }
  const Result<WeightedBayes> bayes =
      WeightedBayes::train(train, {.uniform_priors = true, .classes = 2});
  if (!bayes) return std::cerr << bayes.error().message << "\n", 1;
  fmt::print("{}: learned from {} pages; shares of the other pages let in\n", arguments[2],
             train.size());
  fmt::print("{:<22} {:>8} {:>8}\n", "", "lead to", "do not");
  const auto print = [&](std::string_view name, const auto& lets_in) {
    double share[2];
    for (const int label : {0, 1}) {
      double in = 0;
      for (const Node node : pages[label]) in += lets_in(counts_of(loaded->web.page(node)));
      share[label] = in / static_cast<double>(std::max<size_t>(1, pages[label].size()));
    }
    fmt::print("{:<22} {:>8.3f} {:>8.3f}\n", name, share[1], share[0]);
  };
  for (const double bias : {1.0, 0.95, 0.9, 0.75, 0.5}) {
    print(fmt::format("factor {}", bias),
          [&](const SparseVector& v) { return bayes->wins(v, 1, bias); });
  }
  for (const double bias : {0.95, 0.9, 0.75, 0.5}) {
    print(fmt::format("odds a word {}", bias), [&](const SparseVector& v) {
      const std::vector<double> scores = bayes->log_scores(v);
      double words = 0;
      for (const auto& entry : v.entries()) words += entry.value;
      return (scores[1] - scores[0]) / words >= std::log(bias);
    });
  }
  return 0;
}

// Pages of 50 links each: half of them within the site, the others to random sites.
int links(char** arguments) {
  const auto sites = static_cast<uint64_t>(std::atoi(arguments[1]));
  Topic topic;
  topic.words = "lighthouse";
  StrategyContext context{topic};
  auto strategy = make_strategy(arguments[0], context);
  if (!strategy) return std::cerr << strategy.error().message << "\n", 1;
  Random random(1);
  Frontier frontier{FrontierOptions{}};
  FrontierView view(frontier);
  const auto make_visit = [&](uint32_t id, Candidate candidate) {
    Visit visit;
    visit.id = {id};
    visit.candidate = std::move(candidate);
    visit.response.url = visit.page.url = visit.candidate.url;
    visit.response.status = 200;
    visit.judgement.relevant = random.below(2) == 0;
    visit.judgement.relevance.value = visit.judgement.relevant ? 0.8 : 0.2;
    for (TermId term = 0; term < 100; ++term) {
      visit.page.terms.push_back({term * 7919 + static_cast<TermId>(random.below(7000)), 1});
    }
    visit.page.tag_paths = {""};
    for (uint32_t position = 0; position < 50; ++position) {
      Link link;
      const std::string host = position % 2 == 0 ? std::string(visit.page.url.hostname())
                                                 : fmt::format("site{}.test", random.below(sites));
      link.url = *Url::parse(fmt::format("http://{}/a/{}.html", host, random.below(100'000)));
      link.fingerprint = seen_fingerprint(link.url);
      link.position = position;
      visit.page.links.push_back(std::move(link));
    }
    return visit;
  };
  double spent = 0;
  uint64_t count = 0;
  frontier.offer(*Url::parse("http://site0.test/"), Score::seed(), {});
  constexpr uint32_t kVisits = 20'000;
  for (uint32_t id = 0; id < kVisits; ++id) {
    const Clock::time_point choosing = Clock::now();
    std::vector<Candidate> chosen = (*strategy)->select(view);
    spent += seconds_since(choosing);
    if (chosen.empty()) break;
    const Visit visit = make_visit(id, std::move(chosen.front()));
    const Clock::time_point start = Clock::now();
    frontier.finish(visit.candidate.url, visit.id);
    (*strategy)->learn(visit);
    for (const Link& link : visit.page.links) {
      if (const auto score = (*strategy)->score(visit, link)) {
        frontier.offer(link.url, link.fingerprint, *score, {visit.id, 1, link.position});
      }
    }
    (*strategy)->revise(view);
    spent += seconds_since(start);
    count += visit.page.links.size();
  }
  fmt::print("{:<14} {} links, {} hosts: {:.0f} links/s, {:.1f} us a page\n", arguments[0], count,
             frontier.hosts(), static_cast<double>(count) / spent, 1e6 * spent / kVisits);
  return 0;
}

double resident_megabytes() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

int directories(char** arguments) {
  const auto count = static_cast<uint64_t>(std::atoll(arguments[0]));
  constexpr uint64_t kSites = 100;
  const double before = resident_megabytes();
  StatisticsLimits limits;
  limits.directories = static_cast<uint32_t>(count);
  CrawlStatistics statistics({}, true, limits);
  const Clock::time_point start = Clock::now();
  uint64_t pages = 0;
  for (; pages < count + count / 2; ++pages) {
    const Url url = *Url::parse(
        fmt::format("http://site{}.test/directory-{}/p.html", pages % kSites, pages * 7919));
    statistics.add_page(url, pages % 10 == 0, Time{static_cast<int64_t>(pages)});
  }
  const double seconds = seconds_since(start);
  fmt::print(
      "{} pages, {} directories, {} folded: {:.0f} MB of the process ({:.0f} MB by its own count), "
      "{:.2f} us a page\n",
      pages, statistics.directory_count(), statistics.folded(), resident_megabytes() - before,
      static_cast<double>(statistics.memory_bytes()) / 1e6,
      1e6 * seconds / static_cast<double>(pages));
  return 0;
}

}  // namespace
}  // namespace dowser

int main(int count, char** arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "classifiers" && count == 6) return dowser::classifiers(arguments + 2);
  if (what == "tunnel" && count == 5) return dowser::tunnel(arguments + 2);
  if (what == "directories" && count == 3) return dowser::directories(arguments + 2);
  if (what == "links" && count == 4) return dowser::links(arguments + 2);
  std::cerr << "see the head of bench/cindi_bench.cc\n";
  return 2;
}
