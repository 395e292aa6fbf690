#include "run/crawl_error.h"

#include <fmt/format.h>

namespace dowser {
namespace {

bool says_what_to_do(const Error& error) {
  return error.message.find("  dowser ") != std::string::npos ||
         error.message.find(" with --") != std::string::npos;
}

}  // namespace

Error nothing_changed(const Error& error, const std::filesystem::path& folder) {
  if (says_what_to_do(error)) return error;
  return {
      fmt::format("{}; nothing was changed: try again, or see what is wrong with  dowser check {}",
                  error.message, folder.string())};
}

Error what_was_kept(const Error& error, const std::filesystem::path& folder, bool is_resumed) {
  if (says_what_to_do(error)) return error;
  std::error_code failed;
  if (!std::filesystem::exists(folder / "crawl.toml", failed) && !is_resumed) {
    return {error.message + "; nothing was kept: start again when this is mended"};
  }
  if (error.message.find("malformed") != std::string::npos) {
    return {fmt::format("{}; rebuild the catalogue from the archive with  dowser check {} --repair",
                        error.message, folder.string())};
  }
  return {fmt::format("{}; what was kept is whole: go on with  dowser resume {}", error.message,
                      folder.string())};
}

}  // namespace dowser
