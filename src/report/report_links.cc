#include "report/report_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/shorten.h"
#include "report/plot.h"

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

Result<Boilerplate> read_boilerplate(Database& db) {
  Result<Statement> rows =
      db.prepare("SELECT host, url, share, links FROM boilerplate ORDER BY host, share DESC, url");
  if (!rows) return rows.error();
  Boilerplate all;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    const std::string host = rows->text(0);
    if (all.hosts.empty() || all.hosts.back().host != host) all.hosts.push_back({host, 0, {}});
    HostLinks& links = all.hosts.back();
    if (++links.addresses <= kExamples) links.commonest.emplace_back(rows->text(1), rows->real(2));
    ++all.addresses;
    all.links += rows->integer(3);
  }
  std::stable_sort(all.hosts.begin(), all.hosts.end(), [](const HostLinks& a, const HostLinks& b) {
    return a.addresses > b.addresses;
  });
  return all;
}

// What the view has looked at.
struct LookedAt {
  int64_t pages = 0, hosts = 0, links = 0;
};

Result<LookedAt> read_looked_at(Database& db) {
  Result<Statement> row = db.prepare(
      "SELECT COUNT(*), COUNT(DISTINCT host), "
      "TOTAL((SELECT COUNT(*) FROM links WHERE page = id)) FROM boilerplate_pages");
  if (!row) return row.error();
  if (const Result<bool> found = row->step(); !found) return found.error();
  return LookedAt{row->integer(0), row->integer(1), row->integer(2)};
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

Result<std::string> links_on_most_pages(Database& catalogue) {
  const Result<Boilerplate> found = read_boilerplate(catalogue);
  if (!found) return found.error();
  const Result<LookedAt> looked_at = read_looked_at(catalogue);
  if (!looked_at) return looked_at.error();
  std::string html = fmt::format(
      "<p>Addresses that at least half of the HTML pages of a host link to: navigation bars and "
      "footers. Looked at: the first 200 pages of each of the 200 hosts with the most pages, here "
      "{} pages on {} host{} with {} links; a host counts from 10 pages on.</p>\n",
      looked_at->pages, looked_at->hosts, looked_at->hosts == 1 ? "" : "s", looked_at->links);
  if (found->hosts.empty()) return html + "<p>There are none.</p>\n";
  html += fmt::format(
      "<p>{} such address{} on {} host{}: {:.1f} % of the links on the pages looked at.{}</p>\n",
      found->addresses, found->addresses == 1 ? "" : "es", found->hosts.size(),
      found->hosts.size() == 1 ? "" : "s",
      100.0 * static_cast<double>(found->links) /
          static_cast<double>(std::max<int64_t>(1, looked_at->links)),
      found->hosts.size() > kHosts ? fmt::format(" The {} hosts with the most of them:", kHosts)
                                   : "");
  return html + table(found->hosts);
}

}  // namespace dowser
