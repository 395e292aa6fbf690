#include "cli/inspect.h"

#include "cli/subcommands.h"

namespace dowser {
namespace {

constexpr Subcommand kInputs[] = {
    {"url", "the parts of an address, its canonical form, and what counts as the same page",
     "dowser inspect url ../b/Bird.htm#Wing --base http://example.org/a/", inspect_url_command},
    {"page", "title, language, links with their words, and blocks of text of a page",
     "dowser inspect page page.html", inspect_page_command},
    {"robots", "what a robots.txt allows an agent to fetch, and by which rule",
     "dowser inspect robots robots.txt --agent dowser http://example.org/cgi-bin/",
     inspect_robots_command},
    {"archive", "the records of an archive and its errors",
     "dowser inspect archive schools.warc.gz", inspect_archive_command},
    {"document", "format, kind, title, authors and abstract of a PDF or another document",
     "dowser inspect document paper.pdf", inspect_document_command},
    {"model", "what was learned from browsing: states, transitions, groups of pages",
     "dowser inspect model hockey.json", inspect_model_command},
};

}  // namespace

int inspect_command(CommandLine line) {
  return run_subcommand("inspect", "Shows how Dowser reads a single input.", kInputs, line);
}

}  // namespace dowser
