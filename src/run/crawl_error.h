#pragma once

#include <filesystem>

#include "base/result.h"

// Errors of a crawl, with what the user can do next. An error that says so itself stays as it is.

namespace dowser {

// An error from before anything was written.
Error nothing_changed(const Error& error, const std::filesystem::path& folder);

// An error after the crawl began to write. `is_resumed`: the crawl was begun by an earlier run.
Error what_was_kept(const Error& error, const std::filesystem::path& folder, bool is_resumed);

}  // namespace dowser
