#pragma once

#include <absl/container/flat_hash_map.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "archive/archive_index.h"
#include "base/result.h"
#include "mine/hit_counter.h"
#include "mine/session_links.h"
#include "mine/usage_options.h"
#include "mine/usage_session.h"
#include "model/session.h"

// Converts sessions of a log to browsing sessions (model/session.h), so that models can be learned
// from a server's visitors as well as from recorded sessions. A log contains neither the words of
// pages nor what people were looking for: the words come from an archive of the site, and pages
// that match a pattern or an event are treated as what the visitors wanted.

namespace dowser {

class ExportSessions {
 public:
  // Reads the archives of options.web; an error if one cannot be read.
  static Result<ExportSessions> open(const UsageOptions& options);

  // `site` is the address of the site, "http://example.org".
  void add(const UsageSession& session, const HitCounter& hits, const std::string& site);
  // Links the pages of each session, and writes the file.
  Status write(const std::filesystem::path& path);

  size_t sessions() const { return sessions_.size(); }
  size_t with_target() const { return with_target_; }
  size_t pages_without_html() const { return without_html_; }

 private:
  explicit ExportSessions(const UsageOptions& options);

  bool is_target(const SessionView& view, const SitePages& pages) const;
  const SessionPage& page(uint32_t number, const SitePages& pages, const std::string& site);

  std::vector<std::string> target_patterns_;
  uint32_t target_events_ = 0;
  std::optional<ArchiveSet> web_;
  std::vector<Session> sessions_;
  absl::flat_hash_map<uint32_t, SessionPage> pages_;  // by their numbers in the log
  size_t with_target_ = 0, without_html_ = 0;
};

// An error if a target is neither the name of an event nor a pattern.
Status check_targets(const UsageOptions& options);

}  // namespace dowser
