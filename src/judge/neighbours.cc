#include "judge/judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/nearest_neighbours.h"

// Neighbours: are the pages most similar to this one on the topic? (Yang 1994;
// learn/nearest_neighbours.h.) The k nearest pages by cosine, among the examples and the pages
// sampled during the crawl (judge/trained/sampling_trainer.cc), vote with their cosines.
//
//   relevance = g / (g + o)
//   g = sum of the cosines of neighbours that are examples / number of examples
//   o = sum of the cosines of the other neighbours / number of sampled pages
//
// The sums are divided by these numbers because there are about ten examples and up to two hundred
// other pages, so that by chance alone almost all neighbours would be others. Example: with 10
// examples and 100 others, two examples at 0.4 and eight others at 0.3 among the ten neighbours
// give g = 0.08, o = 0.024 and relevance 0.77.
//
// k = 10 did best (docs/experiments.md). Threshold: ½.

namespace dowser {
namespace {

constexpr int64_t kNeighbours = 10, kMostNeighbours = 1000;

class NeighboursClassifier final : public Classifier {
 public:
  explicit NeighboursClassifier(NearestNeighbours neighbours) : neighbours_(std::move(neighbours)) {
    for (const uint32_t label : neighbours_.parts().labels) votes_[label] += 1;
    for (double& vote : votes_) vote = vote > 0 ? 1 / vote : 0;
  }
  double probability(std::span<const TermCount> terms) const override {
    double sums[2] = {};
    for (const auto& n : neighbours_.neighbours(unit_vector(terms))) {
      const uint32_t label = neighbours_.parts().labels[n.example];
      sums[label] += n.cosine * votes_[label];
    }
    return sums[1] > 0 ? sums[1] / (sums[0] + sums[1]) : 0;
  }
  // The votes, split among the terms.
  SparseVector contributions(std::span<const TermCount> terms) const override {
    const SparseVector page = unit_vector(terms);
    std::vector<SparseVector::Entry> shares;
    for (const auto& n : neighbours_.neighbours(page)) {
      const auto& parts = neighbours_.parts();
      const double sign = parts.labels[n.example] == 1 ? votes_[1] : -votes_[0];
      for (const auto& e : parts.vectors[n.example].entries()) {
        if (const double own = page.at(e.index); own != 0) {
          shares.push_back({e.index, sign * own * e.value});
        }
      }
    }
    return SparseVector(std::move(shares));
  }
  void save(ByteWriter& out) const override { neighbours_.save(out); }

 private:
  const NearestNeighbours neighbours_;
  double votes_[2] = {};
};

Learner::Made made(Result<NearestNeighbours> neighbours) {
  if (!neighbours) return neighbours.error();
  if (neighbours->parts().classes != 2) return Error{"the saved neighbours are not of two classes"};
  return std::shared_ptr<const Classifier>(
      std::make_shared<NeighboursClassifier>(std::move(*neighbours)));
}

}  // namespace

Result<std::unique_ptr<Judge>> make_neighbours_judge(const Spec& spec,
                                                     const JudgeContext& context) {
  Parameters p(spec);
  const int64_t k = p.integer("k", kNeighbours);
  if (auto bad = p.finish()) return *bad;
  if (k < 1 || k > kMostNeighbours) return Error{"k of neighbours must be from 1 to 1000"};
  Learner learner{
      spec,
      [k](std::span<const Example> examples) {
        return made(NearestNeighbours::train(unit_vectors(examples), static_cast<uint32_t>(k)));
      },
      [](ByteReader& in) { return made(NearestNeighbours::load(in)); }};
  return make_sampling_judge(std::move(learner), context);
}

}  // namespace dowser
