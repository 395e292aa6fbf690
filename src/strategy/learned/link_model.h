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

// Is a link like those that brought relevant pages? Learned link by link, while crawling; the idea
// is told in the .cc file. Its memory does not grow.
class LinkModel {
 public:
  // Something that a link has: one of 2^18 slots, and how much it counts.
  struct Feature {
    uint32_t slot;
    float value;
  };

  // All that one link has. On the stack, since they are asked for a hundred times a page.
  class Features {
   public:
    static constexpr size_t kMost = 160;
    // What each of so many counts for.
    static const std::array<double, kMost + 1> kShares;

    // They come in groups: words of the anchor, the host, … Names of different groups are different
    // features. However many names a group has, it weighs as much. Beyond kMost none is taken.
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

  // Log odds that a link with these features leads to a relevant page.
  double logit(std::span<const Feature> features) const;
  // One that had them led to a page of this relevance, 0 … 1.
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
  std::vector<float> squares_;  // of their slopes
};

}  // namespace dowser
