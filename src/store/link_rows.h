#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"

// The pages and links of a catalogue, one after the other, for those who want all of them. Texts
// are good until the call returns; a call that returns false ends the reading.

namespace dowser {

struct FetchedPage {
  int64_t id;
  std::string_view url, final_url, title;
  double relevance;
  bool relevant;
};

// Pages that were fetched: those with a 2xx answer that was not a soft 404. In ascending order of
// id.
Status for_each_fetched_page(const std::filesystem::path& catalogue,
                             const std::function<bool(const FetchedPage&)>& use);

struct CatalogueLink {
  int64_t page;  // that it stands on
  std::string_view url;
  bool nofollow;
  std::string_view tag_path;
};

// In ascending order of page, in their order on the page.
Status for_each_link(const std::filesystem::path& catalogue,
                     const std::function<bool(const CatalogueLink&)>& use);

}  // namespace dowser
