#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "base/sparse_vector.h"
#include "base/terms.h"

namespace dowser {

// A topic as a direction in the space of terms: the sum of its examples, each as a log_vector of
// length 1, the words counting as another example. Words are analysed in every language that texts
// are analysed in, so that a German topic matches German stems. Reading is thread-safe, adding is
// not.
class TopicVector {
 public:
  void add_words(std::string_view words);
  void add_example(std::span<const TermCount> terms);

  // The cosine between the topic and a text, 0 … 1; 0 if the text has no terms.
  double similarity(std::span<const TermCount> terms, std::string_view language) const;
  double similarity(std::string_view text, std::string_view language) const;

  // The same, and what each term that the topic has adds to it, by term.
  struct Match {
    double similarity = 0;
    SparseVector shares;
  };
  Match match(std::span<const TermCount> terms, std::string_view language) const;

  // What a term adds to the cosine for each unit of its share in a text of length 1.
  double weight(TermId term, std::string_view language) const;

  // Whether it has no terms.
  bool empty() const;

 private:
  struct Words {
    std::map<TermId, double> weights;
    double norm = 0;  // of these words and the examples together
  };

  const Words& words_in(std::string_view language) const;
  double raw_weight(TermId term, const Words& words) const;
  void measure();

  SparseVector examples_;
  absl::flat_hash_map<TermId, double> example_weights_;  // the same, for look-ups
  std::map<std::string, Words, std::less<>> words_;      // by analysed language
  Words no_words_;
};

}  // namespace dowser
