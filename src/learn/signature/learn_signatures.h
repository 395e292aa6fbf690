#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/terms.h"
#include "learn/signature/signature.h"

// Learns signatures from the places where a group of keywords occurs in the training documents. The
// method is described in the .cc file.

namespace dowser {

struct LearnSignatureOptions {
  uint32_t clusters = 0;       // of the vectors of a group; 0: as many as the data show
  uint32_t most_clusters = 4;  // that the data may show
  uint32_t least_support = 3;  // vectors of a signature
  double quantile = 0.9;       // of the members' angles, which becomes the signature's
  double least_angle = 0.01;   // in radians
  uint64_t seed = 1;
};

struct PlacedVector {
  SignatureVector vector;
  uint32_t document;
};

// The signatures of one group, those with most support first; only centroid, angle, support,
// documents and vectors are set.
std::vector<Signature> learn_signatures(std::span<const PlacedVector> vectors,
                                        const LearnSignatureOptions& options = {});

// In radians; `unit` has length 1. A vector of zeros is at a right angle to everything.
double angle_to(const SignatureVector& unit, const SignatureVector& vector);

}  // namespace dowser
