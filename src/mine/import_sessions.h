#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive_index.h"
#include "base/progress.h"
#include "base/result.h"
#include "model/session.h"

// Sessions that other programs recorded: lists of clicks over an archived web, and HAR files of
// browsers. The forms are described in the .cc files.

namespace dowser {

// What to do with the goal of a session that was given up before it was reached.
enum class Goals {
  kAdd,      // it becomes a page of the session that was not visited, marked as useful
  kVisited,  // only a goal that was visited is marked
};

struct ImportedSessions {
  std::vector<Session> sessions;
  size_t goals_added = 0, goals_visited = 0;
  size_t without_goal = 0;            // sessions in which no page is marked
  size_t missing_pages = 0;           // clicks on pages that are not in the archive
  std::vector<std::string> warnings;  // lines that could not be read, the first ten
  size_t bad_lines = 0;
};

// Lines of user, time, seconds, goal and clicks, over the pages of an archive.
Result<ImportedSessions> import_clicks(std::string_view tsv, const ArchiveSet& web, Goals goals,
                                       const Watch& watch = keep_going);

// The session of an HTTP archive; pages at these addresses are marked as useful.
Result<Session> import_har(std::string_view har, std::string name,
                           const std::vector<std::string>& useful);

}  // namespace dowser
