#include "fetch/archive_web.h"

#include "model/url_canonical.h"

namespace dowser {

Result<std::unique_ptr<ArchiveWeb>> ArchiveWeb::open(std::span<const std::filesystem::path> files) {
  Result<ArchiveSet> archives = ArchiveSet::open(files);
  if (!archives) return archives.error();
  return std::make_unique<ArchiveWeb>(std::move(*archives));
}

ArchiveWeb::ArchiveWeb(ArchiveSet archives) : archives_(std::move(archives)) {
  for (const std::string& held : archives_.urls()) {
    const Result<Url> url = Url::parse(held);
    if (!url) continue;
    const Url other = canonical(*url);
    if (other.href() == held || archives_.find(other.href())) continue;
    by_canonical_.try_emplace(std::string(other.href()), *archives_.find(held));
  }
  if (!archives_.urls().empty()) {
    const Result<Response> first = archives_.load(*archives_.find(archives_.urls().front()));
    if (first) started_ = first->fetched_at;
  }
}

std::optional<RecordRef> ArchiveWeb::find(const Url& url) const {
  if (const auto ref = archives_.find(url.href())) return ref;
  const auto it = by_canonical_.find(std::string(url.href()));
  return it == by_canonical_.end() ? std::nullopt : std::optional(it->second);
}

Response ArchiveWeb::get(const Url& url) {
  Response missing;
  missing.url = url;
  missing.failure = Failure::kNotInArchive;
  const auto ref = find(url);
  if (!ref) return missing;
  Result<Response> response = archives_.load(*ref);
  if (!response) return missing;
  response->url = url;  // the archive may have another spelling
  return std::move(*response);
}

bool ArchiveWeb::may_hold(const Url& url) const { return find(url).has_value(); }

}  // namespace dowser
