#pragma once

#include <cstddef>

namespace dowser {

// For strategies that are a population of agents, besides Strategy.
class HasAgents {
 public:
  virtual ~HasAgents() = default;
  virtual size_t agents() const = 0;  // that live after the last visit
};

}  // namespace dowser
