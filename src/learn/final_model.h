#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/sparse_vector.h"
#include "base/terms.h"
#include "learn/example_model.h"
#include "learn/feature_table.h"

namespace dowser {

// What a final model learns from. All vectors hold counts of features.
struct FinalModelData {
  std::span<const SparseVector> pages;             // that were fetched: most are something else
  std::span<const SparseVector> examples;          // of what is wanted; may be none
  std::span<const SparseVector> counter_examples;  // of what is not wanted; may be none
  std::span<const uint32_t> words;                 // of the topic, sorted; may be none
  BackgroundShare background = nullptr;            // null: no background collection
};

// Judges all fetched documents again when a crawl has ended; final_model.cc describes the idea.
// Immutable once trained.
class FinalModel {
 public:
  struct Parts {
    std::vector<uint32_t> features;      // sorted
    std::vector<float> rarity, weights;  // of each feature
    double bias = 0;
    // Log odds of relevance = slope · score + offset.
    double slope = 1, offset = 0;
    double threshold = 0.5;

    static void each(auto& p, auto& field) {
      field(p.features), field(p.rarity), field(p.weights), field(p.bias), field(p.slope),
          field(p.offset), field(p.threshold);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "final judge";
  static constexpr size_t kFewExamples = 3;  // with fewer, pages that match the words are added

  // An error if there is too little to learn from.
  static Result<FinalModel> train(const FinalModelData& data);
  static Result<FinalModel> from_parts(Parts parts, BackgroundShare background);
  static Result<FinalModel> load(ByteReader& in, BackgroundShare background);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  FinalModel with_threshold(double threshold) const;  // the same otherwise

  double relevance(std::span<const TermCount> counts) const;  // 0 … 1; 0 without any feature
  double threshold() const { return parts_.threshold; }
  // What each known feature adds to the log odds of relevance. Together with base() they are the
  // log odds.
  SparseVector contributions(std::span<const TermCount> counts) const;
  double base() const { return parts_.slope * parts_.bias + parts_.offset; }
  // How much a few words point towards the topic; each word once. -1 … 1.
  double direction_of(std::span<const uint32_t> features) const;

 private:
  struct Weights {
    float rarity = 0, weight = 0;
    bool is_unknown() const { return rarity == 0; }
  };

  FinalModel(Parts parts, BackgroundShare background);
  Weights weights_of(uint32_t feature) const;

  Parts parts_;
  BackgroundShare background_;
  FeatureTable<Weights> weights_;
  double length_ = 1;  // of all weights
};

// The threshold from which on the expected F1 is greatest, if relevances are probabilities.
double threshold_of_best_f1(std::span<const double> relevances);

}  // namespace dowser
