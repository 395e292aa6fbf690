#pragma once

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
  using Features = std::vector<Feature>;

  LinkModel();

  // What links have comes in groups: words of the anchor, the host, … Names of different groups
  // are different features. However many names a group has, it weighs as much.
  static void add(uint32_t group, std::span<const uint32_t> names, double weight, Features& out);

  // Log odds that a link with these features leads to a relevant page.
  double logit(std::span<const Feature> features) const;
  // One that had them led to a page of this relevance, 0 … 1.
  void learn(std::span<const Feature> features, double relevance);

  static size_t memory_bytes();
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  std::vector<float> weights_;  // by slot
  std::vector<float> squares_;  // of their slopes
};

}  // namespace dowser
