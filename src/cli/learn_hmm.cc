#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "mine/learn_sessions.h"
#include "report/hmm_report.h"
#include "run/back_links.h"
#include "run/earlier_crawls.h"

namespace dowser {
namespace {

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
    fmt::print(
        "  T{}  {:>6} pages{}\n", state, pages,
        state + 1 == model.chain().states()
            ? fmt::format("  ({} of them have no path to a useful page)", model.unreachable())
            : "");
  }
  fmt::print("{} groups of pages besides the useful ones, {} dimensions, {:.1f} s\n",
             model.clusters() - 1, model.space().dimensions(), seconds);
}

// Without a page that leads to a useful one, only words are learned, and no way.
void warn_of_no_way(const LearnedSessions& learned) {
  if (!learned.file.model.knows_no_way()) return;
  fmt::print(stderr,
             "dowser learn hmm: warning: none of the visited pages links to a useful page, so the "
             "model has learned nothing about the way to one, and a crawl with it follows links in "
             "hardly any order. Use more sessions, sessions in which a useful page was reached, or "
             "--back-links.\n");
}

Result<BackLinks> read_back_links(std::span<const std::string> places) {
  const Result<std::vector<std::filesystem::path>> files = archive_files(places);
  if (!files) return files.error();
  return BackLinks::read(*files);
}

// The pages that lead to the first pages of the sessions. They live as long as `web`.
std::vector<const Page*> pages_before(std::span<const Session> sessions, BackLinks& web,
                                      size_t layers, size_t most) {
  std::vector<Page> tops;
  for (const SessionPage* page : top_pages(sessions)) tops.emplace_back().url = page->url;
  std::vector<const Page*> pages;
  for (const auto& layer : web.layers_around(tops, layers, most)) {
    pages.insert(pages.end(), layer.begin(), layer.end());
  }
  return pages;
}

}  // namespace

int learn_hmm_command(CommandLine line) {
  Arguments arguments(
      "learn hmm",
      "Learns from browsing sessions which kinds of page lead to useful ones: a model for "
      "dowser crawl --strategy hmm --model.",
      "dowser learn hmm hockey.sessions --to hockey.json --report hockey.html");
  HmmOptions options;
  std::vector<std::string> files, topics, back_links;
  size_t most = 0, layers = 1, layer_pages = 100;
  std::string to, report, links = "all";
  bool json = false;
  arguments.option("to", "FILE", "the file for the model (JSON)", output_file(&to));
  arguments.option("report", "FILE.html", "also write a report about what was learned",
                   output_file(&report));
  arguments.list("topic", "NAME", "use only sessions with this topic (default: all sessions)",
                 &topics);
  arguments.option("most", "N", "use only the first N sessions (default 0: all)",
                   whole_number(&most, "most", 0));
  arguments.option("states", "N",
                   "number of states, which are distances to a useful page, 2 to 20 (default 4)",
                   whole_number(&options.states, "states", 2));
  arguments.option("dimensions", "N",
                   "largest number of dimensions of the latent semantic space (default 20)",
                   whole_number(&options.dimensions, "dimensions", 1));
  arguments.option("least-clusters", "N", "smallest number of clusters of pages (default 3)",
                   whole_number(&options.least_clusters, "least-clusters", 1));
  arguments.option("most-clusters", "N", "largest number of clusters of pages (default 8)",
                   whole_number(&options.most_clusters, "most-clusters", 1));
  arguments.option("smallest-cluster", "N",
                   "smallest number of pages in a cluster, if there are enough pages (default 3)",
                   whole_number(&options.smallest_cluster, "smallest-cluster", 1));
  arguments.option("smoothing", "X",
                   "number added to every count, so that none is zero (default 0.1)",
                   real_number(&options.smoothing, "smoothing", 0, 1e9));
  arguments.option("neighbours", "N",
                   "number of training pages that vote for the cluster of a page (default 5)",
                   whole_number(&options.neighbours, "neighbours", 1));
  arguments.option("sharpness", "X", "a vote is the cosine to the power of X (default 4)",
                   real_number(&options.sharpness, "sharpness", 0, 1e9));
  arguments.option(
      "links", "session|all",
      "learn from links between pages of the same session only, or between all pages (default all)",
      &links);
  arguments.list("back-links", "FILE",
                 "archives or crawls: also learn from their pages that lead to the first pages of "
                 "the sessions",
                 &back_links);
  arguments.option("back-layers", "N",
                   "largest number of links from such a page to a first page (default 1)",
                   whole_number(&layers, "back-layers", 1));
  arguments.option("back-pages", "N", "largest number of such pages at each distance (default 100)",
                   whole_number(&layer_pages, "back-pages", 1));
  arguments.option("random-seed", "N", "seed of the random numbers (default 1)",
                   whole_number(&options.seed, "random-seed", 0));
  arguments.flag("json", "print one JSON object", &json);
  arguments.words("SESSION", "session files; one model is learned from all of them", &files);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (to.empty()) {
    return fail("learn hmm", Error{"name the file for the model with --to FILE"}, kUsage);
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
      return fail("learn hmm",
                  Error{"no session has that topic: dowser session list shows the topics"});
    }
  }
  if (most > 0 && sessions->size() > most) sessions->resize(most);
  const auto start = std::chrono::steady_clock::now();
  ProgressLine line_shown;
  const auto tell = [&](std::string_view step) { line_shown.watch({step}); };
  std::optional<BackLinks> web;
  std::vector<const Page*> more;
  if (!back_links.empty()) {
    tell("looking for pages that lead to the sessions");
    Result<BackLinks> read = read_back_links(back_links);
    if (!read) return fail("learn hmm", read.error());
    web = std::move(*read);
    more = pages_before(*sessions, *web, layers, layer_pages);
  }
  const Result<LearnedSessions> learned = learn_sessions(
      *sessions, options, links == "all" ? SessionLinks::kAll : SessionLinks::kOwn, tell, more);
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
  warn_of_no_way(*learned);
  if (json) {
    const HmmModel& model = learned->file.model;
    const nlohmann::ordered_json out = {{"sessions", learned->file.sessions},
                                        {"pages", learned->file.addresses.size()},
                                        {"useful", model.cluster_counts().at(0, 0)},
                                        {"links", learned->file.links},
                                        {"unreachable", model.unreachable()},
                                        {"knows_no_way", model.knows_no_way()},
                                        {"without_html", learned->without_html},
                                        {"clusters", model.clusters() - 1},
                                        {"dimensions", model.space().dimensions()},
                                        {"seconds", seconds.count()},
                                        {"model", to}};
    print_json(out);
  } else {
    print(*learned, seconds.count());
    fmt::print("model: {}{}{}\n", to, report.empty() ? "" : ", report: ", report);
  }
  return kDone;
}

}  // namespace dowser
