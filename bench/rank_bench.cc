// Makes the folder of a crawl whose catalogue has so many pages and links:
// bench_rank DIR PAGES LINKS. Hosts and the popularity of pages have long tails, as on the web;
// seven of ten links stay on their host. There is no archive: dowser rank reads the catalogue
// alone.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "base/random.h"
#include "store/catalogue.h"
#include "store/catalogue_schema.h"

using namespace dowser;

namespace {

// A number below n, small ones more often: the density falls with 1/x.
uint64_t tail(Random& random, uint64_t n) {
  return static_cast<uint64_t>(std::exp(random.uniform() * std::log(static_cast<double>(n)))) - 1;
}

std::string address(uint64_t page, uint64_t hosts) {
  return fmt::format("http://www.host{}.org/section/page{}.html", page % hosts, page);
}

Status fill(Database& database, uint64_t pages, uint64_t links) {
  Random random(1);
  const uint64_t hosts = std::max<uint64_t>(pages / 500, 1);
  if (Status s = database.execute("PRAGMA synchronous = OFF; BEGIN"); !s) return s;
  Result<Statement> page = database.prepare(
      "INSERT INTO pages (id, url, final_url, host, status, bytes, truncated, fetched_at, depth, "
      "relevance, relevant, title, soft_404) VALUES (?1, ?2, ?2, ?3, 200, 1000, 0, "
      "'2026-01-01T00:00:00Z', 1, ?4, ?5, ?6, 0)");
  Result<Statement> list = database.prepare(insert_link_list_sql());
  if (!page) return page.error();
  if (!list) return list.error();
  for (uint64_t i = 0; i < pages; ++i) {
    const double relevance = random.uniform();
    page->bind(1, static_cast<int64_t>(i)).bind(2, address(i, hosts));
    page->bind(3, fmt::format("www.host{}.org", i % hosts)).bind(4, relevance);
    page->bind(5, int64_t{relevance > 0.9}).bind(6, fmt::format("The title of page {}", i));
    if (Status s = page->run(); !s) return s;
  }
  LinkListWriter links_here;
  for (uint64_t i = 0, made = 0; i < pages; ++i) {
    const std::string base = address(i, hosts);
    links_here.begin(base);
    const uint64_t here = (i + 1) * links / pages - made;
    for (uint64_t n = 0; n < here; ++n) {
      const bool within = random.uniform() < 0.7;
      const uint64_t to =
          within ? std::min(tail(random, pages / hosts + 1) * hosts + i % hosts, pages - 1)
                 : tail(random, pages);
      const std::string url = address(to, hosts);
      links_here.add(
          {.url = url, .anchor = "the words of this link", .tag_path = "body>div.main>p>a"});
    }
    made += here;
    list->bind(1, static_cast<int64_t>(i)).bind(2, base);
    list->bind(3, links_here.paths()).bind(4, links_here.links());
    if (Status s = list->run(); !s) return s;
  }
  return database.execute("COMMIT");
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    fmt::print(stderr, "bench_rank DIR PAGES LINKS\n");
    return 2;
  }
  const std::filesystem::path folder = words[1];
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = folder / "catalogue.sqlite";
  Status made = Catalogue::create(path).ok() ? Status{} : Error{"cannot make the catalogue"};
  if (made.ok()) {
    Result<Database> database = Database::open_for_writing(path);
    made = database ? fill(*database, std::stoull(words[2]), std::stoull(words[3]))
                    : Status{database.error()};
  }
  if (made.ok()) return 0;
  fmt::print(stderr, "bench_rank: {}\n", made.error().message);
  return 1;
}
