#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "archive/archive_index.h"
#include "fetch/web.h"

namespace dowser {

// An archived web: every address answers as it did when it was archived (status, headers,
// redirects, robots.txt). What the archive does not hold fails with kNotInArchive.
class ArchiveWeb final : public Web {
 public:
  static Result<std::unique_ptr<ArchiveWeb>> open(std::span<const std::filesystem::path> files);
  explicit ArchiveWeb(ArchiveSet archives);

  Response get(const Url& url) override;
  bool may_hold(const Url& url) const override;

  // The date of the first page, at which simulated time starts, so that the same crawl gives the
  // same bytes.
  Time started() const { return started_; }
  size_t size() const { return archives_.urls().size(); }
  uint64_t damaged() const { return archives_.damaged(); }  // records that cannot be read

 private:
  std::optional<RecordRef> find(const Url& url) const;

  ArchiveSet archives_;
  // A crawl asks for canonical addresses; an archive holds them as they were. Only where the two
  // differ.
  absl::flat_hash_map<std::string, RecordRef> by_canonical_;
  Time started_;
};

}  // namespace dowser
