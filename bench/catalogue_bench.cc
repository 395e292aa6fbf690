#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "store/catalogue_reader.h"
#include "store/link_rows.h"

// Bytes a page of a catalogue, and the CPU time of reading it: a pass over all links, and the links
// on most pages of a host, as the report counts them and as the view in the file does. The least of
// three. Usage: bench_catalogue CRAWL

namespace dowser {
namespace {

constexpr char kView[] = "SELECT host, url, share, links FROM boilerplate";

template <class Work>
double least_cpu(const Work& work) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

// False: the two ways of counting differ.
Result<bool> measure(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "catalogue.sqlite";
  Result<CatalogueReader> reader = CatalogueReader::open(folder);
  if (!reader) return reader.error();
  const Result<CatalogueCounts> counts = reader->counts();
  if (!counts) return counts.error();
  size_t links = 0, rows = 0, rows_of_view = 0;
  Status read;
  const double reading = least_cpu([&] {
    links = 0;
    read = for_each_link(file, [&](const CatalogueLink&) { return ++links > 0; });
  });
  if (!read) return read.error();
  const double counting = least_cpu([&] {
    const auto boilerplate = reader->boilerplate();
    rows = boilerplate ? boilerplate->size() : 0;
  });
  const double by_view = least_cpu([&] {
    Result<Database> database = Database::open(file);
    if (!database) return;
    Result<Statement> view = database->prepare(kView);
    rows_of_view = 0;
    if (view) (void)view->for_each([&](const Statement&) { ++rows_of_view; });
  });
  const auto pages = static_cast<double>(counts->fetched);
  fmt::print("bytes a page             {:.0f}\n",
             static_cast<double>(std::filesystem::file_size(file)) / pages);
  fmt::print("links a second of CPU    {:.0f} ({} links)\n", static_cast<double>(links) / reading,
             links);
  fmt::print("boilerplate              {:.1f} ms; by the view {:.1f} ms\n", counting * 1e3,
             by_view * 1e3);
  return rows == rows_of_view;
}

}  // namespace
}  // namespace dowser

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: bench_catalogue CRAWL\n");
    return 2;
  }
  const auto same = dowser::measure(words[1]);
  if (!same) fmt::print(stderr, "bench_catalogue: {}\n", same.error().message);
  return same && *same ? 0 : 1;
}
