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

// What all addresses of a directory have in common, so that it is computed once.
struct DirectoryTraits {
  uint32_t host = 0;   // a hash
  uint32_t depth = 0;  // number of slashes
  std::string pattern;
};
DirectoryTraits directory_traits(const Url& url);

// Hashes of the host of an address and of four views of its shape: depth and query, extension, the
// pattern of the last path segment, the pattern of the whole path. "/~smith/cs101/hw2.html" has
// depth 3, ".html", "a9.a" and "/~a/a9/a9.a".
std::array<uint32_t, 5> address_traits(const DirectoryTraits& directory, const Url& url);

// All features of a link that the link model uses.
LinkModel::Features link_features(const LinkMemory& memory, const LinkMemory::LinkRow& link);

}  // namespace dowser
