#include "run/count_references.h"

#include "store/link_rows.h"

namespace dowser {

Status for_each_reference(const std::filesystem::path& crawl_folder,
                          const std::function<bool(uint32_t page, std::string_view url)>& use) {
  return for_each_link(crawl_folder / "catalogue.sqlite", [&](const CatalogueLink& link) {
    return use(static_cast<uint32_t>(link.page), link.url.substr(0, link.url.find('#')));
  });
}

}  // namespace dowser
