// Builds the full-text index of an archive and asks it mixed queries.
//   bench_search ARCHIVE INDEX [QUERIES]
// Prints pages/s of the whole (unpack, parse, index), the sizes of text and index, and the times of
// queries drawn from the pages themselves: one word, a phrase of two words, a phrase and a phrase,
// a phrase on a domain; each as a count and as the first ten results.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "archive/archive_index.h"
#include "base/random.h"
#include "mine/index_archive.h"
#include "parse/parse_page.h"
#include "store/text_index.h"
#include "text/tokens.h"

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
    std::vector<std::string> words = tokens(page.words(block.text), {.digits = true});
    if (words.size() < 4) continue;
    const size_t at = random.below(words.size() - 3);
    return {{words.begin() + static_cast<ptrdiff_t>(at),
             words.begin() + static_cast<ptrdiff_t>(at) + 4},
            std::string(page.url.hostname())};
  }
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
  const auto built = index_archive(*archive, argv[2], options);
  if (!built) {
    fmt::print(stderr, "{}\n", built.error().message);
    return 1;
  }
  const double seconds = since(start);
  auto index = TextIndex::open(argv[2]);
  if (!index) {
    fmt::print(stderr, "{}\n", index.error().message);
    return 1;
  }
  const auto size = std::filesystem::file_size(argv[2]);
  fmt::print("{} pages in {:.1f} s: {:.0f} pages/s; text {:.1f} MB, index {:.1f} MB ({:.2f})\n",
             index->pages(), seconds, static_cast<double>(index->pages()) / seconds,
             static_cast<double>(text) / 1e6, static_cast<double>(size) / 1e6,
             static_cast<double>(size) / static_cast<double>(text));
  Random random(7);
  std::vector<double> counts, finds;
  for (size_t i = 0; i < queries; ++i) {
    const Drawn d = draw(*archive, random);
    SearchQuery query;
    switch (i % 4) {
      case 0:
        query.phrases = {d.words[0]};
        break;
      case 1:
        query.phrases = {d.words[0] + " " + d.words[1]};
        break;
      case 2:
        query.phrases = {d.words[0] + " " + d.words[1], d.words[3]};
        break;
      default:
        query.phrases = {d.words[0] + " " + d.words[1]};
        query.domain = d.host;
    }
    auto begin = Steady::now();
    const auto count = index->count(query);
    counts.push_back(since(begin) * 1000);
    begin = Steady::now();
    const auto found = index->find(query, 0, 10);
    finds.push_back(since(begin) * 1000);
    if (!count || !found || *count == 0) fmt::print("nothing for {}\n", query.phrases[0]);
  }
  for (auto* times : {&counts, &finds}) {
    std::sort(times->begin(), times->end());
    const auto at = [&](double share) {
      return (*times)[static_cast<size_t>(share * static_cast<double>(times->size() - 1))];
    };
    fmt::print("{}: median {:.2f} ms, 95 % under {:.1f} ms, slowest {:.1f} ms\n",
               times == &counts ? "count" : "first ten", at(0.5), at(0.95), at(1));
  }
  return 0;
}
