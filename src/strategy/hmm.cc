#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "learn/hmm_file.h"
#include "model/url_canonical.h"
#include "strategy/strategy.h"

// The hidden Markov crawler (Liu, Janssen and Milios 2005): a person browsed and marked what was
// useful; from that a model knows which kinds of page lead to useful ones, also over pages that are
// about something else (learn/hmm_model.h). The crawl follows the links that lead there.
//
//   cluster(p)   the kind of a page that came back, by the training pages nearest to it
//   α(p)         how far p is from a target: a distribution over the states T0 (is one), T1 (links
//                to one), …; of a seed from its cluster alone, else from its cluster and the α of
//                the page whose link led to it
//   score        the prediction α A for what p links to: its probability of being a target first,
//                then that of being one link away, and so on; equal where they round to the same
//                multiple of 0.001
//
// All links of a page share its prediction (figure 7 of the paper), so those of one page go in the
// order in which they were found. Example: a page of the kind "team lists" has α = (0.1, 0.8, 0.1,
// 0), and links of its state lead to targets in 60 of 100 cases: its links go before those of a
// page that looks like a target, if targets link to targets in 30 of 100.
//
// The paper divides nothing: its α falls with every step, and soon all links are equal; see
// learn/hidden_markov.cc. It also downloads the children of a page to classify them before they are
// queued, in its text; its figure 7 does not, nor do we: then every link would cost a fetch before
// it has a priority.
//
// hmm-alldata is the paper's second variant: not a person's session but all pages of a context
// graph around the examples (4 layers of at most 300 pages, by back-links) with every link between
// them. The paper finds that worse. Without examples there is nothing to lead to, and a link is as
// good as its page, as with best-first; `dowser crawl` refuses it without back-links.
//
// Which seed a page descends from is decided by the winning offer: visit.candidate.trail.parent.
//
// Cost a page: dimensions × (its terms + training pages) multiplications; memory 8 bytes a state
// and visit.

namespace dowser {
namespace {

constexpr std::string_view kAlphaNames[] = {
    "alpha T0",  "alpha T1",  "alpha T2",  "alpha T3",  "alpha T4",  "alpha T5",  "alpha T6",
    "alpha T7",  "alpha T8",  "alpha T9",  "alpha T10", "alpha T11", "alpha T12", "alpha T13",
    "alpha T14", "alpha T15", "alpha T16", "alpha T17", "alpha T18", "alpha T19"};
constexpr std::string_view kPredictionNames[] = {
    "predicted T0",  "predicted T1",  "predicted T2",  "predicted T3",  "predicted T4",
    "predicted T5",  "predicted T6",  "predicted T7",  "predicted T8",  "predicted T9",
    "predicted T10", "predicted T11", "predicted T12", "predicted T13", "predicted T14",
    "predicted T15", "predicted T16", "predicted T17", "predicted T18", "predicted T19"};
static_assert(std::size(kAlphaNames) == kMostPriorityStates);
static_assert(std::size(kPredictionNames) == kMostPriorityStates);

class Hmm final : public Strategy, public ExplainsScores, public SavesState {
 public:
  Hmm(Spec spec, const HmmModel& model) : spec_(std::move(spec)), model_(model) {}
  Hmm(Spec spec, std::unique_ptr<const HmmModel> model)
      : spec_(std::move(spec)), own_(std::move(model)), model_(*own_) {}

  void learn(const Visit& visit) override {
    const HiddenMarkov& chain = model_.chain();
    const size_t n = chain.states();
    cluster_ = model_.cluster(model_.space().direction(visit.page.terms));
    const std::vector<double> alpha = alpha_of_parent(visit).empty()
                                          ? chain.start(cluster_)
                                          : chain.forward(alpha_of_parent(visit), cluster_);
    if (alphas_.size() < (size_t{visit.id.value} + 1) * n) {
      alphas_.resize((size_t{visit.id.value} + 1) * n);
    }
    std::copy(alpha.begin(), alpha.end(),
              alphas_.begin() + static_cast<ptrdiff_t>(visit.id.value * n));
    prediction_ = chain.predict(alpha);
    const std::array<double, 4> parts = packed_priority(prediction_);
    score_ = Score(parts[0], parts[1], parts[2], parts[3]);
  }

  std::optional<Score> score(const Visit&, const Link&) override { return score_; }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    std::vector<ScorePart> parts = {{"cluster", static_cast<double>(cluster_)}};
    const size_t n = model_.chain().states();
    for (size_t i = 0; i < n; ++i) {
      parts.push_back({kAlphaNames[i], alphas_[visit.id.value * n + i]});
    }
    for (size_t i = 0; i < n; ++i) parts.push_back({kPredictionNames[i], prediction_[i]});
    return parts;
  }

  void save(ByteWriter& out) const override {
    out.number(static_cast<uint64_t>(alphas_.size()));
    for (const double x : alphas_) out.number(x);
  }

  Status load(ByteReader& in) override {
    alphas_.clear();
    for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
      alphas_.push_back(in.number<double>());
    }
    if (!in.ok() || alphas_.size() % model_.chain().states() != 0) {
      return Error{"what the strategy hmm has saved does not belong to its model"};
    }
    return {};
  }

  Spec spec() const override { return spec_; }

 private:
  std::span<const double> alpha_of_parent(const Visit& visit) const {
    const size_t n = model_.chain().states();
    const auto& parent = visit.candidate.trail.parent;
    if (!parent || (size_t{parent->value} + 1) * n > alphas_.size()) return {};
    return std::span(alphas_).subspan(parent->value * n, n);
  }

  const Spec spec_;
  const std::unique_ptr<const HmmModel> own_;
  const HmmModel& model_;
  std::vector<double> alphas_;  // of each visit, states one after the other

  // Of the page just learned.
  uint32_t cluster_ = 0;
  std::vector<double> prediction_;
  Score score_;
};

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
    for (const auto& layer : context.layers_around_examples(static_cast<size_t>(options.layers),
                                                            static_cast<size_t>(options.most))) {
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

Result<std::unique_ptr<Strategy>> make_hmm(const Spec& spec, const StrategyContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  if (!context.hmm) {
    return Error{
        "hmm needs what was learned from browsing: name a model of dowser learn hmm with --model"};
  }
  return std::unique_ptr<Strategy>(std::make_unique<Hmm>(Spec{"hmm", {}}, context.hmm->model));
}

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
  return std::unique_ptr<Strategy>(
      std::make_unique<Hmm>(std::move(full), std::make_unique<const HmmModel>(std::move(*model))));
}

}  // namespace dowser
