#include "strategy/hmm/hmm.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "base/hash.h"
#include "learn/hmm_file.h"
#include "model/url_canonical.h"
#include "strategy/hmm/mean_predictions.h"
#include "text/link_terms.h"

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
//                multiple of 0.001. The catalogue's `score` is the first of these probabilities,
//                apart from less than 0.001 that the next ones add; `parts` has all of them
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
// Which seed a page descends from is decided by the winning offer: visit.candidate.trail.parent.
//
// Beyond the paper. With these, the crawl finds about twice as much (docs/hmm.md has the figures),
// so the first three are on by default; as=printed turns them off:
//
//   words=on      the words of a link and of its address are a second observation of the page that
//                 it leads to: its prediction is multiplied with their likelihoods and divided by
//                 the sum. So the links of a page differ. A model that was made before models knew
//                 the words of links does without.
//   parents=mean  a page that several fetched pages link to has the mean of their predictions, as
//                 its priority and as what was expected of it when it comes back. The frontier
//                 alone would keep the best of them.
//   votes=shares  the observation of a page is not its cluster but the shares of the votes:
//                 P(page | T_j) = sum over clusters of share × b_jk. So there are more than a
//                 handful of different observations.
//   targets=0.9   off by default: a fetched page whose cosine to a marked page is so high votes for
//                 the cluster of the targets from then on; at most 200 do. Only marked pages are
//                 compared with, so that the topic does not drift.
//
// Cost a page: dimensions × (its terms + training pages) multiplications; with words=on, training
// pages × dimensions for every new wording of a link. Memory: 8 bytes a state and visit; with
// parents=mean 12 and 8 a state for every known address.

namespace dowser {
namespace {

constexpr size_t kMostNewTargets = 200;
constexpr size_t kMostWordings = 200'000;  // that are remembered; a few MB

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
  Hmm(Spec spec, const HmmModel& model, std::unique_ptr<const HmmModel> own,
      const HmmCrawlOptions& options)
      : spec_(std::move(spec)), own_(std::move(own)), model_(model), options_(options) {
    if (options_.new_targets > 0) neighbours_ = model.pages();
    if (options_.all_parents) means_.emplace(model.chain().states());
  }

  void learn(const Visit& visit) override {
    changed_.clear();  // revise() is not called for visits that are given again
    const std::vector<double> direction = model_.space().direction(visit.page.terms);
    const std::vector<double> alpha = observed(expected_of(visit), likelihood_of(direction));
    note_alpha(visit.id, alpha);
    prediction_ = model_.chain().predict(alpha);
    score_ = score_of(prediction_);
    if (is_new_target(direction)) {
      neighbours_->add(direction, 0);
      added_.add(direction);
    }
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    of_link_ = prediction_;
    if (options_.link_words) {
      of_link_ = observed(std::move(of_link_), model_.link_likelihood(symbol_of(visit.page, link)));
    }
    if (means_) {
      const uint64_t address = seen_fingerprint(link);
      means_->add(address, visit.id.value, of_link_);
      of_link_ = means_->mean(address);
      changed_.emplace_back(address, score_of(of_link_));
    }
    return options_.link_words || means_ ? score_of(of_link_) : score_;
  }

  // A mean may have become lower, which the frontier's rule that a link keeps its best score hides.
  void revise(FrontierView& frontier) override {
    for (const auto& [address, score] : changed_) frontier.set_score(address, score);
    changed_.clear();
  }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    const auto fact = [](std::string_view name, double value) {
      return ScorePart{name, value, ScorePart::kFact};
    };
    std::vector<ScorePart> parts = {fact("cluster", static_cast<double>(cluster_))};
    const size_t n = model_.chain().states();
    for (size_t i = 0; i < n; ++i) {
      parts.push_back(fact(kAlphaNames[i], alphas_[visit.id.value * n + i]));
    }
    for (size_t i = 0; i < n; ++i) parts.push_back(fact(kPredictionNames[i], of_link_[i]));
    return parts;
  }

  void save(ByteWriter& out) const override {
    out.number(static_cast<uint64_t>(alphas_.size()));
    for (const double x : alphas_) out.number(x);
    out.number(static_cast<uint32_t>(added_.size()));
    for (size_t i = 0; i < added_.size(); ++i) {
      for (const double x : added_[i]) out.number(x);
    }
    if (means_) means_->save(out);
  }

  Status load(ByteReader& in) override {
    const size_t dimensions = model_.space().dimensions();
    for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
      alphas_.push_back(in.number<double>());
    }
    std::vector<double> direction(dimensions);
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      for (double& x : direction) x = in.number<double>();
      if (neighbours_) neighbours_->add(direction, 0);
      added_.add(direction);
    }
    if (!in.ok() || alphas_.size() % model_.chain().states() != 0) {
      return Error{"the saved state of the strategy hmm does not belong to its model"};
    }
    return means_ ? means_->load(in) : Status{};
  }

  Spec spec() const override { return spec_; }

 private:
  static Score score_of(std::span<const double> prediction) {
    const std::array<double, 4> parts = packed_priority(prediction);
    return Score(parts[0], parts[1], parts[2], parts[3]);
  }

  // The distribution over the states of a page before it is looked at.
  std::vector<double> expected_of(const Visit& visit) const {
    const HiddenMarkov& chain = model_.chain();
    const size_t n = chain.states();
    const auto& parent = visit.candidate.trail.parent;
    if (!parent || (size_t{parent->value} + 1) * n > alphas_.size()) return chain.uniform();
    if (means_) {
      std::vector<double> mean = means_->mean(seen_fingerprint(visit.candidate.url));
      if (!mean.empty()) return mean;
    }
    return chain.predict(std::span(alphas_).subspan(parent->value * n, n));
  }

  std::vector<double> likelihood_of(std::span<const double> direction) {
    const DenseNeighbours& neighbours = neighbours_ ? *neighbours_ : model_.pages();
    cluster_ = neighbours.best(direction);
    if (!options_.vote_shares) return model_.chain().likelihood(cluster_);
    return model_.chain().likelihood(neighbours.shares(direction));
  }

  // Of the words of a link. Most links to a page have the same, so they are looked up once.
  uint32_t symbol_of(const Page& page, const Link& link) {
    const std::vector<TermCount> words =
        link_terms(page.anchor(link), link.url.href(), page.language);
    if (symbols_.size() >= kMostWordings) symbols_.clear();
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()),
                                 words.size() * sizeof(TermCount));
    const auto [it, is_new] = symbols_.try_emplace(hash64(bytes));
    if (is_new) it->second = model_.link_symbol(words);
    return it->second;
  }

  void note_alpha(VisitId visit, const std::vector<double>& alpha) {
    const size_t n = alpha.size();
    if (alphas_.size() < (size_t{visit.value} + 1) * n) {
      alphas_.resize((size_t{visit.value} + 1) * n);
    }
    std::copy(alpha.begin(), alpha.end(),
              alphas_.begin() + static_cast<ptrdiff_t>(visit.value * n));
  }

  bool is_new_target(std::span<const double> direction) const {
    return options_.new_targets > 0 && added_.size() < kMostNewTargets &&
           model_.nearest_target(direction).cosine >= options_.new_targets;
  }

  const Spec spec_;
  const std::unique_ptr<const HmmModel> own_;
  const HmmModel& model_;
  const HmmCrawlOptions options_;
  std::vector<double> alphas_;                 // of each visit, states one after the other
  std::optional<MeanPredictions> means_;       // with parents=mean
  std::optional<DenseNeighbours> neighbours_;  // with targets=…: those of the model, and more
  DenseVectors added_{model_.space().dimensions()};

  absl::flat_hash_map<uint64_t, uint32_t> symbols_;  // by the hash of a link's words

  // Of the page just learned.
  uint32_t cluster_ = 0;
  std::vector<double> prediction_;
  Score score_;
  std::vector<std::pair<uint64_t, Score>> changed_;
  // Of the link just scored.
  std::vector<double> of_link_;
};

}  // namespace

std::unique_ptr<Strategy> make_hmm_crawler(Spec spec, const HmmModel& model,
                                           const HmmCrawlOptions& options) {
  return std::make_unique<Hmm>(std::move(spec), model, nullptr, options);
}

std::unique_ptr<Strategy> make_hmm_crawler(Spec spec, std::unique_ptr<const HmmModel> model) {
  const HmmModel& kept = *model;
  return std::make_unique<Hmm>(std::move(spec), kept, std::move(model), HmmCrawlOptions{});
}

Result<std::unique_ptr<Strategy>> make_hmm(const Spec& spec, const StrategyContext& context) {
  Parameters p(spec);
  const bool printed = p.choice("as", {"improved", "printed"}) == "printed";
  const auto is_chosen = [&](const std::string& name, const std::string& ours,
                             const std::string& papers) {
    const std::vector<std::string> choices =
        printed ? std::vector{papers, ours} : std::vector{ours, papers};
    return p.choice(name, choices) == ours;
  };
  HmmCrawlOptions o;
  o.all_parents = is_chosen("parents", "mean", "winning");
  o.link_words = is_chosen("words", "on", "off");
  o.vote_shares = is_chosen("votes", "shares", "winner");
  o.new_targets = p.number("targets", o.new_targets);
  if (auto bad = p.finish()) return *bad;
  if (!(o.new_targets >= 0 && o.new_targets <= 1)) {
    return Error{"targets of hmm must be a cosine from 0 to 1"};
  }
  if (!context.hmm) {
    return Error{"hmm needs a model of browsing: give one made by dowser learn hmm with --model"};
  }
  if (o.link_words && !context.hmm->model.knows_link_words()) {
    if (spec.parameters.contains("words")) {
      return Error{
          "the model has no words of links, which hmm(words=on) needs: train it again with dowser "
          "learn hmm"};
    }
    o.link_words = false;
  }
  Spec full{"hmm", {}};
  if (printed) full.parameters["as"] = "printed";
  if (o.all_parents == printed) full.parameters["parents"] = printed ? "mean" : "winning";
  if (o.link_words == printed) full.parameters["words"] = printed ? "on" : "off";
  if (o.vote_shares == printed) full.parameters["votes"] = printed ? "shares" : "winner";
  if (o.new_targets > 0) full.parameters["targets"] = fmt::format("{}", o.new_targets);
  return make_hmm_crawler(std::move(full), context.hmm->model, o);
}

}  // namespace dowser
