#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "learn/linear_svm.h"
#include "model/topic.h"
#include "model/visit.h"

// The pages of a crawl that a linear SVM takes for pages of the topic (K 4.1, "topic community
// list"). It is trained on the examples of the topic, or where it has none on the best pages so
// far, against the worse half of all pages so far, by the judge's relevance; first after 20 visits,
// then whenever their number has doubled. K trains it on "the features of a seed set" and does not
// say against what.
//
// Of the pages it keeps a sample, as good as any of all: a page takes the place of another with the
// probability that leaves each as likely to be in it.

namespace dowser {

class TopicCommunity {
 public:
  TopicCommunity(const Topic& topic, uint64_t random_seed);

  // A page has come back. True: it belongs to the community, by what was known before it.
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
  std::vector<Sample> best_;    // the best pages, best first; where there are no examples
  std::optional<LinearSvm> svm_;
};

}  // namespace dowser
