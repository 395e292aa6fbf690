#include "guard/document_copies.h"

#include "base/hash.h"

namespace dowser {
namespace {

constexpr size_t kMostEnding = 6;  // ".latex"

bool ends_packed(std::string_view name) {
  return name.ends_with(".gz") || name.ends_with(".GZ") || name.ends_with(".Z");
}

std::string_view without_ending(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == name.npos || name.size() - dot > kMostEnding ? name : name.substr(0, dot);
}

}  // namespace

// The letters of base 32 are as good as the bytes that they stand for.
uint64_t DocumentCopies::digest(const Document& document) { return hash64(document.digest); }

uint64_t DocumentCopies::stem(const Url& url) {
  if (url.has_query()) return 0;
  const std::string_view path = url.path();
  const size_t slash = path.rfind('/');
  std::string_view name = path.substr(slash + 1);
  if (ends_packed(name)) name = name.substr(0, name.rfind('.'));
  const std::string_view bare = without_ending(name);
  if (bare.empty() || bare == name) return 0;
  std::string key(url.origin());
  key += path.substr(0, slash + 1);
  key += bare;
  return hash64(key, 7);
}

DocumentCopies::Opinion DocumentCopies::add(VisitId id, const Url& url, const Document& document) {
  return add(id, digest(document), stem(url), document.format);
}

DocumentCopies::Opinion DocumentCopies::add(VisitId id, uint64_t digest, uint64_t stem,
                                            DocumentFormat format) {
  Opinion opinion;
  const auto [bytes, is_new] = by_bytes_.try_emplace(digest, id);
  if (!is_new) opinion.same_bytes_as = bytes->second;
  if (stem == 0 || opinion.same_bytes_as) return opinion;
  const auto [beside, is_first] = by_stem_.try_emplace(stem, First{id, format});
  if (!is_first) opinion.other_format_of = beside->second.id;
  return opinion;
}

}  // namespace dowser
