#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mine/log_merge.h"
#include "mine/session_counter.h"
#include "mine/usage_result.h"
#include "store/database.h"

// usage.sqlite: everything that was mined from logs, in one file that a person can open with
// anything. Its tables are described in docs/formats.md. The file has another name until it is
// complete; without finish() it goes.

namespace dowser {

class UsageDatabase {
 public:
  static Result<UsageDatabase> create(const std::filesystem::path& path);
  UsageDatabase(UsageDatabase&&) = default;
  ~UsageDatabase();

  // Sessions, as they end. `source` is where the visit came from.
  Status add(const UsageSession& session, std::string_view source, std::string_view referrer);
  // Everything else, when all is counted.
  Status add(const UsageResult& result, const HitCounter& hits, const SessionCounter& sessions);
  // From now on the file has its name.
  Status finish();

 private:
  UsageDatabase(std::filesystem::path path, Database database, std::vector<Statement> statements);

  Status add_pages(const UsageResult& result, const HitCounter& hits,
                   const SessionCounter& sessions);
  Status add_users(const UsageResult& result, const HitCounter& hits);
  Status add_counts(const UsageResult& result);
  Status add_patterns(const UsagePatterns& patterns);
  Status add_pattern(std::string_view kind, const std::vector<uint32_t>& pages, size_t support,
                     double confidence, double lift);
  Status add_clusters(std::string_view kind, const std::vector<UsageCluster>& clusters);
  Result<Statement> prepare(std::string_view sql) { return database_.prepare(sql); }

  std::filesystem::path path_;        // "" once it is finished or moved from
  std::unique_ptr<bool> unfinished_;  // null in what was moved from
  Database database_;
  Statement insert_session_, insert_view_, insert_event_;
  int64_t sessions_ = 0, patterns_ = 0, clusters_ = 0;
};

}  // namespace dowser
