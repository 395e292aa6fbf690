#include "learn/page_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace dowser {
namespace {

// Words a, b, c of the essay in page_weights.cc.
constexpr uint32_t kA = 10, kB = 20, kC = 30;

std::vector<Example> three_texts() {
  return {{SparseVector({{kA, 2}, {kB, 1}}), 1},
          {SparseVector({{kA, 1}, {kC, 1}}), 1},
          {SparseVector({{kB, 3}}), 0}};
}

TEST(PageWeights, rdf_and_rkf_of_three_texts_are_those_computed_by_hand) {
  const PageWeights weights = PageWeights::learn(three_texts(), WeightKind::kRdfRkf, 0);
  EXPECT_EQ(weights.parts().features, (std::vector<uint32_t>{kA, kB, kC}));
  EXPECT_EQ(weights.parts().rdf, (std::vector<uint32_t>{0, 2, 1, 1, 0, 1}));
  EXPECT_EQ(weights.parts().rkf, (std::vector<uint32_t>{0, 3, 3, 1, 0, 1}));
  EXPECT_DOUBLE_EQ(weights.gamma(), 5.0 / 8);
  const SparseVector page({{kA, 1}, {kB, 2}, {99, 7}});
  const double length = std::hypot(3.875, 4.5);
  EXPECT_DOUBLE_EQ(weights.vector(page).at(kA), 3.875 / length);
  EXPECT_DOUBLE_EQ(weights.vector(page).at(kB), 4.5 / length);
  EXPECT_EQ(weights.vector(page).at(99), 0);
  const PageWeights topic = PageWeights::learn(three_texts(), WeightKind::kRdfRkfTopic, 0);
  const double topic_length = std::hypot(3.875, 1.625);
  EXPECT_DOUBLE_EQ(topic.vector(page).at(kB), 1.625 / topic_length);
}

TEST(PageWeights, features_are_words_of_more_examples_than_asked_for) {
  const PageWeights weights = PageWeights::learn(three_texts(), WeightKind::kCount, 1);
  EXPECT_EQ(weights.parts().features, (std::vector<uint32_t>{kA, kB}));
}

// The formulas once more, slowly, for all words of all examples.
SparseVector slow_vector(const std::vector<Example>& examples, WeightKind kind, uint32_t rdf_above,
                         const SparseVector& page) {
  double all_rdf = 0, all_rkf = 0;
  std::map<uint32_t, double> value;
  const auto sums = [&](uint32_t word, uint32_t label, double& rdf, double& rkf) {
    rdf = rkf = 0;
    for (const Example& e : examples) {
      if (e.label != label || e.vector.at(word) == 0) continue;
      ++rdf;
      rkf += e.vector.at(word);
    }
  };
  std::map<uint32_t, std::array<double, 4>> of_word;
  for (const Example& e : examples) {
    for (const auto& entry : e.vector.entries()) {
      auto& s = of_word[entry.index];
      sums(entry.index, 1, s[0], s[1]);
      sums(entry.index, 0, s[2], s[3]);
    }
  }
  std::erase_if(of_word, [&](const auto& w) { return w.second[0] + w.second[2] <= rdf_above; });
  for (const auto& [word, s] : of_word) all_rdf += s[0] + s[2], all_rkf += s[1] + s[3];
  const double gamma = all_rdf / all_rkf;
  double square = 0;
  for (const auto& entry : page.entries()) {
    if (!of_word.contains(entry.index)) continue;
    const auto& [rdf, rkf, other_rdf, other_rkf] = of_word[entry.index];
    double v = entry.value;
    if (kind == WeightKind::kBinary) v = 1;
    if (kind == WeightKind::kTfIdf) {
      v = entry.value * std::log(examples.size() / (rdf + other_rdf)) / std::log(2.0);
    }
    if (kind == WeightKind::kRdfRkf) v = rdf + other_rdf + gamma * (rkf + other_rkf);
    if (kind == WeightKind::kRdfRkfTopic) v = rdf + gamma * rkf;
    value[entry.index] = v;
    square += v * v;
  }
  std::vector<SparseVector::Entry> entries;
  for (const auto& [word, v] : value) {
    if (v != 0) entries.push_back({word, square > 0 ? v / std::sqrt(square) : v});
  }
  return SparseVector(std::move(entries));
}

TEST(PageWeights, every_representation_equals_a_slow_reference) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<Example> examples;
    for (uint32_t i = 0; i < 30; ++i) {
      std::vector<SparseVector::Entry> entries;
      for (int w = 0; w < 12; ++w)
        entries.push_back({static_cast<uint32_t>(random() % 40), 1.0 + random() % 5});
      examples.push_back({SparseVector(std::move(entries)), static_cast<uint32_t>(i % 3 == 0)});
    }
    for (const std::string_view name : weight_kind_names()) {
      const WeightKind kind = *weight_kind_named(name);
      EXPECT_EQ(name_of(kind), name);
      const PageWeights weights = PageWeights::learn(examples, kind);
      for (const Example& e : examples) {
        const SparseVector fast = weights.vector(e.vector);
        const SparseVector slow = slow_vector(examples, kind, 3, e.vector);
        ASSERT_EQ(fast.size(), slow.size()) << name;
        for (const auto& entry : slow.entries()) {
          EXPECT_NEAR(fast.at(entry.index), entry.value, 1e-12) << name;
        }
      }
    }
  }
}

TEST(PageWeights, are_the_same_after_saving_and_damage_is_refused) {
  const PageWeights weights = PageWeights::learn(three_texts(), WeightKind::kTfIdf, 0);
  ByteWriter out;
  weights.save(out);
  ByteReader in(out.bytes());
  const Result<PageWeights> loaded = PageWeights::load(in);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->parts(), weights.parts());
  ByteReader cut(std::string_view(out.bytes()).substr(0, out.bytes().size() - 1));
  EXPECT_FALSE(PageWeights::load(cut).ok());
  PageWeights::Parts parts = weights.parts();
  parts.rdf.pop_back();
  EXPECT_FALSE(PageWeights::from_parts(parts).ok());
}

TEST(PageWeights, of_no_examples_have_no_features) {
  const PageWeights none = PageWeights::learn({}, WeightKind::kRdfRkf);
  EXPECT_TRUE(none.vector(SparseVector({{1, 2}})).empty());
}

}  // namespace
}  // namespace dowser
