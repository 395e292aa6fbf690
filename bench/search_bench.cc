// Builds the full-text index of an archive and asks it mixed queries.
//   bench_search ARCHIVE INDEX [QUERIES]
// Prints pages/s of the whole (unpack, parse, index), by the clock and by processor time, the sizes
// of text and index, and the times of queries drawn from the pages themselves: one word, several
// words, a phrase, a Boolean expression, a prefix, a word of the title, a word on a host, and a
// word ordered by relevance. Each is searched, and its first ten results are read from the library
// and shown with snippets from the archive, as `dowser search` does; the times of both are also
// printed apart.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "archive/archive_index.h"
#include "base/random.h"
#include "library/search.h"
#include "library/snippet.h"
#include "library/word_forms.h"
#include "mine/index_archive.h"
#include "parse/parse_page.h"
#include "text/search_words.h"

using namespace dowser;

namespace {

using Steady = std::chrono::steady_clock;

double since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

// Words that stand beside one another in a block of a random page.
struct Drawn {
  std::vector<std::string> words;
  std::string host;
};

Drawn draw(const ArchiveSet& archive, Random& random) {
  while (true) {
    const std::string& url = archive.urls()[random.below(archive.urls().size())];
    const Result<Response> response = archive.load(*archive.find(url));
    if (!response || response->status != 200) continue;
    ParseOptions options;
    options.detect_language = options.count_terms = false;
    const Page page = parse_page(*response, options);
    if (page.blocks.empty()) continue;
    const Block& block = page.blocks[random.below(page.blocks.size())];
    if (block.role != BlockRole::kContent) continue;
    std::vector<std::string> words = search_words(page.words(block.text));
    if (words.size() < 4) continue;
    const size_t at = random.below(words.size() - 3);
    return {{words.begin() + static_cast<ptrdiff_t>(at),
             words.begin() + static_cast<ptrdiff_t>(at) + 4},
            std::string(page.url.hostname())};
  }
}

constexpr std::string_view kKinds[] = {"one word", "words", "phrase",    "boolean",
                                       "prefix",   "title", "on a host", "by relevance"};

struct Asked {
  std::string text;
  SearchOptions options;
};

Asked ask(size_t kind, const Drawn& d) {
  const auto& w = d.words;
  Asked asked;
  switch (kind) {
    case 0:
    case 7:
      asked.text = w[0];
      if (kind == 7) asked.options.order = SearchOrder::kRelevance;
      break;
    case 1:
      asked.text = w[0] + " " + w[2] + " " + w[3];
      break;
    case 2:
      asked.text = "\"" + w[0] + " " + w[1] + "\"";
      break;
    case 3:
      asked.text =
          "\"" + w[0] + " " + w[1] + "\" AND (" + w[2] + " OR " + w[3] + ") NOT \"of the\"";
      break;
    case 4:
      asked.text = w[0].substr(0, std::max<size_t>(3, w[0].size() / 2)) + "* AND \"" + w[1] + "\"";
      break;
    case 5:
      asked.text = "title:\"" + w[0] + "\" OR \"" + w[1] + " " + w[2] + "\"";
      break;
    default:
      asked.text = w[0];
      asked.options.filter.hosts = {d.host};
  }
  return asked;
}

// Milliseconds of one query: of the search, and of reading its results and making the snippets.
struct Times {
  double search = 0, results = 0;
  double all() const { return search + results; }
};

Times time_of(LibraryReader& library, const ArchiveSet& archive, const Asked& asked,
              uint64_t& hits) {
  const auto begin = Steady::now();
  ParsedQuery parsed = parse_query(asked.text);
  if (!parsed.query) {
    fmt::print("not understood: {}\n", asked.text);
    return {};
  }
  if (!find_forms(library, *parsed.query)) return {};
  const Result<LibraryHits> found = search(library, nullptr, *parsed.query, asked.options);
  if (!found) {
    fmt::print("{}: {}\n", asked.text, found.error().message);
    return {};
  }
  Times times;
  times.search = since(begin) * 1000;
  hits = found->total;
  std::vector<const Query*> phrases;
  collect_wanted(*parsed.query, phrases);
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  std::vector<std::string> urls;
  for (const LibraryHit& hit : found->hits) {
    const auto item = library.item(hit.id);
    if (item && *item) urls.push_back((*item)->url);
  }
  const auto text = [&](size_t i) -> Result<std::string> {
    const auto record = archive.find(urls[i]);
    if (!record) return Error{"it is not in the archive"};
    const Result<Response> response = archive.load(*record);
    if (!response) return response.error();
    return shown_text(parse_page(*response, options));
  };
  (void)snippets(urls.size(), text, phrases);
  times.results = since(begin) * 1000 - times.search;
  return times;
}

double at(std::vector<double> values, double share) {
  const auto place = static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

void print_times(std::string_view name, const std::vector<Times>& times) {
  if (times.empty()) return;
  std::vector<double> search, results, all;
  for (const Times& t : times) {
    search.push_back(t.search);
    results.push_back(t.results);
    all.push_back(t.all());
  }
  const auto under = std::count_if(all.begin(), all.end(), [](double t) { return t < 50; });
  fmt::print(
      "{:<13} median {:6.2f} ms (search {:6.2f}, results {:6.2f}), 95 % under {:6.1f} ms ({:6.1f}, "
      "{:6.1f}), slowest {:6.1f} ms; {:.1f} % under 50 ms\n",
      name, at(all, 0.5), at(search, 0.5), at(results, 0.5), at(all, 0.95), at(search, 0.95),
      at(results, 0.95), at(all, 1),
      100 * static_cast<double>(under) / static_cast<double>(times.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "bench_search ARCHIVE INDEX [QUERIES]\n");
    return 2;
  }
  const std::filesystem::path file = argv[1];
  const size_t queries = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1000;
  const auto archive = ArchiveSet::open(std::span(&file, 1));
  if (!archive) {
    fmt::print(stderr, "{}\n", archive.error().message);
    return 1;
  }
  std::atomic<uint64_t> text = 0;
  IndexArchiveOptions options;
  options.mark = [&](Page& page) { text += page.text.size(); };
  const auto start = Steady::now();
  const std::clock_t cpu_start = std::clock();
  const auto built = index_archive(*archive, argv[2], options);
  if (!built) {
    fmt::print(stderr, "{}\n", built.error().message);
    return 1;
  }
  const double seconds = since(start);
  const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  const auto opening = Steady::now();
  auto library = LibraryReader::open(argv[2]);
  if (!library) {
    fmt::print(stderr, "{}\n", library.error().message);
    return 1;
  }
  const double opened = since(opening) * 1000;
  const auto size = std::filesystem::file_size(argv[2]);
  const auto pages = static_cast<double>(library->items());
  fmt::print(
      "{} pages in {:.1f} s: {:.0f} pages/s; {:.1f} s of processor time, so {:.0f} pages/s "
      "for each core\n",
      library->items(), seconds, pages / seconds, cpu, pages / cpu);
  fmt::print("text {:.1f} MB, library {:.1f} MB ({:.2f}); opened in {:.1f} ms\n",
             static_cast<double>(text) / 1e6, static_cast<double>(size) / 1e6,
             static_cast<double>(size) / static_cast<double>(text), opened);
  Random random(7);
  constexpr size_t kKindCount = std::size(kKinds);
  std::vector<Times> all, by_kind[kKindCount];
  uint64_t nothing = 0;
  for (size_t i = 0; i < queries; ++i) {
    const Asked asked = ask(i % kKindCount, draw(*archive, random));
    uint64_t hits = 0;
    const Times time = time_of(*library, *archive, asked, hits);
    all.push_back(time);
    by_kind[i % kKindCount].push_back(time);
    nothing += hits == 0;
  }
  for (size_t kind = 0; kind < kKindCount; ++kind) print_times(kKinds[kind], by_kind[kind]);
  print_times("all", all);
  fmt::print("{} of {} queries found nothing\n", nothing, queries);
  return 0;
}
