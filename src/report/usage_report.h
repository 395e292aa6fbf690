#pragma once

#include <string>

#include "mine/usage_result.h"

// What `dowser usage` shows: a table for a terminal, JSON for programs, a page for a browser.

namespace dowser {

std::string usage_text(const UsageResult& result, size_t rows);
std::string usage_json(const UsageResult& result, double seconds);
// One file, no script, no network: it can be mailed.
std::string usage_html(const UsageResult& result);

}  // namespace dowser
