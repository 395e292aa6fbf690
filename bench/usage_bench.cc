#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"

// Writes a server log in combined format to standard output, of about so many megabytes: visits of
// people who follow links, load the pictures of pages and press "back", beside robots and errors.
// The same size gives the same bytes. Usage: bench_usage MEGABYTES

namespace {

using dowser::Random;

constexpr const char* kAgents[] = {
    "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/42.0.2311.135 "
    "Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_3) AppleWebKit/600.5.17 (KHTML, like Gecko) "
    "Version/8.0.5 Safari/600.5.17",
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:38.0) Gecko/20100101 Firefox/38.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 8_3 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) "
    "Version/8.0 Mobile/12F70 Safari/600.1.4",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"};
constexpr size_t kPeople = 4;  // agents before the robots

constexpr int kPages = 20'000;
constexpr int kVisitors = 120'000;

struct Visit {
  int visitor = 0, page = -1, left = 0;
  int64_t next = 0;
  size_t agent = 0;
};

std::string page(int number) { return fmt::format("/section{}/page{}.html", number % 40, number); }

// Few pages are popular, many are not.
int any_page(Random& random) { return static_cast<int>(random.below(random.below(kPages) + 1)); }

std::string moment(int64_t seconds) {
  constexpr const char* kMonths[] = {"May", "Jun", "Jul"};
  const int64_t day = seconds / 86'400;
  return fmt::format("{:02}/{}/2015:{:02}:{:02}:{:02} +0000", 1 + day % 30, kMonths[day / 30 % 3],
                     seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
}

class Log {
 public:
  explicit Log(uint64_t bytes) : bytes_(bytes) {}

  void run() {
    for (Visit& visit : visits_) begin(visit);
    for (int64_t now = 0; written_ < bytes_; ++now) {
      // Each second some of the visits go on.
      for (size_t i = 0; i < 24; ++i) step(visits_[random_.below(visits_.size())], now);
    }
  }

 private:
  void begin(Visit& visit) {
    visit.visitor = static_cast<int>(random_.below(kVisitors));
    visit.agent = random_.below(10) == 0 ? kPeople + random_.below(2) : random_.below(kPeople);
    visit.page = -1;
    visit.left = 1 + static_cast<int>(random_.below(random_.below(20) + 1));
  }

  void step(Visit& visit, int64_t now) {
    const int last = visit.page;
    visit.page =
        last < 0 ? any_page(random_) : (last * 7 + static_cast<int>(random_.below(12))) % kPages;
    const uint64_t luck = random_.below(100);
    const int status = luck < 3 ? 404 : luck < 5 ? 304 : luck < 6 ? 301 : luck == 6 ? 500 : 200;
    const std::string referrer =
        last >= 0 ? "http://www.example.org" + page(last)
        : luck < 40
            ? fmt::format("http://www.google.com/search?q=word{}+word{}", random_.below(3000), luck)
            : "-";
    std::string target = page(visit.page);
    if (luck % 10 == 9) target += fmt::format("?id={}", random_.below(50'000));
    line(visit, now, target, status, referrer);
    if (status == 200 && visit.agent < kPeople) {
      const std::string from = "http://www.example.org" + page(visit.page);
      line(visit, now, "/style/main.css", 200, from);
      line(visit, now, fmt::format("/images/picture{}.png", visit.page), 200, from);
    }
    if (--visit.left == 0) begin(visit);
  }

  void line(const Visit& visit, int64_t now, const std::string& target, int status,
            const std::string& referrer) {
    const int v = visit.visitor;
    const std::string text =
        fmt::format("{}.{}.{}.{} - - [{}] \"GET {} HTTP/1.1\" {} {} \"{}\" \"{}\"\n", 11 + v % 200,
                    v / 200 % 250, v * 7 % 250, v * 13 % 250, moment(now), target, status,
                    status == 304 ? std::string("-") : std::to_string(200 + random_.below(40'000)),
                    referrer, kAgents[visit.agent]);
    std::fwrite(text.data(), 1, text.size(), stdout);
    written_ += text.size();
  }

  const uint64_t bytes_;
  uint64_t written_ = 0;
  Random random_{1};
  std::vector<Visit> visits_ = std::vector<Visit>(600);
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::atoi(argv[1]) <= 0) {
    fmt::print(stderr, "usage: bench_usage MEGABYTES\n");
    return 2;
  }
  Log(static_cast<uint64_t>(std::atoi(argv[1])) * 1'000'000).run();
  return 0;
}
