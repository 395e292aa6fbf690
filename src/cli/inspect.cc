#include "cli/inspect.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/nearest.h"

namespace dowser {
namespace {

struct Input {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  int (*run)(CommandLine);
};

constexpr Input kInputs[] = {
    {"url", "the parts of an address, its canonical form, and what counts as the same page",
     "dowser inspect url ../b/Bird.htm#Wing --base http://example.org/a/", inspect_url_command},
    {"page", "title, language, links with their words, and blocks of text of a page",
     "dowser inspect page page.html", inspect_page_command},
    {"robots", "what a robots.txt allows an agent to fetch, and by which rule",
     "dowser inspect robots robots.txt --agent dowser http://example.org/cgi-bin/",
     inspect_robots_command},
    {"archive", "the records of an archive and what is wrong with it",
     "dowser inspect archive schools.warc.gz", inspect_archive_command},
    {"document", "format, kind, title, authors and abstract of a PDF or another document",
     "dowser inspect document paper.pdf", inspect_document_command},
    {"model", "what was learned from browsing: states, transitions, groups of pages",
     "dowser inspect model hockey.json", inspect_model_command},
};

std::string help() {
  std::string text =
      "Shows what Dowser makes of one input.\n\n"
      "Usage: dowser inspect WHAT [options]\n\n";
  for (const Input& input : kInputs) text += fmt::format("  {:<9}{}\n", input.name, input.summary);
  text += "\ndowser inspect WHAT --help tells more.\n\nExamples:\n";
  for (const Input& input : kInputs) text += fmt::format("  {}\n", input.example);
  return text;
}

}  // namespace

int inspect_command(CommandLine line) {
  if (line.empty()) {
    fmt::print(stderr, "{}", help());
    return kUsage;
  }
  const std::string& name = line.front();
  if (name == "--help" || name == "-h") {
    fmt::print("{}", help());
    return kDone;
  }
  std::vector<std::string> names;
  for (const Input& input : kInputs) {
    if (input.name == name) return input.run(line.subspan(1));
    names.emplace_back(input.name);
  }
  return fail("inspect",
              Error{fmt::format("there is no '{}' to inspect{} (see dowser inspect --help)", name,
                                did_you_mean(name, names))},
              kUsage);
}

}  // namespace dowser
