#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/example.h"

namespace dowser {

// The mutual information between the presence of each feature and the class, in nats.
struct FeatureValue {
  uint32_t feature;
  double mutual_information;
};

// All features of the examples, the best first; equal ones by increasing index.
std::vector<FeatureValue> features_by_mutual_information(std::span<const Example> examples);

}  // namespace dowser
