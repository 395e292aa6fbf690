// How much of the repeated text of a host its template takes away, and how much of the rest.
//   bench_templates ARCHIVE HOST...
// The template is learned from 24 pages as `dowser topics` learns it, and applied to all. Judged by
// something else than it uses: a block is repeated if its exact words stand on a fifth of the
// host's pages or more, and rare if on fewer than one in a hundred.

#include <fmt/format.h>

#include <map>
#include <set>

#include "archive/archive_index.h"
#include "base/hash.h"
#include "mine/site_templates.h"
#include "parse/parse_page.h"

using namespace dowser;

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "bench_templates ARCHIVE HOST...\n");
    return 2;
  }
  const std::filesystem::path file = argv[1];
  const auto archive = ArchiveSet::open(std::span(&file, 1));
  if (!archive) {
    fmt::print(stderr, "{}\n", archive.error().message);
    return 1;
  }
  const auto templates = SiteTemplates::learn(*archive, [](size_t, size_t) { return true; });
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  for (int i = 2; i < argc; ++i) {
    const std::string host = argv[i];
    std::vector<Page> pages;
    for (const std::string& url : archive->urls()) {
      if (url.find("//" + host + "/") == url.npos) continue;
      const auto response = archive->load(*archive->find(url));
      if (!response || response->status != 200) continue;
      pages.push_back(parse_page(*response, options));
    }
    std::map<uint64_t, size_t> times;
    for (const Page& page : pages) {
      std::set<uint64_t> own;
      for (const Block& block : page.blocks) own.insert(hash64(page.words(block.text)));
      for (const uint64_t hash : own) ++times[hash];
    }
    const auto all = static_cast<double>(pages.size());
    double repeated = 0, repeated_gone = 0, rare = 0, rare_gone = 0, text = 0, gone = 0;
    for (Page& page : pages) {
      for (Block& block : page.blocks) block.role = BlockRole::kContent;
      templates->mark(page);
      for (const Block& block : page.blocks) {
        const double bytes = static_cast<double>(block.text.size());
        const double share = static_cast<double>(times[hash64(page.words(block.text))]) / all;
        const bool marked = block.role == kTemplateRole;
        text += bytes;
        gone += marked ? bytes : 0;
        if (share >= 0.2) {
          repeated += bytes;
          repeated_gone += marked ? bytes : 0;
        } else if (share < 0.01) {
          rare += bytes;
          rare_gone += marked ? bytes : 0;
        }
      }
    }
    const auto percent = [](double part, double whole) {
      return whole > 0 ? 100 * part / whole : 0;
    };
    fmt::print(
        "{}: {} pages, {:.1f} MB of text; {:.1f} % is repeated, of which {:.1f} % goes; of rare "
        "text "
        "{:.2f} % goes; of all {:.1f} %\n",
        host, pages.size(), text / 1e6, percent(repeated, text), percent(repeated_gone, repeated),
        percent(rare_gone, rare), percent(gone, text));
  }
  return 0;
}
