#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "learn/linear_svm.h"
#include "model/topic.h"
#include "model/visit.h"

// The pages of a crawl that a linear support vector machine assigns to the topic ("topic community
// list", Küçük 2009, section 4.1). Positive examples are those of the topic, or the best pages so
// far if it has none; negative examples are the worse half of all pages so far, by the judge's
// relevance. It is trained after 20 visits, and then each time their number has doubled. Küçük
// trains it on "the features of a seed set" and does not say against what.
//
// It keeps a uniform sample of all pages (reservoir sampling).

namespace dowser {

class TopicCommunity {
 public:
  TopicCommunity(const Topic& topic, uint64_t random_seed);

  // A page has been fetched. Returns true if it belongs to the community, by the machine so far.
  bool admit(const Visit& visit);
  size_t size() const { return members_; }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  struct Sample {
    double relevance = 0;
    SparseVector vector;
  };

  void remember(Sample sample);
  void train();

  const uint64_t random_seed_;
  std::vector<SparseVector> examples_;
  uint64_t visits_ = 0;
  uint64_t members_ = 0;
  std::vector<Sample> sample_;  // of all pages
  std::vector<Sample> best_;    // the best pages, best first; used if the topic has no examples
  std::optional<LinearSvm> svm_;
};

}  // namespace dowser
