// How fast text becomes terms: MB/s of each step over the same file, and as a fraction of memchr,
// the least that any look at the bytes can cost. Usage: bench_words FILE [LANGUAGE]

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <tuple>

#include "base/file.h"
#include "text/analyzer.h"
#include "text/charset.h"
#include "text/language.h"

namespace {

using namespace dowser;

// The best of several runs, in seconds of this program: others may use the machine meanwhile.
double best_time(const std::function<void()>& work) {
  std::clock_t best = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 7; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, std::clock() - start);
  }
  return static_cast<double>(std::max<std::clock_t>(best, 1)) / CLOCKS_PER_SEC;
}

void report(std::string_view name, double megabytes, double seconds, double base) {
  fmt::print("{:<28} {:>8.1f} MB/s   {:>6.3f} of memchr\n", name, megabytes / seconds,
             base / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} FILE [LANGUAGE]\n", argv[0]);
    return 2;
  }
  const auto file = read_file(argv[1], kLargestData);
  if (!file) {
    fmt::print(stderr, "{}\n", file.error().message);
    return 1;
  }
  const std::string text = to_utf8(*file, "utf-8");
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  const std::string language = argc > 2 ? argv[2] : "en";
  size_t sum = 0;

  const double base =
      best_time([&] { sum += std::memchr(text.data(), '\xFF', text.size()) != nullptr; });
  report("memchr", megabytes, base, base);
  report("is_valid_utf8", megabytes, best_time([&] { sum += is_valid_utf8(text); }), base);
  report("to_utf8 from windows-1252", megabytes,
         best_time([&] { sum += to_utf8(text, "windows-1252").size(); }), base);

  const auto count = [&sum](std::string_view token) { sum += token.size(); };
  const TokenOptions tokens = token_options_for(language);
  report("tokens", megabytes, best_time([&] { for_each_token(text, tokens, count); }), base);
  for (const auto& [stop, stemming, name] :
       {std::tuple{true, Stemming::kNone, "tokens, stop words"},
        std::tuple{false, Stemming::kSnowball, "tokens, stems"},
        std::tuple{true, Stemming::kPorter, "tokens, stop words, porter"},
        std::tuple{true, Stemming::kSnowball, "terms (stop words, snowball)"}}) {
    AnalyzerOptions options;
    options.language = language;
    options.remove_stop_words = stop;
    options.stemming = stemming;
    Analyzer analyzer(options);
    report(name, megabytes, best_time([&] { analyzer.for_each_term(text, count); }), base);
  }

  constexpr size_t kPage = 8192;
  size_t pages = 0;
  const double language_time = best_time([&] {
    pages = 0;
    for (size_t at = 0; at + kPage <= text.size() && pages < 1000; at += kPage, ++pages) {
      sum += detect_language(std::string_view(text).substr(at, kPage)).size();
    }
  });
  if (pages > 0) {
    fmt::print("{:<28} {:>8.1f} us a page of 8 kB\n", "detect_language",
               language_time * 1e6 / pages);
  }
  return sum == 0;  // the sum keeps the work from being optimised away
}
