#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "learn/signature/hits_array.h"

// Which signatures of a library are worth keeping, by their hits on the training documents. The
// method is described in the .cc file.

namespace dowser {

struct RefineOptions {
  double energy = 0.9;      // the share of the array's variation that the singular values keep
  double weak = 0.05;       // of the strongest signature's strength: what has less is dropped
  double redundant = 0.95;  // the cosine from which two signatures say the same
  uint32_t clusters = 0;    // of the columns; 0: as many as the data show
  uint64_t seed = 1;
};

struct RefinedSignature {
  double strength = 0;
  uint32_t cluster = 0;
  bool kept = false;
  std::string reason;  // why it was kept or dropped, for people
};

struct Refinement {
  std::vector<RefinedSignature> signatures;  // by column
  uint32_t clusters = 0;
  size_t dimensions = 0;  // of the singular value decomposition

  size_t kept() const;
};

// An error if no signature hits any document.
Result<Refinement> refine_signatures(const HitsArray& training, const RefineOptions& options = {});

}  // namespace dowser
