#include <fmt/format.h>

#include <chrono>
#include <map>

#include "../tests/fetch/robots_cases.h"
#include "fetch/robots.h"
#include "fetch/robots_target.h"

// Verdicts a second with the rules of every (file, agent) kept, as a crawl keeps them for its
// hosts, and how fast files are read. Usage: bench_robots robots.tar.gz

namespace dowser {
namespace {

using Seconds = std::chrono::duration<double>;

// The best of several runs: what the machine can do when nothing else disturbs it.
template <class Work>
double seconds_of(Work&& work) {
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, Seconds(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

struct Question {
  const RobotsRules* rules;
  std::string target;
  bool allowed;
};

int run(const char* archive) {
  const RobotsCollection collection = read_robots_collection(archive);
  if (collection.cases.empty()) {
    fmt::print(stderr, "{} holds no cases.tsv\n", archive);
    return 1;
  }
  std::map<std::pair<std::string, std::string>, RobotsRules> kept;
  std::vector<Question> questions;
  for (const RobotsCase& c : collection.cases) {
    auto [it, fresh] = kept.try_emplace({c.file, c.agent});
    if (fresh) it->second = Robots::parse(collection.files.at(c.file)).rules_for(c.agent);
    questions.push_back({&it->second, robots_target(c.url), c.allowed});
  }

  size_t equal = 0, allowed = 0;
  const double checking = seconds_of([&] {
    equal = 0;
    for (const Question& q : questions) equal += q.rules->check(q.target).allowed == q.allowed;
  });
  const double allowing = seconds_of([&] {
    allowed = 0;
    for (const Question& q : questions) allowed += q.rules->allows(q.target);
  });
  size_t bytes = 0, memory = 0;
  for (const auto& [name, text] : collection.files) bytes += text.size();
  const double reading = seconds_of([&] {
    memory = 0;
    for (const auto& [name, text] : collection.files) {
      memory += Robots::parse(text).rules_for("dowser").memory();
    }
  });

  const auto n = static_cast<double>(questions.size());
  fmt::print("verdicts equal to the reference  {} of {}\n", equal, questions.size());
  fmt::print("check, verdicts/s                {:.2f} million\n", n / checking / 1e6);
  fmt::print("allows, verdicts/s               {:.2f} million ({} allowed)\n", n / allowing / 1e6,
             allowed);
  fmt::print("read and compile                 {:.0f} MB/s\n",
             static_cast<double>(bytes) / reading / 1e6);
  fmt::print("kept rules, mean of {} hosts   {} bytes\n", collection.files.size(),
             memory / collection.files.size());
  return 0;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_robots robots.tar.gz\n");
    return 2;
  }
  return dowser::run(argv[1]);
}
