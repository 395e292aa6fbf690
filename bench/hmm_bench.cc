#include <fmt/format.h>

#include <ctime>

#include "archive/archive_index.h"
#include "base/file.h"
#include "learn/hmm_file.h"
#include "parse/parse_page.h"

// What the hidden Markov crawler adds to a page: folding it into the reduced space, the vote of its
// neighbours and a step of the chain, against parsing it. In time of the processor.
//
//   bench_hmm MODEL ARCHIVE [PAGES]

namespace {

using namespace dowser;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int run(const std::string& model_file, const std::string& archive, size_t most) {
  const Result<std::string> text = read_file(model_file);
  const Result<HmmFile> file = text ? read_hmm_file(*text) : Result<HmmFile>(text.error());
  const std::vector<std::filesystem::path> files = {archive};
  const Result<ArchiveSet> web = ArchiveSet::open(files);
  if (!file || !web) {
    fmt::print(stderr, "bench_hmm: {}\n", (file ? web.error() : file.error()).message);
    return 1;
  }
  const HmmModel& model = file->model;
  double parsing = 0, folding = 0, voting = 0, stepping = 0, check = 0;
  size_t pages = 0;
  std::vector<double> alpha = model.chain().start(0);
  for (const std::string& url : web->urls()) {
    if (pages == most) break;
    const Result<Response> response = web->load(*web->find(url));
    if (!response || !response->ok()) continue;
    ++pages;
    const double start = cpu_seconds();
    const Page page = parse_page(*response);
    const double parsed = cpu_seconds();
    const std::vector<double> direction = model.space().direction(page.terms);
    const double folded = cpu_seconds();
    const uint32_t cluster = model.cluster(direction);
    const double voted = cpu_seconds();
    alpha = model.chain().forward(alpha, cluster);
    check += packed_priority(model.chain().predict(alpha))[0];
    const double stepped = cpu_seconds();
    parsing += parsed - start;
    folding += folded - parsed;
    voting += voted - folded;
    stepping += stepped - voted;
  }
  const double micros = 1e6 / static_cast<double>(pages);
  const double added = folding + voting + stepping;
  fmt::print(
      "{} pages, {} training pages, {} dimensions (checksum {:.3g})\n"
      "parsing {:.1f} µs a page; folding {:.1f}, neighbours {:.1f}, chain {:.2f}: {:.2f} of "
      "parsing\n",
      pages, model.pages().parts().labels.size(), model.space().dimensions(), check,
      parsing * micros, folding * micros, voting * micros, stepping * micros, added / parsing);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_hmm MODEL ARCHIVE [PAGES]\n");
    return 2;
  }
  return run(argv[1], argv[2], argc > 3 ? std::stoul(argv[3]) : 2000);
}
