#pragma once

#include <memory>
#include <vector>

#include "eval/held_web.h"
#include "strategy/strategy.h"

namespace dowser {

// The upper bound of every comparison: it knows the labels and the links, and takes the waiting
// link nearest to a target that has not been found. It is greedy, so a better order may exist.
std::unique_ptr<Strategy> make_oracle(const HeldWeb& web, std::vector<char> is_target);

}  // namespace dowser
