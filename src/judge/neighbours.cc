#include "judge/judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/nearest_neighbours.h"

// Neighbours: are the pages most like this one on the topic? (Yang 1994;
// learn/nearest_neighbours.h.) The k nearest by cosine among the examples and what was sampled on
// the way (judge/trained/sampling_trainer.cc) vote, each with its cosine.
//
//   relevance = g / (g + o)
//   g = sum of cos over neighbours that are examples / number of examples
//   o = sum of cos over the other neighbours / number of sampled pages
//
// Divided by the numbers, because there are some ten examples and up to two hundred others: by
// chance alone nearly all neighbours would be others. 10 examples, 100 others, and among the ten
// neighbours two examples with 0.4 and eight others with 0.3: g = 0.08, o = 0.024, relevance 0.77.
//
// k = 10: on the archived schools web best-first has a mean focus of .57 with it (cosine .56); 3
// and 30 were worse by .06 and .03. Threshold: ½.

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
  // The votes, taken apart into terms.
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
