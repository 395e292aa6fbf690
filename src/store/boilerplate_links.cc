#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <tuple>

#include "store/catalogue_reader.h"

// The rows of the view `boilerplate`, which says what they are, in a fifth of its time: SQLite
// sorts all links twice, and a crawl waits for this before its report.

namespace dowser {
namespace {

constexpr int64_t kFewestPages = 10;  // of a host that can have boilerplate

// How often pages of one host link to an address.
struct Linked {
  int64_t pages = 0, links = 0;
  int64_t last_page = -1;
};
using LinkedAddresses = absl::flat_hash_map<std::string, Linked>;

void take_boilerplate(const std::string& host, int64_t pages, const LinkedAddresses& addresses,
                      std::vector<BoilerplateLink>& links) {
  if (pages < kFewestPages) return;
  for (const auto& [address, linked] : addresses) {
    if (2 * linked.pages < pages) continue;
    const double share = static_cast<double>(linked.pages) / static_cast<double>(pages);
    links.push_back({host, address, share, linked.links});
  }
}

}  // namespace

Result<std::vector<BoilerplateLink>> CatalogueReader::boilerplate() {
  Result<Statement> pages =
      database_.prepare("SELECT host, id FROM boilerplate_pages ORDER BY host, id");
  if (!pages) return pages.error();
  Result<Statement> urls = database_.prepare("SELECT url FROM links WHERE page = ?1");
  if (!urls) return urls.error();
  std::vector<BoilerplateLink> links;
  std::string host, address;
  int64_t pages_of_host = 0;
  LinkedAddresses addresses;
  while (true) {
    const Result<bool> there = pages->step();
    if (!there) return there.error();
    if (!*there || pages->view(0) != host) {
      take_boilerplate(host, pages_of_host, addresses, links);
      addresses.clear();
      pages_of_host = 0;
    }
    if (!*there) break;
    host = pages->text(0);
    ++pages_of_host;
    const int64_t page = pages->integer(1);
    Status read = urls->bind(1, page).for_each([&](const Statement& row) {
      const std::string_view url = row.view(0);
      address = url.substr(0, url.find('#'));
      Linked& linked = addresses[address];
      ++linked.links;
      linked.pages += linked.last_page != page;
      linked.last_page = page;
    });
    if (!read) return read.error();
  }
  std::sort(links.begin(), links.end(), [](const BoilerplateLink& a, const BoilerplateLink& b) {
    return std::tie(a.host, b.share, a.url) < std::tie(b.host, a.share, b.url);
  });
  return links;
}

}  // namespace dowser
