#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "archive/archive_index.h"
#include "base/result.h"
#include "mine/site_templates.h"
#include "model/page.h"
#include "store/text_index.h"

// The pages of crawls or archives with their full-text index: what `dowser topics` works on.

namespace dowser {

class Collection {
 public:
  // Called now and then; false ends the work.
  using Progress = std::function<bool(std::string_view step, size_t done, size_t of)>;

  // `places` are WARC files and folders of crawls. The index is kept in the file `index`, where it
  // is not empty. Otherwise that of a single crawl is its library (run/library.h), and others are
  // made again each time. An index that is there is used if it belongs to the same
  // files. Nothing: `progress` ended it.
  static Result<std::optional<Collection>> open(std::span<const std::string> places,
                                                const std::string& index, const Progress& progress);

  TextIndex& index() { return index_; }

  // The page at an address, with the template of its host marked; nothing if there is no HTML
  // page.
  std::optional<Page> page(const Url& url) const;

 private:
  Collection(ArchiveSet archive, SiteTemplates templates, TextIndex index)
      : archive_(std::move(archive)), templates_(std::move(templates)), index_(std::move(index)) {}

  static Result<std::optional<Collection>> of_crawl(const std::filesystem::path& folder,
                                                    ArchiveSet archive, SiteTemplates templates,
                                                    const Progress& progress);

  ArchiveSet archive_;
  SiteTemplates templates_;
  TextIndex index_;
};

}  // namespace dowser
