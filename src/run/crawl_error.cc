#include "run/crawl_error.h"

#include <fmt/format.h>

#include "store/catalogue.h"

namespace dowser {

Error error_of(const Refusal& refusal) { return {refusal.why + ": " + refusal.next_step}; }

Error nothing_changed(const Error& error, const std::filesystem::path& folder) {
  return {
      fmt::format("{}; nothing was changed: try again, or see what is wrong with  dowser check {}",
                  error.message, folder.string())};
}

Error what_was_kept(const Error& error, const std::filesystem::path& folder, bool is_resumed) {
  std::error_code failed;
  if (!std::filesystem::exists(folder / "crawl.toml", failed) && !is_resumed) {
    return {error.message + "; nothing was stored: remove the cause and start again"};
  }
  if (Catalogue::is_damaged(folder / "catalogue.sqlite")) {
    return {fmt::format("{}; rebuild the catalogue from the archive with  dowser check {} --repair",
                        error.message, folder.string())};
  }
  return {fmt::format("{}; what was stored so far is undamaged: continue with  dowser resume {}",
                      error.message, folder.string())};
}

}  // namespace dowser
