#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/link_graph.h"

namespace dowser {

// Nodes by their distance to the nearest target: element i holds those from which a target can be
// reached by following i + 1 links, and not fewer. Of a layer with more than `most` nodes, those
// with the smallest keys are chosen; each layer is in the order of its keys. With hashes as keys
// that is a random choice that can be repeated.
std::vector<std::vector<uint32_t>> back_link_layers(
    const LinkGraph& links, std::span<const uint32_t> targets, size_t layers, size_t most,
    const std::function<uint64_t(uint32_t)>& key_of);

}  // namespace dowser
