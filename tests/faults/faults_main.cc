// Runs the fault tests at length; called by bench/faults, which describes the options.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string_view>
#include <thread>

#include "tests/faults/call_faults.h"
#include "tests/faults/mutations.h"

namespace dowser::faults {
namespace {

struct Options {
  bool calls = false;
  size_t mutations = 0;
  uint64_t seed = 1;
  size_t sample = 0;   // of the calls; 0: all
  int pages = kPages;  // of the web
  int jobs = static_cast<int>(std::thread::hardware_concurrency());
  std::string phase, with;  // only these
  bool after = false;
  long at = 0;         // only this call
  long mutation = -1;  // only this one
  std::filesystem::path work;
  bool keep = false;
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto value = [&] {
      if (++i >= argc) throw std::runtime_error(std::string(name) + " needs a value");
      return std::string(argv[i]);
    };
    if (name == "--calls")
      options.calls = true;
    else if (name == "--mutations")
      options.mutations = std::stoul(value());
    else if (name == "--mutation")
      options.mutation = std::stol(value());
    else if (name == "--seed")
      options.seed = std::stoull(value());
    else if (name == "--sample")
      options.sample = std::stoul(value());
    else if (name == "--pages")
      options.pages = std::stoi(value());
    else if (name == "--jobs")
      options.jobs = std::stoi(value());
    else if (name == "--phase")
      options.phase = value();
    else if (name == "--with")
      options.with = value();
    else if (name == "--after")
      options.after = true;
    else if (name == "--at")
      options.at = std::stol(value());
    else if (name == "--keep")
      options.work = value(), options.keep = true;
    else
      throw std::runtime_error("there is no option " + std::string(name));
  }
  return options;
}

// Calls use(number, worker) for each number below `count`, on several threads.
template <class Use>
void in_parallel(size_t count, int jobs, Use&& use) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> workers;
  for (int worker = 0; worker < jobs; ++worker) {
    workers.emplace_back([&, worker] {
      for (size_t i = next++; i < count; i = next++) use(i, worker);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

// Rows and columns with counts.
class Table {
 public:
  void add(const std::string& row, const std::string& column) { ++cells_[row][column]; }
  void print() const {
    std::set<std::string> columns;
    for (const auto& [row, cells] : cells_) {
      for (const auto& [column, count] : cells) columns.insert(column);
    }
    std::printf("%-44s", "");
    for (const std::string& column : columns) std::printf("%10s", column.c_str());
    std::printf("\n");
    for (const auto& [row, cells] : cells_) {
      std::printf("%-44s", row.c_str());
      for (const std::string& column : columns) {
        const auto cell = cells.find(column);
        std::printf("%10s", cell == cells.end() ? "." : std::to_string(cell->second).c_str());
      }
      std::printf("\n");
    }
  }

 private:
  std::map<std::string, std::map<std::string, size_t>> cells_;
};

std::string without_numbers(std::string text) {
  for (char& c : text) c = c >= '0' && c <= '9' ? '#' : c;
  text.erase(
      std::unique(text.begin(), text.end(), [](char a, char b) { return a == '#' && b == '#'; }),
      text.end());
  return text;
}

// Findings of the same kind are shown once, with how often they came and how to repeat the first.
class Findings {
 public:
  void add(const std::string& kind, const std::string& example) {
    auto [it, is_new] = found_.try_emplace(without_numbers(kind), 0, example);
    ++it->second.first;
  }
  void print() const {
    for (const auto& [kind, finding] : found_) {
      std::printf("%5zu x %s\n        %s\n", finding.first, kind.c_str(), finding.second.c_str());
    }
  }
  bool empty() const { return found_.empty(); }

 private:
  std::map<std::string, std::pair<size_t, std::string>> found_;
};

struct Job {
  Phase phase;
  Fault fault;
};

std::vector<Job> jobs_of(const Options& options, const Crawls& crawls, CallFaults& faults) {
  std::vector<Job> jobs;
  for (const Phase& phase : phases_of(crawls)) {
    if (!options.phase.empty() && phase.name != options.phase) continue;
    for (Fault way : ways_to_fail()) {
      if (!options.with.empty() && (way.with != options.with || way.after != options.after))
        continue;
      const long calls = faults.calls(phase, way);
      if (!options.sample)
        std::printf("%-8s %-7s %s: %ld calls\n", phase.name.c_str(), way.with.c_str(),
                    way.after ? "after" : "once ", calls);
      for (way.at = 1; way.at <= calls; ++way.at) {
        if (options.at == 0 || way.at == options.at) jobs.push_back({phase, way});
      }
    }
  }
  if (options.sample > 0) {
    std::shuffle(jobs.begin(), jobs.end(), std::mt19937_64(options.seed));
    if (jobs.size() > options.sample) jobs.resize(options.sample);
  }
  return jobs;
}

bool run_calls(const Options& options, const Crawls& crawls) {
  CallFaults faults(crawls);
  const std::vector<Job> jobs = jobs_of(options, crawls, faults);
  Table table;
  Findings findings;
  std::mutex mutex;
  in_parallel(jobs.size(), options.jobs, [&](size_t i, int worker) {
    const Job& job = jobs[i];
    const Trial trial = faults.run(job.phase, job.fault, worker);
    const std::lock_guard lock(mutex);
    const std::string way = trial.fault.with + (trial.fault.after ? " after" : " once");
    const std::string code = trial.code == 0 ? "exit 0" : trial.code == 1 ? "exit 1" : "ended";
    table.add(trial.phase + ": " + way, !trial.bad.empty()  ? trial.bad
                                        : trial.hit.empty() ? "not hit"
                                                            : code);
    if (trial.bad.empty()) return;
    const std::string call = trial.hit.substr(trial.hit.find(' ') + 1);
    std::string file = call.substr(std::min(call.size(), call.find("/crawl") + 1));
    findings.add(
        trial.bad + " " + trial.phase + ", " + way + ", " + call.substr(0, call.find(' ')) +
            " of " + file + ": " + trial.detail.substr(0, 160),
        "bench/faults --calls --phase " + trial.phase + " --with " + trial.fault.with +
            (trial.fault.after ? " --after" : "") + " --at " + std::to_string(trial.fault.at));
  });
  std::printf("\n%zu calls made to fail\n", jobs.size());
  table.print();
  findings.print();
  return findings.empty();
}

bool run_mutations(const Options& options, const Crawls& crawls) {
  Mutations mutations(crawls);
  Table by_file, by_damage;
  Findings findings;
  std::mutex mutex;
  const bool one = options.mutation >= 0;
  in_parallel(one ? 1 : options.mutations, options.jobs, [&](size_t i, int worker) {
    const Fate fate =
        mutations.run(options.seed, one ? static_cast<uint64_t>(options.mutation) : i, worker);
    const Mutation& m = fate.mutation;
    const std::lock_guard lock(mutex);
    by_file.add(fate.file_kind(), fate.outcome);
    by_damage.add(m.how, fate.outcome);
    const std::string what =
        m.base.filename().string() + ", " + m.file + ", " + m.how + " " + m.detail;
    if (one) std::printf("%s: %s %s\n", what.c_str(), fate.outcome.c_str(), fate.detail.c_str());
    if (fate.is_bad()) {
      findings.add(fate.outcome + " " + m.how + " of " + fate.file_kind() + ": " +
                       fate.detail.substr(0, 200),
                   what + ": bench/faults --seed " + std::to_string(m.seed) + " --mutation " +
                       std::to_string(m.number));
    }
  });
  std::printf("\n%zu mutations, seed %lu\n", one ? 1 : options.mutations, options.seed);
  by_file.print();
  std::printf("\n");
  by_damage.print();
  findings.print();
  return findings.empty();
}

// Where everything happens; it is removed at the end where it was not named.
struct Work {
  std::filesystem::path path;
  bool keep;

  explicit Work(const Options& options)
      : path(options.keep ? options.work : temporary_folder()), keep(options.keep) {
    if (!keep) return;
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Work() {
    std::error_code ignored;
    if (!keep) std::filesystem::remove_all(path, ignored);
  }
};

int run(const Options& options) {
  const Work work(options);
  const Crawls crawls(programs_of_build(), std::filesystem::canonical(work.path), options.pages);
  bool fine = true;
  if (options.calls) fine &= run_calls(options, crawls);
  if (options.mutations > 0 || options.mutation >= 0) fine &= run_mutations(options, crawls);
  std::printf("%s\n", fine ? "nothing lost, nothing silent, nothing died" : "FAILED");
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace dowser::faults

int main(int argc, char** argv) {
  try {
    return dowser::faults::run(dowser::faults::options_of(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "faults: " << error.what() << "\n";
    return 2;
  }
}
