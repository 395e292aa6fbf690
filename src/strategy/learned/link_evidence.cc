#include "strategy/learned/link_evidence.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace dowser {
namespace {

// The number of imaginary pages of average relevance that each yield begins with.
constexpr double kHubPrior = 2, kGroupPrior = 2, kTagPrior = 3, kDirectoryPrior = 3;
constexpr double kNearPrior = 0.5, kWordPrior = 3;

constexpr double kMostPromise = 4;  // of a word of the topic: twice the usual yield

// The weight of the link model is half after it has learned from this many pages.
constexpr double kHalfTrusted = 100;

// The relevance expected of a page that nothing is known about.
double expected_of(const LinkMemory& memory) { return 0.7 * memory.all().mean(0, 1e-9) + 0.015; }

// How much the words of the topic in an anchor or in an address promise; described in learned.cc.
double promise_of(const LinkMemory& memory, const LinkMemory::WordYields& words, WordSet set) {
  if (set == 0) return 0;
  const double expected = expected_of(memory);
  const auto addresses = static_cast<double>(memory.addresses().size());
  const double greatest = std::log(1 + addresses);
  double sum = 0;
  for (size_t i = 0; i < memory.topic().size(); ++i) {
    if (!(set >> i & 1)) continue;
    const double ratio = words[i].yield.mean(expected, kWordPrior) / expected;
    const double rarity = std::log(1 + addresses / (1.0 + words[i].count)) / greatest;
    sum += std::min(kMostPromise, ratio * ratio) * rarity;
  }
  return sum / static_cast<double>(memory.topic().size());
}

}  // namespace

EvidenceValues evidence_of(const LinkMemory& memory, uint32_t number) {
  const auto& address = memory.addresses()[number];
  const double expected = expected_of(memory);
  EvidenceValues e{};
  size_t count = 0;
  WordSet topic_words = 0;
  const auto add = [&](Evidence max, Evidence mean, double value) {
    e[max] = count == 0 ? value : std::max(e[max], value);
    e[mean] += value;
  };
  for (uint32_t i = address.last_in; i != LinkMemory::kNone && count < kMostParents;
       i = memory.links()[i].next_in) {
    const auto& link = memory.links()[i];
    const auto& page = memory.pages()[link.page];
    const double hub = page.children.mean(expected, kHubPrior);
    add(kMaxAnchor, kMeanAnchor, link.anchor);
    add(kMaxContext, kMeanContext, link.context);
    add(kMaxPage, kMeanPage, page.relevance);
    add(kMaxHub, kMeanHub, hub);
    add(kMaxNear, kMeanNear, (link.near_sum + kNearPrior * hub) / (link.near_weight + kNearPrior));
    if (count < kModelParents) add(kMaxModel, kMeanModel, static_cast<double>(link.model));
    e[kGroup] = std::max(e[kGroup], memory.group(link).mean(hub, kGroupPrior));
    e[kTag] = std::max(e[kTag], memory.tag_path(link).mean(expected, kTagPrior));
    topic_words |= link.topic_words;
    ++count;
  }
  if (count == 0) return e;
  e[kSumPage] = std::log(1 + e[kMeanPage]);
  for (const Evidence mean : {kMeanAnchor, kMeanContext, kMeanPage, kMeanHub, kMeanNear}) {
    e[mean] /= static_cast<double>(count);
  }
  const auto lessons = static_cast<double>(memory.all().count);
  const double trust = lessons / (lessons + kHalfTrusted);
  e[kTopicAnchor] = promise_of(memory, memory.words_of_anchors(), topic_words);
  e[kTopicUrl] = promise_of(memory, memory.words_of_addresses(), address.topic_words);
  e[kMaxModel] *= trust;
  e[kMeanModel] *= trust / static_cast<double>(std::min(count, kModelParents));
  e[kUrl] = address.url;
  e[kDirectory] = memory.directory(address).mean(expected, kDirectoryPrior);
  return e;
}

std::vector<Lesson> lessons_of(const LinkMemory& memory, size_t most) {
  std::vector<Lesson> lessons;
  for (const auto& [kind, yields, prior] :
       {std::tuple("tag path", &memory.tag_paths(), kTagPrior),
        std::tuple("directory", &memory.directories(), kDirectoryPrior)}) {
    std::vector<Lesson> all;
    for (uint32_t i = 0; i < yields->size(); ++i) {
      const Yield& yield = (*yields)[i];
      if (yield.count == 0) continue;
      all.push_back({kind, yields->name(i), yield.mean(expected_of(memory), prior), yield.count});
    }
    const size_t n = std::min(all.size(), most);
    std::partial_sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(n), all.end(),
                      [](const Lesson& a, const Lesson& b) {
                        return a.value != b.value ? a.value > b.value : a.name < b.name;
                      });
    lessons.insert(lessons.end(), all.begin(), all.begin() + static_cast<ptrdiff_t>(n));
  }
  return lessons;
}

}  // namespace dowser
