#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>

#include "../tests/frontier/slow_frontier.h"
#include "../tests/frontier/whole_frontier.h"
#include "base/random.h"
#include "frontier/stored_links.h"

// A frontier on disk, filled and then crawled: LINKS addresses of about 70 characters on 100,000
// hosts, few of which have most of them; one in three is found again later with a better score; a
// commit every 50 offers, as after a page. How much a page costs is printed for every tenfold
// number of known addresses: as the thread of a crawl sees it, the last fifth before that number.
// Then 500,000 of them are taken on pretended time, 1,000 errands at a time, with a second between
// two requests to a host and a commit a page; then the process "dies" and loads what it had. Usage:
// bench_frontier LINKS FOLDER

namespace dowser {
namespace {

constexpr uint64_t kHosts = 100'000;
constexpr size_t kOffersPerPage = 50;
constexpr size_t kErrands = 1'000;
constexpr Duration kDelay = std::chrono::seconds(1);
constexpr Duration kFetch = std::chrono::milliseconds(200);

using Seconds = std::chrono::duration<double>;

// Of the thread: what the clock on the wall would show if nobody else used the machine.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

class Stopwatch {
 public:
  double seconds() const { return Seconds(std::chrono::steady_clock::now() - start_).count(); }
  double cpu() const { return cpu_seconds() - cpu_start_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double cpu_start_ = cpu_seconds();
};

Url url_of(uint64_t i) {
  Random random(i);
  const double u = random.uniform();
  const auto host = static_cast<uint64_t>(u * u * u * kHosts);
  return *Url::parse(fmt::format("https://www.site-{:05}.example.org/{:08x}/articles/{:x}-{}.html",
                                 host, random.below(1u << 31), random.below(1u << 28), i));
}

double rss_bytes() {
  size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// What the crawl's one thread holds, and what it must not forget to do after a page.
struct Crawl {
  explicit Crawl(const std::filesystem::path& folder, const FrontierOptions& options)
      : state(*State::open(folder)), links(*state), frontier(options, links) {}

  void commit() {
    if (!state->commit().ok()) failed = true;
    links.committed(links.seal());
  }

  std::unique_ptr<State> state;
  StoredLinks links;
  WholeFrontier frontier;
  bool failed = false;
};

struct Offered {
  Url url;
  Score score;
};

// What a page cost when so many addresses were known.
class Growth {
 public:
  void add(uint64_t known, size_t offers, double cpu, double seconds) {
    if (known * 5 > mark_ * 4) {
      ++pages_;
      offers_ += offers;
      cpu_ += cpu;
      seconds_ += seconds;
    }
    if (known < mark_) return;
    fmt::print(
        "known {:<18} {:.1f} us a page of its thread; {:.0f} offers/s, {:.0f} a second of "
        "work\n",
        mark_, cpu_ / static_cast<double>(pages_) * 1e6, static_cast<double>(offers_) / seconds_,
        static_cast<double>(offers_) / cpu_);
    std::fflush(stdout);
    mark_ *= 10;
    pages_ = offers_ = 0;
    cpu_ = seconds_ = 0;
  }

 private:
  uint64_t mark_ = 10'000;
  uint64_t pages_ = 0, offers_ = 0;
  double cpu_ = 0, seconds_ = 0;
};

void fill(Crawl& crawl, uint64_t links) {
  Random random(1);
  double offering = 0, working = 0;
  uint64_t offers = 0, raised = 0;
  Growth growth;
  std::vector<Offered> page;
  for (uint64_t i = 0; i < links;) {
    page.clear();
    while (page.size() < kOffersPerPage && i < links) {
      page.push_back({url_of(i), Score(random.uniform())});
      if (random.below(3) == 0)
        page.push_back({url_of(random.below(i + 1)), Score(1 + random.uniform())});
      ++i;
    }
    const Stopwatch watch;
    for (const Offered& offer : page) {
      const Trail trail{VisitId{static_cast<uint32_t>(i / kOffersPerPage)}, 3, 17};
      raised += crawl.frontier.offer(offer.url, offer.score, trail) == Frontier::Offer::kRaised;
    }
    crawl.commit();
    growth.add(i, page.size(), watch.cpu(), watch.seconds());
    offering += watch.seconds();
    working += watch.cpu();
    offers += page.size();
  }
  const auto known = static_cast<double>(crawl.frontier.known());
  fmt::print("offers                   {} ({} raised) on {} hosts\n", offers, raised,
             crawl.frontier.hosts());
  fmt::print("offers/s                 {:.0f} ({:.1f} s); {:.0f} a second of its thread's work\n",
             static_cast<double>(offers) / offering, offering,
             static_cast<double>(offers) / working);
  fmt::print("bytes a known address    {:.1f} in the frontier, {:.1f} of the process\n",
             static_cast<double>(crawl.frontier.memory_bytes()) / known, rss_bytes() / known);
  fmt::print("resident                 {:.0f} MB\n", rss_bytes() / 1e6);
}

// False: a host was asked too early.
bool drain(Crawl& crawl, uint64_t takes) {
  struct Errand {
    Time ends;
    Url url;
  };
  std::deque<Errand> errands;  // in the order of their ends
  absl::flat_hash_map<std::string, Time> asked;
  Time now{0};
  uint32_t visits = 0;
  bool polite = true;
  double slowest = 0;
  const Stopwatch watch;
  while (visits < takes) {
    crawl.frontier.set_time(now);
    while (errands.size() < kErrands && visits + errands.size() < takes) {
      const Stopwatch one;
      const std::optional<Candidate> taken = crawl.frontier.take();
      slowest = std::max(slowest, one.seconds());
      if (!taken) break;
      crawl.frontier.reserve(taken->url);
      crawl.frontier.note_request(taken->url, now);
      const auto [last, first_time] = asked.try_emplace(std::string(taken->url.host()), now);
      polite &= first_time || now - last->second >= kDelay;
      last->second = now;
      errands.push_back({now + kFetch, taken->url});
    }
    const std::optional<Time> ready = crawl.frontier.next_ready();
    if (errands.size() < kErrands && ready && (errands.empty() || *ready < errands.front().ends)) {
      if (*ready > now || errands.empty()) {
        now = *ready;
        continue;
      }
    }
    if (errands.empty()) break;
    now = errands.front().ends;
    crawl.frontier.release(errands.front().url);
    crawl.frontier.finish(errands.front().url, VisitId{visits++});
    crawl.commit();
    errands.pop_front();
  }
  fmt::print(
      "takes/s                  {:.0f} ({} in {:.1f} s); {:.0f} a second of its thread's work\n",
      visits / watch.seconds(), visits, watch.seconds(), visits / watch.cpu());
  fmt::print("slowest take             {:.1f} ms\n", slowest * 1e3);
  return polite;
}

// The same order as the slow reference, on a small crawl.
bool is_exact(const std::filesystem::path& folder) {
  const FrontierOptions options{.delay = kDelay, .max_connections = 1, .host_gap = 3};
  Crawl crawl(folder, options);
  SlowFrontier slow(options);
  Random random(7);
  std::deque<std::string> errands;
  Time now{0};
  uint32_t visits = 0;
  for (int step = 0; step < 6'000; ++step) {
    const std::string href =
        fmt::format("http://h{}.test/{}", random.below(30), random.below(3'000));
    const double score = static_cast<double>(random.below(100));
    crawl.frontier.offer(*Url::parse(href), Score(score), {});
    slow.offer(href, score);
    now = now + Duration(static_cast<int64_t>(random.below(200'000)));
    crawl.frontier.set_time(now);
    slow.set_time(now);
    if (errands.size() > 10) {
      const Url url = *Url::parse(errands.front());
      crawl.frontier.release(url);
      slow.release(std::string(url.host()));
      crawl.frontier.finish(url, VisitId{visits});
      slow.finish(errands.front(), visits++);
      errands.pop_front();
      crawl.commit();
    }
    const auto taken = crawl.frontier.take();
    const auto expected = slow.take();
    if (taken.has_value() != expected.has_value()) return false;
    if (!taken) continue;
    if (taken->url.href() != *expected) return false;
    const std::string host(taken->url.host());
    crawl.frontier.reserve(taken->url);
    slow.reserve(host);
    crawl.frontier.note_request(taken->url, now);
    slow.note_request(host);
    errands.push_back(*expected);
  }
  return true;
}

int run(uint64_t links, const std::filesystem::path& folder) {
  const FrontierOptions options{.delay = kDelay, .max_connections = 1};
  const bool exact = is_exact(folder / "small");
  bool polite = false;
  size_t waiting = 0;
  {
    Crawl crawl(folder / "state", options);
    fill(crawl, links);
    polite = drain(crawl, std::min<uint64_t>(links / 2, 500'000));
    waiting = crawl.frontier.waiting();
    if (crawl.failed) {
      fmt::print(stderr, "the state could not be written\n");
      return 1;
    }
  }
  std::fflush(stdout);
  const Stopwatch loading;
  Crawl again(folder / "state", options);
  again.frontier.load();
  fmt::print("loaded                   {} waiting in {:.1f} s, {:.1f} s of work{}\n",
             again.frontier.waiting(), loading.seconds(), loading.cpu(),
             again.frontier.waiting() == waiting ? "" : ", NOT as many as before");
  fmt::print("the best went first      {} (small crawl, against the slow reference)\n",
             exact ? "yes" : "NO");
  fmt::print("no host too early        {}\n", polite ? "yes" : "NO");
  return exact && polite && again.frontier.waiting() == waiting ? 0 : 1;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_frontier LINKS FOLDER\n");
    return 2;
  }
  return dowser::run(std::stoull(argv[1]), argv[2]);
}
