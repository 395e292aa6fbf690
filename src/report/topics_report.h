#pragma once

#include <string>

#include "mine/topics/topic_map.h"

// What `dowser topics` shows: a table for a terminal, JSON and CSV for programs, a page with the
// evidence for a browser.

namespace dowser {

// Type I, then the first `rows` of each of the other types.
std::string topics_text(const TopicMap& map, size_t rows);
std::string topics_json(const TopicMap& map);
// One row for each topic of each keyword. Text that a spreadsheet would compute has a ' in front.
std::string topics_csv(const TopicMap& map);
// One file, no script, no network: it can be mailed.
std::string topics_html(const TopicMap& map);

}  // namespace dowser
