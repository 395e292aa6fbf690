#include "run/check.h"
#include "cli/print_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

namespace dowser {
namespace {

std::string text_of(const CheckReport& report) {
  std::string text;
  for (const CheckReport::Part& part : report.parts) {
    text += fmt::format("{}: {}{}\n", part.name, part.summary, part.sound ? ", all good" : "");
  }
  for (const CheckReport::Problem& problem : report.problems) {
    text += fmt::format("PROBLEM {}: {} ({})\n", problem.part, problem.what,
                        problem.remedy == CheckReport::Remedy::kRepair ? "--repair rebuilds it"
                                                                       : "cannot be rebuilt");
  }
  if (report.more_problems > 0) text += fmt::format("… and {} more\n", report.more_problems);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  return text;
}

nlohmann::ordered_json json_of(const CheckReport& report) {
  nlohmann::ordered_json json;
  json["sound"] = report.sound();
  json["running"] = report.running;
  json["parts"] = nlohmann::ordered_json::array();
  for (const CheckReport::Part& part : report.parts) {
    json["parts"].push_back(
        {{"name", part.name}, {"summary", part.summary}, {"sound", part.sound}});
  }
  json["problems"] = nlohmann::ordered_json::array();
  for (const CheckReport::Problem& problem : report.problems) {
    json["problems"].push_back({{"part", problem.part},
                                {"what", problem.what},
                                {"repair", problem.remedy == CheckReport::Remedy::kRepair}});
  }
  json["more_problems"] = report.more_problems;
  json["notes"] = report.notes;
  return json;
}

}  // namespace

int check_command(CommandLine line) {
  Arguments arguments(
      "check",
      "Verifies that the archive, index, catalogue and state of a crawl are undamaged and agree.",
      "dowser check birds");
  std::string folder;
  bool repair = false, json = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.flag(
      "repair",
      "rebuild the index and the catalogue from the archive if they are damaged or missing",
      &repair);
  arguments.flag("json", "print one JSON object, and nothing else, on standard output", &json);
  arguments.note(
      "Without --repair nothing is changed, and the crawl may be running. --repair moves the\n"
      "damaged originals to DIR/set-aside. Exit code: 0 undamaged, 1 problems found.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  stop_gently();
  ProgressLine line_shown;
  const Watch watch = [&](const Progress& progress) { return line_shown.watch(progress); };
  Result<CheckReport> report = check_crawl(folder, watch);
  line_shown.clear();
  if (!report) return fail_or_stop("check", report.error(), "nothing was changed");
  RepairReport repaired;
  if (repair && !report->sound()) {
    if (!json) fmt::print("{}", text_of(*report));
    Result<RepairReport> done = repair_crawl(folder, *report, watch);
    if (done) report = check_crawl(folder, watch);
    line_shown.clear();
    if (!done) {
      return fail_or_stop(
          "check", done.error(),
          "parts that were not rebuilt yet are unchanged: run the same command again");
    }
    if (!report) return fail_or_stop("check", report.error(), "the repair itself is complete");
    repaired = std::move(*done);
    if (!json) {
      for (const std::string& sentence : repaired.done) fmt::print("REPAIRED {}\n", sentence);
      if (!repaired.set_aside.empty()) {
        fmt::print("the originals are now in {}\n", repaired.set_aside.string());
      }
    }
  }
  if (json) {
    nlohmann::ordered_json object = json_of(*report);
    object["repaired"] = repaired.done;
    object["set_aside"] = repaired.set_aside.string();
    print_json(object);
  } else {
    fmt::print("{}", text_of(*report));
  }
  return report->sound() ? kDone : kFailed;
}

}  // namespace dowser
