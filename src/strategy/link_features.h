#pragma once

#include <array>
#include <cstdint>

#include "model/url.h"
#include "strategy/link_memory.h"
#include "strategy/link_model.h"

namespace dowser {

// Hashes of an address's host and of four views of its shape: depth and query, extension, the
// pattern of the last part, the pattern of the whole path. "/~smith/cs101/hw2.html" has depth 3,
// ".html", "a9.a" and "/~a/a9/a9.a".
std::array<uint32_t, 5> address_traits(const Url& url);

// All that the model of links sees of a link.
LinkModel::Features link_features(const LinkMemory& memory, const LinkMemory::LinkRow& link);

}  // namespace dowser
