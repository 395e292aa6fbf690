#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/sparse_vector.h"
#include "base/terms.h"
#include "learn/feature_numbers.h"
#include "learn/feature_table.h"

namespace dowser {

// In what share of all documents a feature stands, as a background collection has it, 0 … 1.
using BackgroundShare = double (*)(uint32_t feature);

struct ExampleModelOptions {
  BackgroundShare background = nullptr;  // none: nothing is known of it
  double sharpness = 6, middle = 0.9;    // relevance = 1 / (1 + exp(-sharpness (u - middle)))
};

// Tells what a few examples have from what other documents have; the idea is told in the .cc file.
// Immutable once trained.
class ExampleModel {
 public:
  // A way to score a document: a weight for each feature, and what examples and others have.
  struct Direction {
    std::vector<double> weights;  // by feature number
    double bias = 0;
    double of_examples = 1, of_others = 0;  // mean scores; those of examples are held out

    static void each(auto& p, auto& field) {
      field(p.weights), field(p.bias), field(p.of_examples), field(p.of_others);
    }
    friend bool operator==(const Direction&, const Direction&) = default;
  };
  struct Parts {
    std::vector<uint32_t> features;  // rising
    std::vector<double> rarity;      // of each
    Direction mean, logistic;
    std::vector<double> topic;  // by feature number: the direction of the topic
    double sharpness = 6, middle = 0.9;

    static void each(auto& p, auto& field) {
      field(p.features), field(p.rarity), field(p.mean), field(p.logistic), field(p.topic),
          field(p.sharpness), field(p.middle);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "examples";

  // Counts of features. There must be at least one example; without others it goes by the cosine to
  // the examples.
  static Result<ExampleModel> train(std::span<const SparseVector> examples,
                                    std::span<const SparseVector> others,
                                    const ExampleModelOptions& options = {});
  static Result<ExampleModel> from_parts(Parts parts, BackgroundShare background);
  static Result<ExampleModel> load(ByteReader& in, BackgroundShare background);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  // Of a document given by its counts: 0 like the others, 1 like an example, or beyond.
  double likeness(const SparseVector& counts) const;
  double relevance(const SparseVector& counts) const;
  double relevance(std::span<const TermCount> counts) const;  // the same, without a copy
  // What each feature adds to the likeness.
  SparseVector contributions(const SparseVector& counts) const;

  // How much a few words point towards the topic: those of a link, each once. -1 … 1.
  double direction_of(std::span<const uint32_t> features) const;

 private:
  // All that is known of a feature, side by side: to wait for memory is what a look-up costs.
  struct Weights {
    float rarity = 0;
    float mean = 0, logistic = 0;
    bool is_unknown() const { return rarity == 0; }
  };

  // The same for the words of links, a million times more of them: in as little as will do, since
  // what does not fit into the processor's cache is waited for. In steps of 1/65,535 of the
  // greatest rarity, and of topic_step_.
  struct LinkWord {
    uint16_t rarity = 0;
    int16_t topic = 0;
    bool is_unknown() const { return rarity == 0; }
  };

  ExampleModel(Parts parts, BackgroundShare background);
  double rarity_of_unknown(uint32_t feature) const;
  Weights weights_of(uint32_t feature) const;
  static uint16_t rarity_in_steps(double rarity);
  LinkWord link_word(uint32_t feature) const;
  template <class Counts, class FeatureOf, class CountOf>
  double likeness_of(const Counts& counts, FeatureOf feature_of, CountOf count_of) const;

  Parts parts_;
  BackgroundShare background_;
  FeatureNumbers numbers_;
  FeatureTable<Weights> weights_;
  FeatureTable<LinkWord> link_words_;
  double topic_step_ = 0;
};

}  // namespace dowser
