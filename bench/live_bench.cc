#include <fmt/format.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "archive/archive_index.h"
#include "fetch/live_web.h"

// How fast one fetch thread brings pages in, and what it costs: the addresses of an archive are
// asked of a server that serves it, many at a time, and the bodies are counted and dropped.

namespace dowser {
namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int run(const std::filesystem::path& file, const std::string& address, size_t pages,
        size_t connections) {
  const auto archives = ArchiveSet::open(std::vector<std::filesystem::path>{file});
  if (!archives) return fmt::print(stderr, "{}\n", archives.error().message), 1;
  std::vector<Url> urls;
  std::set<std::string> hosts;
  for (const auto& address_text : archives->urls()) {
    const auto url = Url::parse(address_text);
    if (!url || url->scheme() != "http") continue;
    urls.push_back(*url);
    hosts.emplace(url->host());
  }
  if (urls.empty()) return fmt::print(stderr, "the archive holds no http addresses\n"), 1;

  LiveWebOptions options;
  options.user_agent = "Dowser/bench";
  options.threads = 1;
  for (const std::string& host : hosts) options.resolve_to.emplace_back(host, address);
  std::atomic<size_t> next = 0, done = 0, failed = 0, bytes = 0;
  LiveWeb* web = nullptr;
  const auto start_one = [&] {
    const size_t i = next++;
    if (i < pages) web->start(i, urls[i % urls.size()]);
  };
  LiveWeb live(options, [&](uint64_t, Response response, ByteLease) {
    bytes += response.body.size();
    if (response.failure != Failure::kNone && response.failure != Failure::kUnwantedType) ++failed;
    start_one();
    if (++done == pages) done.notify_one();  // waking the main thread has a price, too
  });
  web = &live;
  const double cpu = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < connections; ++i) start_one();
  for (size_t now = done; now < pages; now = done) done.wait(now);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const auto count = static_cast<double>(pages);
  fmt::print("{} pages, {} hosts, {} at a time, {} failed, {:.1f} MB\n", pages, hosts.size(),
             connections, failed.load(), static_cast<double>(bytes) / 1e6);
  fmt::print("{:.0f} pages/s, {:.1f} CPU µs a page\n", count / wall.count(),
             (cpu_seconds() - cpu) / count * 1e6);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: bench_live ARCHIVE SERVER-ADDRESS PAGES CONNECTIONS\n");
    return 2;
  }
  return dowser::run(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10),
                     std::strtoul(argv[4], nullptr, 10));
}
