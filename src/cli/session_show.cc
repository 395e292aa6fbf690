#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/session.h"
#include "learn/hmm_model.h"
#include "mine/learn_sessions.h"
#include "report/session_svg.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint32_t kStates = 4;

// The last part of the path, for people; the host where there is none.
std::string label_of(const Url& url) {
  std::string_view path = url.path();
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::string_view last = path.substr(path.rfind('/') + 1);
  return std::string(last.empty() ? url.hostname() : last);
}

std::vector<std::optional<uint32_t>> hops_of(const SessionGraph& graph) {
  HmmTraining training;
  training.pages.resize(graph.pages.size());
  training.links = graph.links;
  training.is_target = graph.is_target;
  return hops_to_targets(training);
}

Json to_json(const Session& session) {
  Json pages = Json::array(), steps = Json::array(), links = Json::array();
  for (const SessionPage& page : session.pages) {
    pages.push_back({{"url", page.url.href()},
                     {"useful", page.useful},
                     {"visited", page.visited},
                     {"html", page.response != nullptr}});
  }
  for (const SessionStep& step : session.steps) {
    Json one = {{"page", step.page}, {"kind", name_of(step.kind)}};
    if (step.at.micros != 0) one["at"] = to_iso8601(step.at);
    steps.push_back(std::move(one));
  }
  for (const SessionLink& link : session.links) links.push_back({link.from, link.to});
  return {{"name", session.name},
          {"topic", session.topic},
          {"pages", pages},
          {"steps", steps},
          {"links", links}};
}

void print(const Session& session) {
  fmt::print("{}{}{}\n", printable(session.name), session.topic.empty() ? "" : ": looking for ",
             printable(session.topic));
  const SessionGraph graph = merge_sessions(std::span(&session, 1));
  const auto hops = hops_of(graph);
  fmt::print("\n{} pages\n", session.pages.size());
  for (size_t i = 0; i < session.pages.size(); ++i) {
    const SessionPage& page = session.pages[i];
    fmt::print("  {:>3}  {}{}{}{}\n", i, page.url.href(), page.useful ? "  useful" : "",
               page.visited ? "" : "  not visited", page.response ? "" : "  without HTML");
    fmt::print("       {}\n", !hops[i]        ? "no path to a useful page"
                              : *hops[i] == 0 ? "a target"
                                              : fmt::format("{} link{} to a useful page", *hops[i],
                                                            *hops[i] == 1 ? "" : "s"));
  }
  fmt::print("\n{} steps\n", session.steps.size());
  for (const SessionStep& step : session.steps) {
    fmt::print("  {:<8}{:>3}  {}{}\n", name_of(step.kind), step.page,
               session.pages[step.page].url.href(),
               step.at.micros == 0 ? "" : "  " + to_iso8601(step.at));
  }
  fmt::print("\n{} links\n", session.links.size());
  for (const SessionLink& link : session.links) fmt::print("  {} -> {}\n", link.from, link.to);
}

}  // namespace

int session_list_command(CommandLine line) {
  Arguments arguments("session list", "Lists the sessions of a file.",
                      "dowser session list schools.sessions");
  std::vector<std::string> files;
  bool json = false;
  arguments.flag("json", "print one JSON array", &json);
  arguments.words("FILE", "files of sessions", &files);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<std::vector<Session>> sessions = load_sessions(files);
  if (!sessions) return fail("session list", sessions.error());
  Json all = Json::array();
  if (!json) {
    fmt::print("{:>6}{:>7}{:>7}{:>8}  {:<21}{}\n", "pages", "steps", "links", "useful", "started",
               "name, topic");
  }
  for (const Session& s : *sessions) {
    const std::string started = s.started.micros == 0 ? "–" : to_iso8601(s.started);
    if (json) {
      all.push_back({{"name", s.name},
                     {"topic", s.topic},
                     {"started", started},
                     {"pages", s.pages.size()},
                     {"steps", s.steps.size()},
                     {"links", s.links.size()},
                     {"useful", s.targets()}});
    } else {
      fmt::print("{:>6}{:>7}{:>7}{:>8}  {:<21}{}{}{}\n", s.pages.size(), s.steps.size(),
                 s.links.size(), s.targets(), started, printable(s.name),
                 s.topic.empty() ? "" : ", ", printable(s.topic));
    }
  }
  if (json) print_json(all);
  return kDone;
}

int session_show_command(CommandLine line) {
  Arguments arguments("session show", "Shows the pages, steps and links of a session.",
                      "dowser session show hockey.sessions");
  std::string file, name;
  bool json = false;
  arguments.flag("json", "print one JSON array", &json);
  arguments.word("FILE", "a file of sessions", &file);
  arguments.optional_word("NAME", "name of the session (default: all sessions)", &name);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<std::vector<Session>> sessions = load_sessions({file}, name);
  if (!sessions) return fail("session show", sessions.error());
  Json all = Json::array();
  for (const Session& session : *sessions) {
    if (json) {
      all.push_back(to_json(session));
    } else {
      print(session);
    }
  }
  if (json) print_json(all);
  return kDone;
}

int session_graph_command(CommandLine line) {
  Arguments arguments("session graph",
                      "Draws the pages of sessions by their distance to a useful one, as SVG.",
                      "dowser session graph hockey.sessions --to hockey.svg");
  std::string file, name, to;
  arguments.option("to", "FILE.svg", "the picture to write", output_file(&to));
  arguments.word("FILE", "a file of sessions", &file);
  arguments.optional_word("NAME", "name of the session (default: all sessions in one picture)",
                          &name);
  arguments.note(
      "Useful pages are in the rightmost column, pages that link to them in the next one, and so "
      "on.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (to.empty()) {
    return fail("session graph", Error{"name the file for the picture with --to FILE.svg"}, kUsage);
  }
  const Result<std::vector<Session>> sessions = load_sessions({file}, name);
  if (!sessions) return fail("session graph", sessions.error());
  const SessionGraph graph = merge_sessions(*sessions);
  const auto hops = hops_of(graph);
  GraphPicture picture;
  picture.states = kStates;
  picture.links = graph.links;
  for (size_t i = 0; i < graph.pages.size(); ++i) {
    const Url& url = graph.pages[i]->url;
    picture.nodes.push_back({label_of(url), std::string(url.href()),
                             std::min(hops[i].value_or(kStates - 1), kStates - 1),
                             graph.is_target[i] != 0});
  }
  if (Status s = write_file(to, graph_svg(picture)); !s) return fail("session graph", s.error());
  fmt::print("{} pages, {} links: {}\n", graph.pages.size(), graph.links.size(), to);
  return kDone;
}

}  // namespace dowser
