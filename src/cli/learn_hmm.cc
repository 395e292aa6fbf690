#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "mine/learn_sessions.h"
#include "report/hmm_report.h"

namespace dowser {
namespace {

template <class Number>
Arguments::Set whole(Number* value, std::string name, uint64_t least) {
  return [=](std::string_view text) -> Status {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least ||
        number > std::numeric_limits<Number>::max()) {
      return Error{
          fmt::format("{} must be a whole number from {} on, not '{}'", name, least, text)};
    }
    *value = static_cast<Number>(number);
    return {};
  };
}

Arguments::Set real(double* value, std::string name) {
  return [=](std::string_view text) -> Status {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
    if (error != std::errc() || end != text.data() + text.size() || !(*value >= 0)) {
      return Error{fmt::format("{} must be a number from 0 on, not '{}'", name, text)};
    }
    return {};
  };
}

void print(const LearnedSessions& learned, double seconds) {
  const HmmModel& model = learned.file.model;
  fmt::print("{} session{}: {} pages, {} useful, {} links\n", learned.file.sessions,
             learned.file.sessions == 1 ? "" : "s", learned.file.addresses.size(),
             static_cast<size_t>(model.cluster_counts().at(0, 0)), learned.file.links);
  if (learned.without_html > 0) {
    fmt::print("{} pages without HTML were left out\n", learned.without_html);
  }
  for (uint32_t state = 0; state < model.chain().states(); ++state) {
    size_t pages = 0;
    for (const uint32_t s : model.states()) pages += s == state;
    fmt::print("  T{}  {:>6} pages{}\n", state, pages,
               state + 1 == model.chain().states()
                   ? fmt::format("  ({} of them have no way to a useful page)", model.unreachable())
                   : "");
  }
  fmt::print("{} groups of pages besides the useful ones, {} dimensions, {:.1f} s\n",
             model.clusters() - 1, model.space().dimensions(), seconds);
}

}  // namespace

int learn_hmm_command(CommandLine line) {
  Arguments arguments(
      "learn hmm",
      "Learns from browsing sessions which kinds of page lead to useful ones: a model for "
      "dowser crawl --strategy hmm --model.",
      "dowser learn hmm hockey.sessions --to hockey.json --report hockey.html");
  HmmOptions options;
  std::vector<std::string> files, topics;
  size_t most = 0;
  std::string to, report, links = "all";
  bool json = false;
  arguments.option("to", "FILE", "the model, as JSON", &to);
  arguments.option("report", "FILE.html", "what was learned, for people", &report);
  arguments.list("topic", "NAME", "only sessions about this (default: all together)", &topics);
  arguments.option("most", "N", "the first N sessions only (default 0: all)",
                   whole(&most, "most", 0));
  arguments.option("states", "N", "distances to tell apart, 2 to 20 (default 4)",
                   whole(&options.states, "states", 2));
  arguments.option("dimensions", "N", "of the reduced space, at most (default 100)",
                   whole(&options.dimensions, "dimensions", 1));
  arguments.option("least-clusters", "N", "groups of pages at least (default 3)",
                   whole(&options.least_clusters, "least-clusters", 1));
  arguments.option("most-clusters", "N", "groups of pages at most (default 8)",
                   whole(&options.most_clusters, "most-clusters", 1));
  arguments.option("smoothing", "X", "added to every count (default 0.1)",
                   real(&options.smoothing, "smoothing"));
  arguments.option("neighbours", "N",
                   "training pages that vote for the group of a page (default 5)",
                   whole(&options.neighbours, "neighbours", 1));
  arguments.option("sharpness", "X", "a vote is the cosine to the power of this (default 4)",
                   real(&options.sharpness, "sharpness"));
  arguments.option("links", "session|all",
                   "learn from links between pages of one session, or of any two (default all)",
                   &links);
  arguments.option("random-seed", "N", "where random numbers start (default 1)",
                   whole(&options.seed, "random-seed", 0));
  arguments.flag("json", "print one JSON object", &json);
  arguments.words("SESSION", "files of sessions; all are learned from together", &files);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (to.empty()) {
    return fail("learn hmm", Error{"say where to put the model with --to FILE"}, kUsage);
  }
  if (links != "session" && links != "all") {
    return fail("learn hmm", Error{"--links is either session or all"}, kUsage);
  }
  Result<std::vector<Session>> sessions = load_sessions(files);
  if (!sessions) return fail("learn hmm", sessions.error());
  if (!topics.empty()) {
    std::erase_if(*sessions, [&](const Session& session) {
      return std::find(topics.begin(), topics.end(), session.topic) == topics.end();
    });
    if (sessions->empty()) {
      return fail("learn hmm", Error{"no session is about that topic: dowser session list names "
                                     "the topics"});
    }
  }
  if (most > 0 && sessions->size() > most) sessions->resize(most);
  const auto start = std::chrono::steady_clock::now();
  ProgressLine line_shown;
  const Result<LearnedSessions> learned =
      learn_sessions(*sessions, options, links == "all" ? SessionLinks::kAll : SessionLinks::kOwn,
                     [&](std::string_view step) { line_shown.watch({step}); });
  line_shown.clear();
  if (!learned) return fail("learn hmm", learned.error());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (Status s = write_file(to, hmm_file_text(learned->file)); !s) {
    return fail("learn hmm", s.error());
  }
  if (!report.empty()) {
    if (Status s = write_file(report, hmm_report(learned->file, learned->links)); !s) {
      return fail("learn hmm", s.error());
    }
  }
  if (json) {
    const HmmModel& model = learned->file.model;
    const nlohmann::ordered_json out = {{"sessions", learned->file.sessions},
                                        {"pages", learned->file.addresses.size()},
                                        {"useful", model.cluster_counts().at(0, 0)},
                                        {"links", learned->file.links},
                                        {"unreachable", model.unreachable()},
                                        {"without_html", learned->without_html},
                                        {"clusters", model.clusters() - 1},
                                        {"dimensions", model.space().dimensions()},
                                        {"seconds", seconds.count()},
                                        {"model", to}};
    fmt::print("{}\n", out.dump());
  } else {
    print(*learned, seconds.count());
    fmt::print("model: {}{}{}\n", to, report.empty() ? "" : ", report: ", report);
  }
  return kDone;
}

}  // namespace dowser
