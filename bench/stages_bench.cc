// What each stage of a crawl costs for a page, alone and over the same pages of an archive: the
// first ones of at least 2 kB of HTML. Times are of this thread: others may use the machine
// meanwhile. Each stage is a function `stage_…` that is called once a page, so that a profiler can
// count its instructions (bench/stages --instructions).
//
//   bench_stages WEB.warc.gz [PAGES [ROUNDS]]

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>

#include "../tests/frontier/whole_frontier.h"
#include "base/hash.h"
#include "base/state.h"
#include "engine/make_page.h"
#include "engine/plugins.h"
#include "fetch/archive_web.h"
#include "frontier/stored_links.h"
#include "guard/near_duplicates.h"
#include "model/url_canonical.h"
#include "parse/weighed_terms.h"
#include "store/store.h"
#include "text/language.h"
#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kLeastBytes = 2048;
constexpr size_t kGroup = 64;  // visits that the Keeper writes together
size_t proof = 0;              // keeps the work from being optimised away

// What is kept after a page, in a folder of its own.
struct Kept {
  explicit Kept(const std::filesystem::path& folder)
      : store(std::move(*Store::create({.folder = folder}))),
        state(std::move(*State::open(folder / "state"))),
        links(*state),
        frontier({}, links) {}

  std::unique_ptr<Store> store;
  std::unique_ptr<State> state;
  StoredLinks links;
  WholeFrontier frontier;
};

ParseOptions only_html() {
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  return options;
}

}  // namespace

// With C names, which a profile shows as they are.
#define STAGE extern "C" __attribute__((noinline)) void

STAGE stage_unpack(ArchiveWeb& web, const Visit& visit) {
  proof += web.get(visit.response.url).body.size();
}

STAGE stage_html(const Visit& visit) {
  static const ParseOptions options = only_html();
  proof += make_page(visit.response, options, false).links.size();
}

STAGE stage_language(const Visit& visit) {
  proof += detect_language(visit.page.text, visit.page.declared_language).size();
}

STAGE stage_terms(Visit& visit) {
  std::vector<uint32_t> cuts;
  for (const Link& l : visit.page.links) cuts.insert(cuts.end(), {l.anchor.begin, l.anchor.end});
  std::sort(cuts.begin(), cuts.end());
  visit.page.placed_terms = placed_terms(visit.page.text, visit.page.language, cuts);
  visit.page.terms = weighed_terms(visit.page, {});
}

STAGE stage_sketch(const Visit& visit) { proof += sketch_of(visit.page.text).digest & 1; }

STAGE stage_judge(const Judge& judge, const Visit& visit) {
  proof += judge.judge(visit.page).relevant;
}

STAGE stage_digest(const Visit& visit) { proof += sha1_digest(visit.response.body).size(); }

STAGE stage_archive(const Visit& visit) {
  proof += archive_form(visit.response, "bench").response.bytes.size();
}

STAGE stage_offer(Kept& kept, const Visit& visit) {
  for (const Link& link : visit.page.links) {
    kept.frontier.offer(canonical(link.url), Score(0.5), {visit.id, 1, link.position});
  }
  kept.frontier.finish(visit.candidate.url, visit.id);
}

STAGE stage_state(Kept& kept) {
  proof += kept.state->commit().ok();
  kept.links.committed(kept.links.seal());
}

STAGE stage_store(Kept& kept, std::span<const KeptVisit> group) {
  proof += kept.store->keep(group)->size();
}

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// The best of several rounds over all pages.
class Table {
 public:
  Table(std::vector<Visit>& visits, int rounds) : visits_(visits), rounds_(rounds) {}

  void time(std::string_view stage, const std::function<void(Visit&)>& work, bool repeats = true) {
    double best = 1e9;
    for (int round = 0; round < (repeats ? rounds_ : 1); ++round) {
      const double start = cpu_seconds();
      for (Visit& visit : visits_) work(visit);
      best = std::min(best, cpu_seconds() - start);
    }
    fmt::print("{:<16} {:>9.1f} us\n", stage, best * 1e6 / static_cast<double>(visits_.size()));
  }

 private:
  std::vector<Visit>& visits_;
  const int rounds_;
};

std::vector<Visit> visits_of(const std::filesystem::path& archive, ArchiveWeb& web, size_t most) {
  std::vector<Visit> visits;
  const Result<ArchiveSet> set = ArchiveSet::open(std::span(&archive, 1));
  for (const std::string& address : set->urls()) {
    if (visits.size() == most) break;
    const Result<Url> url = Url::parse(address);
    if (!url) continue;
    Response response = web.get(*url);
    if (!response.ok() || response.body.size() < kLeastBytes) continue;
    Visit visit;
    visit.id = VisitId{static_cast<uint32_t>(visits.size())};
    visit.candidate.url = *url;
    visit.response = std::move(response);
    visit.response.url = *url;
    visit.page = make_page(visit.response, {}, false);
    if (!visit.page.text.empty()) visits.push_back(std::move(visit));
  }
  return visits;
}

int run(const std::filesystem::path& archive, size_t pages, int rounds) {
  auto web = ArchiveWeb::open(std::span(&archive, 1));
  if (!web) {
    fmt::print(stderr, "{}\n", web.error().message);
    return 1;
  }
  std::vector<Visit> visits = visits_of(archive, **web, pages);
  size_t bytes = 0, links = 0, packed = 0;
  for (const Visit& v : visits) {
    bytes += v.response.body.size();
    links += v.page.links.size();
    packed += archive_form(v.response, "bench").response.bytes.size();
  }
  const size_t n = std::max<size_t>(1, visits.size());
  fmt::print("{}: {} pages; a page has {} bytes, {} in the archive, and {} links\n",
             archive.filename().string(), visits.size(), bytes / n, packed / n, links / n);

  Topic topic;
  topic.words = "bird species course student research";
  const auto judge = make_judge("cosine", {topic, {}, {}});
  const std::filesystem::path folder =
      std::filesystem::path("/dev/shm") / fmt::format("dowser-stages-{}", getpid());
  {
    Kept kept(folder);
    Table table(visits, rounds);
    table.time("unpack", [&](Visit& v) { stage_unpack(**web, v); });
    table.time("html", [](Visit& v) { stage_html(v); });
    table.time("language", [](Visit& v) { stage_language(v); });
    table.time("terms", [](Visit& v) { stage_terms(v); });
    table.time("sketch", [](Visit& v) { stage_sketch(v); });
    table.time("judge", [&](Visit& v) { stage_judge(**judge, v); });
    table.time("digest", [](Visit& v) { stage_digest(v); });
    table.time("archive", [](Visit& v) { stage_archive(v); });
    const auto offer_links = [&](Visit& v) {
      stage_offer(kept, v);
      stage_state(kept);
    };
    table.time("offer, state", offer_links, false);
    std::vector<KeptVisit> to_keep;
    for (const Visit& v : visits) {
      std::vector<FoundLink> found;
      for (const Link& link : v.page.links) found.push_back({.link = &link, .score = Score(0.5)});
      to_keep.push_back({v, std::move(found), {archive_form(v.response, "bench")}, {}});
    }
    size_t next = 0;
    const auto keep_group = [&](Visit&) {
      const size_t begin = next++ / kGroup * kGroup;
      if (next != visits.size() && next % kGroup != 0) return;
      stage_store(kept, std::span(to_keep).subspan(begin, next - begin));
    };
    table.time("store", keep_group, false);
  }
  const auto catalogue = std::filesystem::file_size(folder / "catalogue.sqlite");
  fmt::print("catalogue        {:>9.1f} kB a page\n",
             static_cast<double>(catalogue) / 1000 / static_cast<double>(n));
  std::filesystem::remove_all(folder);
  return proof == 0;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_stages WEB.warc.gz [PAGES [ROUNDS]]\n");
    return 2;
  }
  return dowser::run(argv[1], argc > 2 ? std::stoul(argv[2]) : 200,
                     argc > 3 ? std::stoi(argv[3]) : 5);
}
