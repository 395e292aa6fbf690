#include "strategy/learned/link_features.h"

#include <algorithm>

#include "base/hash.h"

namespace dowser {
namespace {

// The weight of each group of features, from the experiment that `learned` is based on.
enum Group : uint32_t {
  kAnchor,
  kUrlWords,
  kContext,
  kTagPath,
  kTags,
  kDirectoryName,
  kBias,
  kTraits
};
constexpr double kAnchorWeight = 1, kUrlWeight = 0.7, kContextWeight = 0.5, kTagPathWeight = 0.5,
                 kDirectoryWeight = 0.5, kBiasWeight = 0.5, kHostWeight = 0.3, kShapeWeight = 0.4;

uint32_t short_hash(std::string_view text) { return static_cast<uint32_t>(hash64(text)); }

// Letters become 'a', digits '9', all other characters stay.
constexpr std::array<char, 256> kKind = [] {
  std::array<char, 256> kinds{};
  for (int c = 0; c < 256; ++c) kinds[c] = static_cast<char>(c);
  for (int c = '0'; c <= '9'; ++c) kinds[c] = '9';
  for (int c = 'a'; c <= 'z'; ++c) kinds[c] = kinds[c - 0x20] = 'a';
  return kinds;
}();

// The pattern of a text: a run of letters becomes one 'a', a run of digits one '9'.
class Pattern {
 public:
  explicit Pattern(std::string_view pattern = {}) : size_(pattern.copy(bytes_.data(), kMost)) {}

  void add(std::string_view text) {
    char before = 0;
    for (size_t i = 0; i < text.size() && size_ < kMost; ++i) {
      const char kind = kKind[static_cast<uint8_t>(text[i])];
      if (kind != before || (kind != 'a' && kind != '9')) bytes_[size_++] = kind;
      before = kind;
    }
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  static constexpr size_t kMost = 60;
  std::array<char, kMost> bytes_;
  size_t size_;
};

}  // namespace

std::string_view directory_of(const Url& url) {
  const std::string_view path = url.path();
  const auto begin = static_cast<size_t>(path.data() - url.href().data());
  return url.href().substr(0, begin + path.rfind('/') + 1);
}

DirectoryTraits directory_traits(const Url& url) {
  const std::string_view path = url.path().substr(0, url.path().rfind('/') + 1);
  Pattern pattern;
  pattern.add(path);
  return {short_hash(url.host()), static_cast<uint32_t>(std::count(path.begin(), path.end(), '/')),
          std::string(pattern.text())};
}

std::array<uint32_t, 5> address_traits(const DirectoryTraits& directory, const Url& url) {
  const std::string_view last = url.path().substr(url.path().rfind('/') + 1);
  const size_t dot = last.rfind('.');
  Pattern of_last;
  of_last.add(last);
  Pattern of_path(directory.pattern);
  of_path.add(of_last.text());
  return {directory.host, 2 * directory.depth + (url.query().empty() ? 0 : 1),
          dot == last.npos ? 0 : short_hash(last.substr(dot)), short_hash(of_last.text()),
          short_hash(of_path.text())};
}

LinkModel::Features link_features(const LinkMemory& memory, const LinkMemory::LinkRow& link) {
  const LinkMemory::AddressRow& address = memory.addresses()[link.address];
  LinkModel::Features features;
  features.add(kAnchor, memory.anchor_words(link), kAnchorWeight);
  features.add(kUrlWords, memory.words(address), kUrlWeight);
  features.add(kContext, memory.context_words(link), kContextWeight);
  features.add(kTagPath, memory.tag_paths().hash(link.tag_path), kTagPathWeight);
  features.add(kTags, memory.last_tags(link), kTagPathWeight);
  features.add(kDirectoryName, memory.directories().hash(address.directory), kDirectoryWeight);
  features.add(kBias, 0u, kBiasWeight);
  for (uint32_t i = 0; i < address.traits.size(); ++i) {
    features.add(kTraits + i, address.traits[i], i == 0 ? kHostWeight : kShapeWeight);
  }
  return features;
}

}  // namespace dowser
