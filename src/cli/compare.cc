#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <thread>

#include "base/file.h"
#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "eval/compare_report.h"
#include "eval/compare_results.h"
#include "eval/comparison.h"

namespace dowser {
namespace {

constexpr uint64_t kMostOfANumber = 1'000'000'000;

// "a; b(x=1); c", where a parenthesis may hold no semicolon.
std::vector<std::string> split_strategies(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Result<std::vector<std::string>> read_lines(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  std::vector<std::string> lines;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  if (lines.empty()) return Error{fmt::format("{} has no lines", file)};
  return lines;
}

Status set_hmm(const std::string& hmm, CompareOptions& options) {
  if (hmm.empty()) return {};
  const Result<Spec> spec = Spec::parse(hmm);
  if (!spec) return spec.error();
  Parameters p(*spec);
  HmmOptions& o = options.hmm.hmm;
  o.states = static_cast<uint32_t>(p.integer("states", o.states));
  o.dimensions = static_cast<uint32_t>(p.integer("dimensions", o.dimensions));
  o.least_clusters = static_cast<uint32_t>(p.integer("least-clusters", o.least_clusters));
  o.most_clusters = static_cast<uint32_t>(p.integer("most-clusters", o.most_clusters));
  o.smallest_cluster = static_cast<uint32_t>(p.integer("smallest-cluster", o.smallest_cluster));
  o.smoothing = p.number("smoothing", o.smoothing);
  o.neighbours = static_cast<uint32_t>(p.integer("neighbours", o.neighbours));
  o.sharpness = p.number("sharpness", o.sharpness);
  options.hmm.all_links = p.choice("links", {"all", "session"}) == "all";
  options.hmm.back_layers = static_cast<size_t>(p.integer("back-links", 0));
  options.hmm.most = static_cast<size_t>(p.integer("most", 100));
  if (auto bad = p.finish()) return *bad;
  return {};
}

// Makes the folder; `made` are those that were not there, the innermost first.
Status make_folder(const std::filesystem::path& folder, std::vector<std::filesystem::path>& made) {
  std::error_code failed;
  if (std::filesystem::exists(folder, failed) && !std::filesystem::is_empty(folder, failed)) {
    return Error{fmt::format("{} is not empty: name a new folder with --out", folder.string())};
  }
  for (std::filesystem::path missing = std::filesystem::absolute(folder).lexically_normal();
       !std::filesystem::exists(missing, failed) && missing.has_relative_path();
       missing = missing.parent_path()) {
    made.push_back(missing);
  }
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{fmt::format("cannot make the folder {}", folder.string())};
  return {};
}

}  // namespace

int compare_command(CommandLine line) {
  Arguments arguments(
      "compare", "Runs strategies on the same archived web and measures which one finds more.",
      "dowser compare --web schools.warc.gz --labels schools-labels.tsv --out comparison");
  CompareOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> web;
  std::string profile, sessions, hmm, words_file, labels, strategies = "all", seeds_file, out,
                                                          missing = "drop", marks = "goals";
  bool json = false;
  arguments.list("web", "FILE", "the archive to crawl", &web);
  arguments.option("labels", "FILE.tsv", "the topic of each page: lines of URL, tab, topic",
                   &labels);
  arguments.list("topic-label", "NAME",
                 "a topic to search for (default: every topic with enough pages)", &options.topics);
  arguments.option("strategies", "\"A; B(x=1); C with JUDGE\"",
                   "the strategies to compare (default: all)", &strategies);
  arguments.list("example", "URL",
                 "pages on the topic, if there are no labels; every second one is hidden from the "
                 "strategies and used to judge what they find",
                 &options.examples);
  arguments.option("words", "FILE.tsv",
                   "give strategies words instead of example pages: lines of topic, tab, words",
                   &words_file);
  arguments.option("positives", "N", "number of labelled pages given as examples (default 10)",
                   whole_number(&options.example_count, "positives", 1, kMostOfANumber));
  arguments.option("seed-count", "N", "number of start pages (default 3)",
                   whole_number(&options.seed_count, "seed-count", 1, kMostOfANumber));
  arguments.option("seed-distance", "N",
                   "number of links from a start page to the nearest page on the topic (default 2)",
                   whole_number(&options.seed_distance, "seed-distance", 0, kMostOfANumber));
  arguments.option("seeds", "FILE", "a file of start pages, one per line, instead of drawn ones",
                   &seeds_file);
  arguments.option("draws", "N",
                   "number of repetitions, each with other examples and start pages (default 10)",
                   whole_number(&options.draws, "draws", 1, kMostOfANumber));
  arguments.option("budget", "N", "number of pages that each crawl may fetch (default 1000)",
                   whole_number(&options.budget, "budget", 10, kMostOfANumber));
  arguments.option("random-seed", "N", "seed of the random numbers (default 1)",
                   whole_number(&options.random_seed, "random-seed", 0, kMostOfANumber));
  arguments.option("missing", "drop|404",
                   "links to pages that are not in the archive: drop ignores them, 404 counts them "
                   "as fetches that fail (default drop)",
                   &missing);
  arguments.option("delay", "TIME",
                   "polite crawls: time between two requests to a host (default 1s)",
                   duration(&options.delay, "delay"));
  arguments.option("latency", "TIME", "polite crawls: time until an answer arrives (default 200ms)",
                   duration(&options.latency, "latency"));
  arguments.option("connections", "N", "polite crawls: pages in flight at a time (default 32)",
                   whole_number(&options.connections, "connections", 1, kMostOfANumber));
  arguments.option(
      "extra-draws", "N",
      "number of draws that are also crawled politely and from other start pages (default 2)",
      whole_number(&options.extra_draws, "extra-draws", 0, kMostOfANumber));
  arguments.option("profile", "NAME|FILE",
                   "prior knowledge of the subject, for the strategy and the judge cindi",
                   &profile);
  arguments.option(
      "sessions", "FILE",
      "browsing sessions from dowser session import: examples are drawn from the pages that people "
      "searched for, and the strategy hmm learns from their sessions",
      &sessions);
  arguments.option(
      "sessions-per-goal", "N",
      "largest number of sessions that hmm learns from for each searched page (default 20)",
      whole_number(&options.sessions_per_goal, "sessions-per-goal", 1, kMostOfANumber));
  arguments.option("near", "COSINE",
                   "with --sessions: similarity to an example from which a page counts as "
                   "relevant, in the measures of Liu, Janssen and Milios 2005 (default 0.7)",
                   real_number(&options.near, "near", 0, 1));
  arguments.option("hmm", "\"hmm(states=4)\"",
                   "parameters of hmm: states, dimensions, least-clusters, most-clusters, "
                   "smallest-cluster, smoothing, neighbours, sharpness, links (all or session), "
                   "back-links (number of layers), most (largest number of pages in a layer)",
                   &hmm);
  arguments.option("marks", "goals|topic",
                   "pages that the sessions marked: their goals, or also every page of the topic "
                   "that they visited (default goals); all strategies get them as examples",
                   &marks);
  arguments.option("threads", "N", "number of draws to run in parallel (default: one per core)",
                   whole_number(&options.threads, "threads", 1, kMostOfANumber));
  arguments.option("out", "DIR", "new folder for results.json and report.html", &out);
  arguments.flag("json", "print the table as one JSON object on standard output", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (web.empty()) return fail("compare", Error{"name the archive with --web FILE"}, kUsage);
  if (out.empty()) return fail("compare", Error{"name a new folder with --out DIR"}, kUsage);
  if (labels.empty() == options.examples.empty()) {
    return fail(
        "compare",
        Error{"say which pages are on the topic with either --labels FILE or --example URL"},
        kUsage);
  }
  if (missing != "drop" && missing != "404") {
    return fail("compare", Error{"--missing is either drop or 404"}, kUsage);
  }
  if (marks != "goals" && marks != "topic") {
    return fail("compare", Error{"--marks is either goals or topic"}, kUsage);
  }
  if (!profile.empty()) {
    Result<Profile> read = load_profile(profile);
    if (!read) return fail("compare", read.error(), kUsage);
    options.profile = std::move(*read);
  }
  options.mark_topic = marks == "topic";
  options.sessions = sessions;
  if (Status s = set_hmm(hmm, options); !s) return fail("compare", s.error(), kUsage);
  options.web.assign(web.begin(), web.end());
  options.labels = labels;
  options.drop_missing = missing == "drop";
  if (strategies != "all") {
    options.strategies = split_strategies(strategies);
    if (options.strategies.empty()) {
      return fail("compare", Error{"--strategies is empty: leave it out to compare all strategies"},
                  kUsage);
    }
  }
  for (const std::string& name : options.strategies) {
    if (auto contestant = parse_contestant(name); !contestant) {
      return fail("compare", contestant.error(), kUsage);
    }
  }
  if (!words_file.empty()) {
    Result<std::vector<std::string>> lines = read_lines(words_file);
    if (!lines) return fail("compare", lines.error());
    for (const std::string& line : *lines) {
      const size_t tab = line.find('\t');
      if (tab == line.npos || tab + 1 == line.size()) {
        return fail("compare", Error{fmt::format("'{}' in {} must be a topic, a tab and words",
                                                 line, words_file)});
      }
      options.words[line.substr(0, tab)] = line.substr(tab + 1);
    }
  }
  if (!seeds_file.empty()) {
    Result<std::vector<std::string>> seeds = read_lines(seeds_file);
    if (!seeds) return fail("compare", seeds.error());
    options.seeds = std::move(*seeds);
  }
  stop_gently();
  std::vector<std::filesystem::path> made;
  if (Status s = make_folder(out, made); !s) return fail("compare", s.error());
  ProgressLine line_shown;
  const Result<Comparison> comparison =
      compare(options, [&](const Progress& progress) { return line_shown.watch(progress); });
  line_shown.clear();
  if (!comparison) {  // leaves nothing
    std::error_code not_empty;
    for (const auto& folder : made) std::filesystem::remove(folder, not_empty);
    return fail_or_stop("compare", comparison.error());
  }
  const std::filesystem::path folder(out);
  if (Status s = write_file(folder / "results.json", results_json(*comparison)); !s) {
    return fail("compare", s.error());
  }
  if (Status s = write_file(folder / "report.html", compare_report(*comparison)); !s) {
    return fail("compare", s.error());
  }
  fmt::print("{}", json ? summary_json(*comparison) : summary_table(*comparison));
  if (!json) fmt::print("report: {}\n", (folder / "report.html").string());
  return kDone;
}

}  // namespace dowser
