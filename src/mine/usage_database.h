#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mine/log_merge.h"
#include "mine/session_counter.h"
#include "mine/usage_result.h"
#include "store/table_file.h"

// usage.sqlite: everything that was mined from logs, in one SQLite file. Its tables are described
// in docs/formats.md. Without finish() there is no file.

namespace dowser {

class UsageDatabase {
 public:
  static Result<UsageDatabase> create(const std::filesystem::path& path);

  // Sessions, as they end. `source` is where the visit came from.
  Status add(const UsageSession& session, std::string_view source, std::string_view referrer);
  // Everything else, when all is counted.
  Status add(const UsageResult& result, const HitCounter& hits, const SessionCounter& sessions);
  // From now on the file has its name.
  Status finish();

 private:
  UsageDatabase(TableFile file, std::vector<Statement> statements);

  Status add_pages(const UsageResult& result, const HitCounter& hits,
                   const SessionCounter& sessions);
  Status add_users(const UsageResult& result, const HitCounter& hits);
  Status add_counts(const UsageResult& result);
  Status add_patterns(const UsagePatterns& patterns);
  Status add_pattern(std::string_view kind, const std::vector<uint32_t>& pages, size_t support,
                     double confidence, double lift);
  Status add_clusters(std::string_view kind, const std::vector<UsageCluster>& clusters);

  TableFile file_;
  Statement insert_session_, insert_view_, insert_event_;
  int64_t sessions_ = 0, patterns_ = 0, clusters_ = 0;
};

}  // namespace dowser
