#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <fstream>

#include "archive/archive_index.h"
#include "base/random.h"
#include "judge/signature/keyword_finder.h"
#include "judge/signature/page_words.h"
#include "learn/signature/hits_array.h"
#include "learn/signature/signature_scanner.h"
#include "parse/parse_page.h"
#include "text/terms.h"

// What scanning pages for signatures costs against making their terms, in time of the processor,
// and what a large hits array needs of memory.
//
//   bench_signatures ARCHIVE [PAGES]
//   bench_signatures hadf FILE        writes and reads 100,000 × 500

namespace {

using namespace dowser;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double most_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

// Signatures of words that stand near each other somewhere in the pages, as learned ones do.
std::vector<Signature> made_library(const std::vector<Page>& pages, size_t count, bool stemming) {
  SignatureSettings settings;
  settings.stemming = stemming;
  const PageWords reader(settings);
  Random random(7);
  std::vector<Signature> library;
  while (library.size() < count) {
    const Page& page = pages[random.below(pages.size())];
    PageWords::Spelling spelling;
    const std::vector<TermId> words = reader.words(page, spelling);
    if (words.size() < 30) continue;
    const size_t at = random.below(words.size() - 10);
    Signature s;
    s.settings = settings;
    s.words = {spelling[words[at]], spelling[words[at + 1]], spelling[words[at + 3]]};
    if (s.words[0] == s.words[1] || s.words[0] == s.words[2] || s.words[1] == s.words[2]) continue;
    s.name = fmt::format("tr_{}", library.size());
    for (double& x : s.centroid) x = 1.0 / 3;
    s.angle = 0.4;
    library.push_back(std::move(s));
  }
  return library;
}

int scan(const std::string& archive, size_t most) {
  const std::vector<std::filesystem::path> files = {archive};
  const Result<ArchiveSet> web = ArchiveSet::open(files);
  if (!web) {
    fmt::print(stderr, "bench_signatures: {}\n", web.error().message);
    return 1;
  }
  std::vector<Page> pages;
  for (const std::string& url : web->urls()) {
    if (pages.size() == most) break;
    const Result<Response> response = web->load(*web->find(url));
    if (response && response->ok()) pages.push_back(parse_page(*response));
  }
  size_t check = 0;
  double terms = 0;
  for (int round = 0; round < 3; ++round) {
    const double start = cpu_seconds();
    for (const Page& page : pages) check += placed_terms(page.text, page.language).size();
    const double spent = cpu_seconds() - start;
    terms = round == 0 ? spent : std::min(terms, spent);
  }
  const double micros = 1e6 / static_cast<double>(pages.size());
  fmt::print("{} pages; making their terms {:.1f} µs a page\n", pages.size(), terms * micros);
  for (const bool stemming : {true, false}) {
    for (const size_t count : {50, 1000}) {
      const std::vector<Signature> library = made_library(pages, count, stemming);
      const SignatureScanner scanner(library, PageWords::term_of);
      const KeywordFinder finder(library, scanner.groups());
      double best = 0, reading = 0;
      for (int round = 0; round < 3; ++round) {
        double spent = 0, read = 0;
        for (const Page& page : pages) {
          const double a = cpu_seconds();
          const auto events = finder.find(page);
          const double b = cpu_seconds();
          check += scanner.hits(events).size();
          spent += cpu_seconds() - a, read += b - a;
        }
        if (round == 0 || spent < best) best = spent, reading = read;
      }
      fmt::print(
          "{:>5} signatures, {:<10} {:>8.1f} µs a page ({:.1f} to find keywords): {:.2f} of the "
          "terms\n",
          count, stemming ? "stemmed" : "unstemmed", best * micros, reading * micros, best / terms);
    }
  }
  fmt::print("(checksum {})\n", check);
  return 0;
}

int hadf(const std::string& file) {
  constexpr uint32_t kRows = 100'000, kColumns = 500;
  {
    std::ofstream out(file, std::ios::binary);
    std::vector<std::string> names;
    for (uint32_t i = 0; i < kColumns; ++i)
      names.push_back(fmt::format("tr_some_three_words_{}", i));
    HitsWriter writer(out, names);
    Random random(3);
    for (uint32_t i = 0; i < kRows; ++i) {
      HitsRow row{
          fmt::format("http://www.example.org/pages/{}.html", i), fmt::format("Page {}", i), {}};
      for (uint32_t s = static_cast<uint32_t>(random.below(20)); s < kColumns;
           s += 1 + static_cast<uint32_t>(random.below(39))) {
        row.hits.push_back({s, 1 + static_cast<uint32_t>(random.below(9))});
      }
      writer.add(row);
    }
    writer.finish();
  }
  fmt::print("written: {:.0f} MB on the disk, {:.0f} MB of memory\n",
             static_cast<double>(std::filesystem::file_size(file)) / 1e6, most_memory());
  double start = cpu_seconds();
  uint64_t hits = 0;
  const Status read = read_hadf(file, {[](auto) -> Status { return {}; },
                                       [&](const HitsRow& row) -> Status {
                                         hits += row.hits.size();
                                         return {};
                                       }});
  fmt::print("read row by row: {} hits, {:.1f} s, {:.0f} MB of memory{}\n", hits,
             cpu_seconds() - start, most_memory(), read ? "" : read.error().message);
  start = cpu_seconds();
  const auto all = read_hits({file});
  fmt::print("read as a whole: {} rows, {:.1f} s, {:.0f} MB of memory\n",
             all ? all->rows.size() : 0, cpu_seconds() - start, most_memory());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_signatures ARCHIVE [PAGES] | hadf FILE\n");
    return 2;
  }
  if (std::string_view(argv[1]) == "hadf") return hadf(argc > 2 ? argv[2] : "bench.hadf");
  return scan(argv[1], argc > 2 ? std::stoul(argv[2]) : 1500);
}
