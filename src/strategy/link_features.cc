#include "strategy/link_features.h"

#include <algorithm>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr size_t kMostPatternBytes = 60;
constexpr int kLastTags = 4;

// What each group weighs: those of the experiment that the strategy `learned` is built on.
enum Group : uint32_t { kAnchor, kUrl, kContext, kTagPath, kTags, kDirectory, kBias, kTraits };
constexpr double kAnchorWeight = 1, kUrlWeight = 0.7, kContextWeight = 0.5, kTagPathWeight = 0.5,
                 kDirectoryWeight = 0.5, kBiasWeight = 0.5, kHostWeight = 0.3, kShapeWeight = 0.4;

uint32_t short_hash(std::string_view text) { return static_cast<uint32_t>(hash64(text)); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters become one a, digits one 9.
std::string pattern(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char kind = is_letter(c) ? 'a' : is_digit(c) ? '9' : c;
    if (kind == c && kind != 'a' && kind != '9') {
      out += c;
    } else if (out.empty() || out.back() != kind) {
      out += kind;
    }
    if (out.size() >= kMostPatternBytes) break;
  }
  return out;
}

std::string_view last_tags(std::string_view path) {
  size_t begin = path.size();
  for (int i = 0; i < kLastTags && begin != 0 && begin != path.npos; ++i) {
    begin = path.rfind('>', begin - 1);
  }
  return begin == path.npos ? path : path.substr(begin);
}

}  // namespace

std::array<uint32_t, 5> address_traits(const Url& url) {
  const std::string_view path = url.path();
  const std::string_view last = path.substr(path.rfind('/') + 1);
  const size_t dot = last.rfind('.');
  const auto depth = static_cast<uint32_t>(std::count(path.begin(), path.end(), '/'));
  return {short_hash(url.host()), 2 * depth + (url.query().empty() ? 0 : 1),
          dot == last.npos ? 0 : short_hash(last.substr(dot)), short_hash(pattern(last)),
          short_hash(pattern(path))};
}

void link_features(const LinkMemory& memory, const LinkMemory::LinkRow& link,
                   LinkModel::Features& out) {
  const LinkMemory::AddressRow& address = memory.addresses()[link.address];
  const NamedYields& tag_paths = memory.tag_paths();
  const auto one = [&](uint32_t group, uint32_t name, double weight) {
    LinkModel::add(group, {&name, 1}, weight, out);
  };
  out.clear();
  LinkModel::add(kAnchor, memory.anchor_words(link), kAnchorWeight, out);
  LinkModel::add(kUrl, memory.words(address), kUrlWeight, out);
  LinkModel::add(kContext, memory.context_words(link), kContextWeight, out);
  one(kTagPath, tag_paths.hash(link.tag_path), kTagPathWeight);
  one(kTags, short_hash(last_tags(tag_paths.name(link.tag_path))), kTagPathWeight);
  one(kDirectory, memory.directories().hash(address.directory), kDirectoryWeight);
  one(kBias, 0, kBiasWeight);
  for (uint32_t i = 0; i < address.traits.size(); ++i) {
    one(kTraits + i, address.traits[i], i == 0 ? kHostWeight : kShapeWeight);
  }
}

}  // namespace dowser
