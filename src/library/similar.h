#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "library/search.h"

namespace dowser {

struct SimilarItems {
  LibraryHits found;
  std::vector<std::string> words;  // that decided, the weightiest first
};

// Items with the same characteristic words as an item whose text this is; the item itself is not
// among them.
Result<SimilarItems> search_similar(LibraryReader& library, const LibraryItem& item,
                                    std::string_view text, const SearchOptions& options);

}  // namespace dowser
