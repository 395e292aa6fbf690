#include <fmt/format.h>

#include "base/compress.h"
#include "base/file.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "mine/import_sessions.h"

namespace dowser {
namespace {

constexpr size_t kMostBytes = size_t{4} << 30;  // of a list of clicks, unpacked

struct Given {
  std::string file, to, goals = "add", name;
  std::vector<std::string> web, useful;
};

Result<std::vector<Session>> import_har_file(const Given& given, std::string_view text) {
  if (!given.web.empty()) return Error{"a HAR file contains its pages: leave out --web"};
  Result<Session> session =
      import_har(text, given.name.empty() ? given.file : given.name, given.useful);
  if (!session) return session.error();
  fmt::print("1 session: {} pages, {} links between them, {} marked as useful\n",
             session->pages.size(), session->links.size(), session->targets());
  if (session->targets() == 0) {
    fmt::print("no page is marked as useful: name the useful pages with --useful URL\n");
  }
  std::vector<Session> sessions;
  sessions.push_back(std::move(*session));
  return sessions;
}

Result<std::vector<Session>> import_click_file(const Given& given, std::string_view text) {
  if (given.web.empty()) {
    return Error{
        "a list of clicks contains only addresses: name the archive of the pages with --web FILE"};
  }
  const std::vector<std::filesystem::path> files(given.web.begin(), given.web.end());
  const Result<ArchiveSet> web = ArchiveSet::open(files);
  if (!web) return web.error();
  ProgressLine line;
  Result<ImportedSessions> imported =
      import_clicks(text, *web, given.goals == "add" ? Goals::kAdd : Goals::kVisited,
                    [&](const Progress& progress) { return line.watch(progress); });
  line.clear();
  if (!imported) return Error{fmt::format("{}: {}", given.file, imported.error().message)};
  for (const std::string& warning : imported->warnings) {
    fmt::print(stderr, "dowser session import: {}: {}\n", given.file, warning);
  }
  fmt::print("{} sessions; goals: {} added, {} visited; without a marked page: {}\n",
             imported->sessions.size(), imported->goals_added, imported->goals_visited,
             imported->without_goal);
  if (imported->missing_pages > 0) {
    fmt::print("{} clicks on pages that are not in the archive were left out\n",
               imported->missing_pages);
  }
  if (imported->bad_lines > 0) fmt::print("{} lines were left out\n", imported->bad_lines);
  return std::move(imported->sessions);
}

}  // namespace

int session_import_command(CommandLine line) {
  Given given;
  Arguments arguments("session import",
                      "Reads sessions that other programs recorded and writes a session file.",
                      "dowser session import schools-sessions.tsv.gz --web schools.warc.gz --goals "
                      "add --to schools.sessions");
  arguments.word("FILE", "lines of user, time, seconds, goal, clicks (may be gzip), or a HAR file",
                 &given.file);
  arguments.list("web", "FILE", "the archive that contains the pages, for a list of clicks",
                 &given.web);
  arguments.option("goals", "add|visited",
                   "add a goal that was not reached as a useful page, or mark only goals that were "
                   "visited (default add)",
                   &given.goals);
  arguments.list("useful", "URL", "a visited page to mark as useful, for a HAR file",
                 &given.useful);
  arguments.option("name", "NAME", "name of the session, for a HAR file", &given.name);
  arguments.option("to", "FILE", "the session file to write", output_file(&given.to));
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (given.to.empty()) {
    return fail("session import", Error{"name the file for the sessions with --to FILE"}, kUsage);
  }
  if (given.goals != "add" && given.goals != "visited") {
    return fail("session import", Error{"--goals is either add or visited"}, kUsage);
  }
  stop_gently();
  const Result<std::string> raw = read_file(given.file, kLargestData);
  if (!raw) return fail("session import", raw.error());
  std::string text = *raw;
  if (text.starts_with("\x1f\x8b")) {
    const Result<Decoded> plain = decode_content("gzip", text, kMostBytes);
    if (!plain || plain->truncated) {
      return fail("session import",
                  Error{fmt::format("{} is cut short, or is not a gzip file", given.file)});
    }
    text = plain->bytes;
  }
  const size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const bool is_har = first != text.npos && text[first] == '{';
  Result<std::vector<Session>> sessions =
      is_har ? import_har_file(given, std::string_view(text).substr(first))
             : import_click_file(given, text);
  if (!sessions) return fail_or_stop("session import", sessions.error());
  if (Status s = write_session_file(given.to, *sessions); !s) {
    return fail("session import", s.error());
  }
  fmt::print("{}\n", given.to);
  return kDone;
}

}  // namespace dowser
