#include "report/report_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/shorten.h"
#include "report/html.h"

namespace dowser {
namespace {

constexpr size_t kHosts = 25;
constexpr size_t kExamples = 4;    // of a host
constexpr size_t kMaxShown = 200;  // bytes of an address

struct HostLinks {
  std::string host;
  size_t addresses = 0;
  std::vector<std::pair<std::string, double>> commonest;  // address and share of pages
};

struct Boilerplate {
  std::vector<HostLinks> hosts;  // those with most such addresses first
  size_t addresses = 0;
  int64_t links = 0;  // to them; a page may have several
};

Boilerplate by_host(const std::vector<BoilerplateLink>& links) {
  Boilerplate all;
  for (const BoilerplateLink& link : links) {
    if (all.hosts.empty() || all.hosts.back().host != link.host) {
      all.hosts.push_back({link.host, 0, {}});
    }
    HostLinks& host = all.hosts.back();
    if (++host.addresses <= kExamples) host.commonest.emplace_back(link.url, link.share);
    ++all.addresses;
    all.links += link.links;
  }
  std::stable_sort(all.hosts.begin(), all.hosts.end(), [](const HostLinks& a, const HostLinks& b) {
    return a.addresses > b.addresses;
  });
  return all;
}

std::string table(const std::vector<HostLinks>& hosts) {
  std::string html =
      "<table><tr><th>host</th><th class=\"number\">addresses</th><th>the commonest, and the share "
      "of the host's pages that link to them</th></tr>\n";
  for (size_t i = 0; i < std::min(hosts.size(), kHosts); ++i) {
    html += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td><td>",
                        html_escaped(shortened(hosts[i].host, kMaxShown)), hosts[i].addresses);
    for (const auto& [url, share] : hosts[i].commonest) {
      html += fmt::format("<div class=\"url\">{:.0f} % {}</div>", 100 * share,
                          html_escaped(shortened(url, kMaxShown)));
    }
    html += "</td></tr>\n";
  }
  return html + "</table>\n";
}

}  // namespace

Result<std::string> links_on_most_pages(CatalogueReader& catalogue) {
  const auto links = catalogue.boilerplate();
  if (!links) return links.error();
  const auto looked_at = catalogue.boilerplate_sample();
  if (!looked_at) return looked_at.error();
  const Boilerplate found = by_host(*links);
  std::string html = fmt::format(
      "<p>Addresses to which at least half of the HTML pages of a host link: navigation bars and "
      "footers. Only the first 200 pages of each of the 200 hosts with the most pages are "
      "examined, here {} pages on {} host{} with {} links; hosts with fewer than 10 pages do not "
      "count.</p>\n",
      looked_at->pages, looked_at->hosts, looked_at->hosts == 1 ? "" : "s", looked_at->links);
  if (found.hosts.empty()) return html + "<p>There are none.</p>\n";
  html += fmt::format(
      "<p>{} such address{} on {} host{}: {:.1f} % of the links on the pages examined.{}</p>\n",
      found.addresses, found.addresses == 1 ? "" : "es", found.hosts.size(),
      found.hosts.size() == 1 ? "" : "s",
      100.0 * static_cast<double>(found.links) /
          static_cast<double>(std::max<int64_t>(1, looked_at->links)),
      found.hosts.size() > kHosts ? fmt::format(" The {} hosts with the most of them:", kHosts)
                                  : "");
  return html + table(found.hosts);
}

}  // namespace dowser
