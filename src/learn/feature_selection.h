#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/example.h"

namespace dowser {

// How much the presence of each feature tells of the class, in nats.
struct FeatureValue {
  uint32_t feature;
  double mutual_information;
};

// Of all features of the examples, best first; equal ones by rising feature.
std::vector<FeatureValue> features_by_mutual_information(std::span<const Example> examples);

}  // namespace dowser
