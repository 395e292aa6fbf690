#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "fetch/web.h"

namespace dowser {

class ArchiveSet;

// An archived web: every address answers as it did when it was archived (status, headers, redirects,
// robots.txt). What the archive does not hold fails with kNotInArchive.
class ArchiveWeb final : public Web {
 public:
  static Result<std::unique_ptr<ArchiveWeb>> open(std::span<const std::filesystem::path> files);
  explicit ArchiveWeb(std::unique_ptr<ArchiveSet> archives);
  ~ArchiveWeb() override;

  Response get(const Url& url) override;
  bool may_hold(const Url& url) const override;

  // The date of the oldest page: where pretended time starts, so that the same crawl gives the same bytes.
  Time started() const;

 private:
  std::unique_ptr<ArchiveSet> archives_;
};

}  // namespace dowser
