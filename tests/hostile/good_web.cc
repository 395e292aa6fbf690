#include "tests/hostile/good_web.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dowser {
namespace {

constexpr std::array<std::string_view, 40> kEnglish = {
    "the",   "of",   "and",     "with",  "from",  "this",   "people", "water",  "house", "because",
    "about", "old",  "morning", "under", "which", "street", "never",  "summer", "paper", "table",
    "would", "long", "their",   "every", "small", "garden", "silver", "winter", "voice", "before",
    "after", "wood", "market",  "light", "again", "river",  "stone",  "always", "bread", "window"};

constexpr std::array<std::string_view, 16> kSyllables = {"ba", "der", "fi",  "gon", "ka", "lem",
                                                         "mi", "nor", "pu",  "ras", "so", "tel",
                                                         "vu", "wen", "yas", "zor"};

std::string made_up_word(Random& random) {
  std::string word;
  for (uint64_t n = 2 + random.below(3); n > 0; --n) {
    word += kSyllables[random.below(kSyllables.size())];
  }
  return word;
}

}  // namespace

std::string random_words(Random random, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += i % 12 == 0 ? ". " : " ";
    text += random.below(3) == 0 ? std::string(kEnglish[random.below(kEnglish.size())])
                                 : made_up_word(random);
  }
  return text + ".";
}

GoodWeb::GoodWeb(size_t pages, size_t hosts, uint64_t seed)
    : hosts_(std::clamp<size_t>(hosts, 1, std::max<size_t>(pages, 1))),
      seed_(seed),
      pages_(std::max<size_t>(pages, 1)) {
  Random random(seed);
  for (size_t i = 1; i < pages_.size(); ++i) {
    // A random recursive tree: its depth grows as the logarithm of the number of pages.
    Page& parent = pages_[random.below(i)];
    parent.links.push_back(static_cast<uint32_t>(i));
    pages_[i].on_topic = random.below(10) < (parent.on_topic ? 6 : 1);
  }
  for (Page& page : pages_) {
    for (uint64_t n = random.below(5); n > 0; --n) {
      page.links.push_back(static_cast<uint32_t>(random.below(pages_.size())));
    }
  }
}

std::string GoodWeb::path_of(size_t page) const {
  return page < hosts_ ? "/" : fmt::format("/pages/{}.html", page);
}

std::optional<size_t> GoodWeb::find(size_t host, std::string_view path) const {
  if (host == 0 || host > hosts_) return std::nullopt;
  if (path == "/") return host - 1;
  constexpr std::string_view kBefore = "/pages/";
  if (!path.starts_with(kBefore)) return std::nullopt;
  size_t page = 0;
  std::from_chars(path.data() + kBefore.size(), path.data() + path.size(), page);
  const bool is_here = page < size() && host_of(page) == host && path_of(page) == path;
  return is_here ? std::optional(page) : std::nullopt;
}

std::string GoodWeb::title(size_t page) const {
  return fmt::format("{} {}", on_topic(page) ? "The lighthouse" : "Page", page);
}

std::string GoodWeb::text(size_t page) const {
  Random random(seed_ * 1'000'003 + page);
  std::string text = random_words(Random(random.next()), 150);
  if (!on_topic(page)) return text;
  for (int i = 0; i < 30; ++i) {
    text.append(" ").append(kTopicWords[random.below(kTopicWords.size())]);
  }
  return text + ".";
}

}  // namespace dowser
