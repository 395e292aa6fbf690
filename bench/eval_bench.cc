#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "engine/plugins.h"
#include "eval/course.h"
#include "eval/labels.h"
#include "graph/distiller.h"
#include "graph/hits.h"
#include "graph/pagerank.h"

// How fast a comparison goes, on one core: simulated visits a second, and the rankings of graph/
// over the links of a real web.
//
//   eval_bench WEB.warc.gz LABELS.tsv [STRATEGY…]

namespace {

using namespace dowser;
using Clock = std::chrono::steady_clock;

double seconds_of(const auto& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int kCrawls = 10;

// Each crawl starts at another page of the topic and has ten others as examples.
void time_visits(const HeldWeb& web, const std::vector<HeldWeb::Node>& pages,
                 const std::string& name) {
  size_t visits = 0;
  const double seconds = seconds_of([&] {
    Topic topic;
    for (size_t i = 0; i < 10; ++i) topic.examples.push_back(web.page(pages[i]));
    auto made = make_judge(*judge_for(name), {topic, {}, {}});
    const bool learns = trainer_of(**made) != nullptr;
    JudgeInUse shared(std::move(*made));
    HeldJudgements judgements(web, shared);
    for (int crawl = 0; crawl < kCrawls; ++crawl) {
      JudgeInUse own(std::move(*make_judge(*judge_for(name), {topic, {}, {}})));
      JudgeInUse& judge = learns ? own : shared;
      auto strategy = make_strategy(name, {.topic = topic, .judge = &judge});
      const HeldWeb::Node seed = pages[10 + static_cast<size_t>(crawl)];
      const auto course = run_course(web, std::span(&seed, 1), **strategy, judge,
                                     learns ? nullptr : &judgements, {.budget = 1000});
      visits += course->pages.size();
    }
  });
  fmt::print("{:<16} {:>8.0f} visits/s\n", name, static_cast<double>(visits) / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: eval_bench WEB.warc.gz LABELS.tsv [STRATEGY...]\n");
    return 2;
  }
  const std::filesystem::path file = argv[1];
  const Result<HeldWeb> web = HeldWeb::load(std::span(&file, 1), 1);
  if (!web) {
    fmt::print(stderr, "eval_bench: {}\n", web.error().message);
    return 1;
  }
  const Result<Labels> labels = Labels::read(argv[2], *web);
  if (!labels) {
    fmt::print(stderr, "eval_bench: {}\n", labels.error().message);
    return 1;
  }
  const LinkGraph& links = web->links();
  fmt::print("{} pages, {} links\n", links.nodes(), links.edges());
  int steps = 0;
  fmt::print("HITS      {:>7.1f} ms", 1e3 * seconds_of([&] { steps = hits(links).steps; }));
  fmt::print(", {} steps\n", steps);
  fmt::print("PageRank  {:>7.1f} ms", 1e3 * seconds_of([&] { steps = pagerank(links).steps; }));
  fmt::print(", {} steps\n", steps);
  const std::vector<double> relevance(links.nodes(), 0.5);
  fmt::print("distiller {:>7.1f} ms",
             1e3 * seconds_of([&] { steps = distil(links, relevance).values.steps; }));
  fmt::print(", {} steps\n", steps);

  std::vector<std::string> names(argv + 3, argv + argc);
  if (names.empty()) names = {"breadth-first", "best-first", "url-combined", "learned"};
  const auto& pages = labels->topics().begin()->second;
  for (const std::string& name : names) time_visits(*web, pages, name);
}
