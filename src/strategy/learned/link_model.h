#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace dowser {

// Predicts whether a link leads to a relevant page. It learns during the crawl, one link at a time;
// link_model.cc describes how. Its memory use is constant.
class LinkModel {
 public:
  // A feature of a link: one of 2^18 slots, and its value.
  struct Feature {
    uint32_t slot;
    float value;
  };

  // All features of one link. Kept on the stack, because they are computed a hundred times per
  // page.
  class Features {
   public:
    static constexpr size_t kMost = 160;
    // kShares[n] = 1 / sqrt(n), the value of each of n features.
    static const std::array<double, kMost + 1> kShares;

    // Features come in groups, such as the words of the anchor or the host. Equal names in
    // different groups are different features. A group has the same length whatever the number of
    // its names. Features beyond kMost are ignored.
    void add(uint32_t group, std::span<const uint32_t> names, double weight) {
      const size_t count = std::min(names.size(), kMost - size_);
      const auto value = static_cast<float>(weight * kShares[count]);
      for (size_t i = 0; i < count; ++i) features_[size_++] = {slot_of(group, names[i]), value};
    }
    void add(uint32_t group, uint32_t name, double weight) { add(group, {&name, 1}, weight); }

    operator std::span<const Feature>() const { return {features_.data(), size_}; }

   private:
    std::array<Feature, kMost> features_;
    size_t size_ = 0;
  };

  LinkModel();

  // The log odds that a link with these features leads to a relevant page.
  double logit(std::span<const Feature> features) const;
  // A link with these features led to a page of this relevance, 0 … 1.
  void learn(std::span<const Feature> features, double relevance);

  static size_t memory_bytes();
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  static constexpr int kSlotBits = 18;

  static uint32_t slot_of(uint32_t group, uint32_t name) {
    const uint64_t mixed = (uint64_t{group} << 32 | name) * 0x9E3779B97F4A7C15u;
    return static_cast<uint32_t>(mixed >> (64 - kSlotBits));
  }

  std::vector<float> weights_;  // by slot
  std::vector<float> squares_;  // sums of squared gradients, by slot
};

}  // namespace dowser
