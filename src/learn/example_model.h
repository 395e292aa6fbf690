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

// The share of documents of a background collection that have a feature, 0 … 1.
using BackgroundShare = double (*)(uint32_t feature);

struct ExampleModelOptions {
  BackgroundShare background = nullptr;  // null: no background collection
  double sharpness = 6, middle = 0.9;    // relevance = 1 / (1 + exp(-sharpness (u - middle)))
};

// Separates a few examples from other documents; example_model.cc describes the idea. Immutable
// once trained.
class ExampleModel {
 public:
  // A linear score: a weight for each feature, and the mean scores of examples and of others.
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
    std::vector<uint32_t> features;  // sorted
    std::vector<double> rarity;      // of each feature
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

  // Vectors hold feature counts. There must be at least one example; without others the model uses
  // the cosine to the examples.
  static Result<ExampleModel> train(std::span<const SparseVector> examples,
                                    std::span<const SparseVector> others,
                                    const ExampleModelOptions& options = {});
  static Result<ExampleModel> from_parts(Parts parts, BackgroundShare background);
  static Result<ExampleModel> load(ByteReader& in, BackgroundShare background);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  // The similarity of a document, given by its counts: 0 like the others, 1 like an example; it may
  // exceed 1.
  double likeness(const SparseVector& counts) const;
  double relevance(const SparseVector& counts) const;
  double relevance(std::span<const TermCount> counts) const;  // the same, without a copy
  // What each feature adds to the similarity.
  SparseVector contributions(const SparseVector& counts) const;

  // How much a few words, such as those of a link, point towards the topic; each word once. -1 … 1.
  double direction_of(std::span<const uint32_t> features) const;

 private:
  // All values of a feature side by side, because a look-up costs mainly one cache miss.
  struct Weights {
    float rarity = 0;
    float mean = 0, logistic = 0;
    bool is_unknown() const { return rarity == 0; }
  };

  // The same for the words of links, which are a million times more. The values are as small as
  // possible, so that more of them fit into the processor's cache: in steps of 1/65,535 of the
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
