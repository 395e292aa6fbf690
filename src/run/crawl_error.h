#pragma once

#include <filesystem>

#include "base/result.h"
#include "run/recovery.h"

// Errors of a crawl, with what the user can do next.

namespace dowser {

Error error_of(const Refusal& refusal);

// An error from before anything was written.
Error nothing_changed(const Error& error, const std::filesystem::path& folder);

// An error after the crawl began to write. `is_resumed`: the crawl was begun by an earlier run.
// Looks whether the catalogue must be repaired first.
Error what_was_kept(const Error& error, const std::filesystem::path& folder, bool is_resumed);

}  // namespace dowser
