#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/url.h"
#include "strategy/learned/link_memory.h"
#include "strategy/learned/link_model.h"

namespace dowser {

// The address up to the last slash of its path.
std::string_view directory_of(const Url& url);

// What the addresses of a directory have in common: it is found once.
struct DirectoryTraits {
  uint32_t host = 0;   // its hash
  uint32_t depth = 0;  // slashes
  std::string pattern;
};
DirectoryTraits directory_traits(const Url& url);

// Hashes of an address's host and of four views of its shape: depth and query, extension, the
// pattern of the last part, the pattern of the whole path. "/~smith/cs101/hw2.html" has depth 3,
// ".html", "a9.a" and "/~a/a9/a9.a".
std::array<uint32_t, 5> address_traits(const DirectoryTraits& directory, const Url& url);

// All that the model of links sees of a link.
LinkModel::Features link_features(const LinkMemory& memory, const LinkMemory::LinkRow& link);

}  // namespace dowser
