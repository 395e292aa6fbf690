#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/url_canonical.h"
#include "strategy/hmm/hmm.h"

// hmm-alldata, the second variant of Liu, Janssen and Milios 2005: the model is learned not from a
// person's sessions but from all pages of a context graph around the examples (4 layers of at most
// 300 pages, by back-links) with every link between them. The paper finds that worse. The crawl is
// that of hmm.cc.
//
// Without examples there is nothing to lead to, and a link is as good as its page, as with
// best-first; `dowser crawl` refuses it without back-links.

namespace dowser {
namespace {

// Of hmm-alldata without examples.
class AsItsPage final : public Strategy, public HasNoState {
 public:
  explicit AsItsPage(Spec spec) : spec_(std::move(spec)) {}
  std::optional<Score> score(const Visit& visit, const Link&) override {
    return Score(visit.judgement.relevance.value);
  }
  Spec spec() const override { return spec_; }

 private:
  const Spec spec_;
};

struct AllDataOptions {
  int64_t layers = 4;
  int64_t most = 300;
  HmmOptions hmm;
};

// The examples and the pages of the layers around them, with every link between any two.
Result<HmmModel> train_on_all(const AllDataOptions& options, const StrategyContext& context) {
  std::vector<const Page*> pages;
  for (const Page& page : context.topic.examples) pages.push_back(&page);
  const size_t targets = pages.size();
  if (context.layers_around_examples) {
    for (const auto& layer : context.layers_around_examples(
             static_cast<size_t>(options.layers), static_cast<size_t>(options.most), false)) {
      pages.insert(pages.end(), layer.begin(), layer.end());
    }
  }
  HmmTraining training;
  std::map<uint64_t, uint32_t> numbers;  // by the fingerprint of the address
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto number = static_cast<uint32_t>(training.pages.size());
    if (!numbers.emplace(seen_fingerprint(pages[i]->url), number).second) continue;
    training.pages.push_back(pages[i]->terms);
    training.is_target.push_back(i < targets);
  }
  for (const Page* page : pages) {
    const uint32_t from = numbers[seen_fingerprint(page->url)];
    for (const Link& link : page->links) {
      const auto to = numbers.find(seen_fingerprint(link));
      if (to != numbers.end() && to->second != from) training.links.emplace_back(from, to->second);
    }
  }
  std::sort(training.links.begin(), training.links.end());
  training.links.erase(std::unique(training.links.begin(), training.links.end()),
                       training.links.end());
  return HmmModel::train(training, options.hmm);
}

}  // namespace

Result<std::unique_ptr<Strategy>> make_hmm_alldata(const Spec& spec,
                                                   const StrategyContext& context) {
  Parameters p(spec);
  AllDataOptions o;
  o.layers = p.integer("layers", o.layers);
  o.most = p.integer("most", o.most);
  const int64_t states = p.integer("states", o.hmm.states);
  o.hmm.smoothing = p.number("smoothing", o.hmm.smoothing);
  if (auto bad = p.finish()) return *bad;
  if (o.layers < 1 || o.layers > 100 || o.most < 1) {
    return Error{"layers of hmm-alldata must be from 1 to 100, and most at least 1"};
  }
  if (states < 2 || states > static_cast<int64_t>(kMostPriorityStates)) {
    return Error{fmt::format("states of hmm-alldata must be from 2 to {}", kMostPriorityStates)};
  }
  o.hmm.states = static_cast<uint32_t>(states);
  Spec full{"hmm-alldata",
            {{"layers", std::to_string(o.layers)},
             {"most", std::to_string(o.most)},
             {"states", std::to_string(states)},
             {"smoothing", fmt::format("{}", o.hmm.smoothing)}}};
  if (context.topic.examples.empty()) {
    return std::unique_ptr<Strategy>(std::make_unique<AsItsPage>(std::move(full)));
  }
  Result<HmmModel> model = train_on_all(o, context);
  if (!model) return model.error();
  return make_hmm_crawler(std::move(full), std::make_unique<const HmmModel>(std::move(*model)));
}

}  // namespace dowser
