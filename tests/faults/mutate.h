#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace dowser::faults {

// The kinds of damage.
inline constexpr const char* kDamages[] = {"bit",    "bytes", "cut",   "empty", "remove",
                                           "folder", "junk",  "zeros", "older"};

// Damages the file (or folder) at `path`. `earlier` is an older version of it, which may not exist.
// Returns what was done, "" where this damage makes no sense here.
std::string mutate(const std::filesystem::path& path, const std::filesystem::path& earlier,
                   const std::string& how, std::mt19937_64& random);

}  // namespace dowser::faults
