#pragma once

#include "strategy/strategy.h"

namespace dowser {

// The strategy by a contract that it must have.
inline SavesState& saves(Strategy& strategy) { return dynamic_cast<SavesState&>(strategy); }
inline const ExplainsScores& explains(const Strategy& strategy) {
  return dynamic_cast<const ExplainsScores&>(strategy);
}

}  // namespace dowser
