#include <fmt/format.h>

#include <algorithm>

#include "eval/compare_results.h"
#include "eval/comparison.h"

// A crawl strategy of your own, and whether it is any good.
//
// The idea to try: a page near the root of its site says more than one deep down. So a link is
// worth what the page it stands on is worth, divided by how deep its address is:
//
//   http://birds.test/owl                 relevance / 1
//   http://birds.test/2007/may/owl.html   relevance / 3
//
// The program lets it crawl an archived web against best-first, breadth-first and an oracle that
// knows where everything is, and prints who found how much how soon:
//
//   own_strategy webkb.warc.gz webkb-labels.tsv

namespace {

using namespace dowser;

// Of the functions that a strategy may have, only score() and spec() are required;
// strategy/strategy.h describes the others.
class Shallow final : public Strategy {
 public:
  // Asked for every link of a page that has come back. The frontier keeps the links and always
  // hands out the one with the highest score.
  std::optional<Score> score(const Visit& visit, const Link& link) override {
    const std::string_view path = link.url.path();  // "/2007/may/owl.html"
    const auto depth = std::max<ptrdiff_t>(1, std::count(path.begin(), path.end(), '/'));
    return Score(visit.judgement.relevance.value / static_cast<double>(depth));
  }

  // Its name and, had it any, its parameters: "shallow(power=2)".
  Spec spec() const override { return {"shallow", {}}; }
};

// Called for every crawl, with the text form and with what a strategy may know: the topic, and
// random numbers where it wants some. Never the labels.
Result<std::unique_ptr<Strategy>> make_shallow(const Spec& spec, const StrategyContext&) {
  Parameters parameters(spec);
  if (auto bad = parameters.finish()) return *bad;  // somebody wrote shallow(x=1)
  return std::unique_ptr<Strategy>(std::make_unique<Shallow>());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: own_strategy WEB.warc.gz LABELS.tsv\n");
    return 2;
  }
  const StrategyPlugin own[] = {{"shallow", "links near the root first", make_shallow}};
  CompareOptions options;
  options.web = {argv[1]};
  options.labels = argv[2];  // lines of URL, tab, topic
  options.own = own;
  options.strategies = {"shallow", "best-first", "breadth-first"};
  options.example_count = 5;  // pages of the topic that the strategies are shown
  options.draws = 5;          // crawls of each topic, each with other examples and start pages
  options.budget = 200;       // pages a crawl
  const Result<Comparison> comparison = compare(options);
  if (!comparison) {
    fmt::print(stderr, "own_strategy: {}\n", comparison.error().message);
    return 1;
  }
  fmt::print("{}", summary_table(*comparison));
}
