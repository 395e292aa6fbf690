#include "archive/pack.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/progress.h"

namespace dowser {
namespace {

// The value of the folder with this index; a single value is for all folders.
const std::string& value_for(const std::vector<std::string>& values, size_t folder) {
  return values.size() == 1 ? values.front() : values[folder];
}

Status check_count(std::string_view name, size_t values, size_t folders) {
  if (values == 1 || values == folders) return {};
  return Error{fmt::format("there are {} folders and {} --{}: give one for all, or one for each",
                           folders, values, name)};
}

void print_as_json(const PackResult& result, const PackOptions& options) {
  nlohmann::ordered_json skipped = nlohmann::json::array();
  for (const auto& one : result.skipped) {
    skipped.push_back({{"path", one.path.string()}, {"why", one.why}});
  }
  const nlohmann::ordered_json json = {{"pages", result.pages},
                                       {"redirects", result.redirects},
                                       {"bytes", result.bytes},
                                       {"archive_bytes", result.archive_bytes},
                                       {"date", to_iso8601(result.date)},
                                       {"to", options.to.string()},
                                       {"skipped", skipped}};
  print_json(json);
}

void print_summary(const PackResult& result, const PackOptions& options) {
  for (const auto& one : result.skipped) {
    fmt::print(stderr, "dowser pack: left out {}: {}\n", one.path.string(), one.why);
  }
  fmt::print("{} pages and {} redirects, {} bytes, in {} ({} bytes)\n", result.pages,
             result.redirects, result.bytes, options.to.string(), result.archive_bytes);
}

}  // namespace

int pack_command(CommandLine line) {
  Arguments arguments("pack", "Turns folders of HTML files into an archive that can be crawled.",
                      "dowser pack /usr/share/doc/python3/html --host docs.python.org --prefix /3/ "
                      "--to py.warc.gz");
  std::vector<std::string> folders, hosts, prefixes;
  std::string to;
  PackOptions options;
  bool json = false;
  arguments.words(
      "FOLDER",
      "folders; their .html, .htm and .xhtml files are packed, plain or with .gz at the end",
      &folders);
  arguments.list(
      "host", "NAME",
      "the host name that the folder gets, https://NAME for https; repeat it for each folder",
      &hosts);
  arguments.list("prefix", "/PATH/", "the path that the folder gets on its host (default /)",
                 &prefixes);
  arguments.option("to", "FILE", "the archive to write, such as web.warc.gz", output_file(&to));
  arguments.option("date", "ISO", "the date of the records (default: that of the newest file)",
                   [&](std::string_view text) -> Status {
                     const Result<Time> date = parse_iso8601(text);
                     if (!date) return date.error();
                     options.date = *date;
                     return {};
                   });
  arguments.flag("all", "pack every file; its content type is derived from its name", &options.all);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (hosts.empty()) return fail("pack", Error{"--host NAME is missing"}, kUsage);
  if (to.empty()) return fail("pack", Error{"--to FILE is missing"}, kUsage);
  if (prefixes.empty()) prefixes = {"/"};
  for (const Status& s : {check_count("host", hosts.size(), folders.size()),
                          check_count("prefix", prefixes.size(), folders.size())}) {
    if (!s) return fail("pack", s.error(), kUsage);
  }

  options.to = to;
  for (size_t i = 0; i < folders.size(); ++i) {
    options.folders.push_back({folders[i], value_for(hosts, i), value_for(prefixes, i)});
  }
  stop_gently();
  ProgressLine line_shown;
  const Result<PackResult> result =
      pack(options, [&](const Progress& progress) { return line_shown.watch(progress); });
  line_shown.clear();
  if (!result) return fail_or_stop("pack", result.error());
  json ? print_as_json(*result, options) : print_summary(*result, options);
  return kDone;
}

}  // namespace dowser
