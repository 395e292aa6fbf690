#include "guard/near_duplicates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "archive/archive_index.h"
#include "base/random.h"
#include "parse/parse_page.h"
#include "tests/support.h"
#include "text/shingles.h"

namespace dowser {
namespace {

using Words = std::vector<std::string>;

Words random_words(Random& random, size_t n) {
  Words words;
  for (size_t i = 0; i < n; ++i) words.push_back(fmt::format("w{}", random.below(5000)));
  return words;
}

std::string text_of(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

// The same with `n` words replaced.
Words changed(Words words, size_t n, Random& random) {
  for (size_t i = 0; i < n; ++i)
    words[random.below(words.size())] = fmt::format("x{}", random.next());
  return words;
}

TEST(NearDuplicates, the_same_words_are_an_exact_repetition) {
  NearDuplicates pages;
  EXPECT_FALSE(pages.add({7}, "The quick brown fox jumps over the lazy dog."));
  const auto repeat = pages.add({8}, "the quick brown fox\njumps over THE lazy dog");
  ASSERT_TRUE(repeat);
  EXPECT_EQ(repeat->of, VisitId{7});
  EXPECT_TRUE(repeat->exact);
  EXPECT_FALSE(pages.add({9}, "something else altogether, of other words"));
  EXPECT_EQ(pages.pages(), 2u);
}

TEST(NearDuplicates, texts_without_words_repeat_nothing) {
  NearDuplicates pages;
  EXPECT_FALSE(pages.add({0}, ""));
  EXPECT_FALSE(pages.add({1}, ""));
  EXPECT_FALSE(pages.add({2}, " - ; "));
  EXPECT_EQ(pages.pages(), 0u);
}

TEST(NearDuplicates, a_changed_date_or_counter_is_found_and_other_pages_are_not) {
  Random random(3);
  NearDuplicates pages;
  const Words page = random_words(random, 800);
  EXPECT_FALSE(pages.add({0}, text_of(page)));
  const auto repeat = pages.add({1}, text_of(page) + " last changed 15 november 2004");
  ASSERT_TRUE(repeat);
  EXPECT_EQ(repeat->of, VisitId{0});
  EXPECT_FALSE(repeat->exact);
  EXPECT_GT(repeat->similarity, 0.95);
  EXPECT_FALSE(pages.add({2}, text_of(changed(page, 120, random))));
  EXPECT_FALSE(pages.add({3}, text_of(random_words(random, 800))));
}

TEST(NearDuplicates, a_family_does_not_drift_away_from_its_first_page) {
  // Each page is nearly the one before, but the last has little of the first.
  Random random(4);
  NearDuplicates pages;
  Words words = random_words(random, 1000);
  for (uint32_t i = 0; i < 40; ++i) {
    const auto repeat = pages.add({i}, text_of(words));
    if (i == 0) {
      EXPECT_FALSE(repeat);
    }
    if (repeat) {
      EXPECT_GE(repeat->similarity, 0.9);
    }
    words = changed(std::move(words), 8, random);
  }
  EXPECT_GT(pages.pages(), 3u);
  EXPECT_LT(pages.pages(), 20u);
}

TEST(NearDuplicates, many_pages_of_one_template_take_bounded_time_and_memory) {
  // Three quarters of every page are the same: all share bands, none is a duplicate.
  Random random(5);
  const std::string frame = text_of(random_words(random, 120));
  NearDuplicates pages;
  const uint32_t n = 20'000;
  for (uint32_t i = 0; i < n; ++i) {
    EXPECT_FALSE(pages.add({i}, frame + " " + text_of(random_words(random, 40)))) << i;
  }
  EXPECT_EQ(pages.pages(), n);
  EXPECT_LE(pages.memory_bytes() / n, 290u);
}

TEST(Similarity, estimates_the_jaccard_coefficient) {
  Random random(6);
  double worst = 0, squares = 0;
  int count = 0;
  for (const size_t length : {40, 200, 1000, 5000}) {
    for (const double share : {0.0, 0.002, 0.01, 0.03, 0.1, 1.0}) {
      for (int i = 0; i < 10; ++i) {
        const Words a = random_words(random, length);
        const Words b =
            changed(a, static_cast<size_t>(static_cast<double>(length) * share), random);
        const double exact = jaccard(shingle_set(text_of(a)), shingle_set(text_of(b)));
        const double error = similarity(sketch_of(text_of(a)), sketch_of(text_of(b))) - exact;
        worst = std::max(worst, std::abs(error));
        squares += error * error;
        ++count;
      }
    }
  }
  EXPECT_LT(worst, 0.1);
  EXPECT_LT(std::sqrt(squares / count), 0.025);
  EXPECT_EQ(similarity({}, {}), 0);
}

TEST(TextSketch, is_the_same_on_every_machine) {
  // Sketches are stored: a change here makes old crawls forget what they have seen.
  const TextSketch sketch = sketch_of("the quick brown fox jumps over the lazy dog");
  uint64_t bins = 0;
  for (const uint64_t word : sketch.bins) bins = bins * 31 + word;
  EXPECT_EQ(fmt::format("{:x} {:x} {:x}", sketch.digest, sketch.bands[0] ^ sketch.bands[7], bins),
            "f912a7000636179c d7ca22bc 431c336aeab2b000");
}

// The slow reference: the same rule with exact sets, every page against every first page before.
struct Agreement {
  size_t pages = 0, repeats = 0;  // by the reference
  size_t found = 0;               // by both
  size_t wrong = 0;               // by the sketches alone
  size_t far_off = 0;             // of these, with a true similarity below 0.85
};

Agreement compare(const std::vector<std::string>& texts) {
  Agreement result;
  NearDuplicates fast;
  std::map<uint32_t, std::vector<uint64_t>> firsts;  // of the fast one, so that both see the same
  for (uint32_t i = 0; i < texts.size(); ++i) {
    std::vector<uint64_t> set = shingle_set(texts[i]);
    if (set.empty()) continue;
    double best = 0;
    for (const auto& [id, other] : firsts) {
      const size_t small = std::min(set.size(), other.size()),
                   large = std::max(set.size(), other.size());
      if (10 * small < 8 * large) continue;  // cannot reach 0.8
      best = std::max(best, jaccard(set, other));
    }
    const auto repeat = fast.add({i}, texts[i]);
    ++result.pages;
    result.repeats += best >= 0.9;
    result.found += best >= 0.9 && repeat;
    if (repeat && best < 0.9) {
      ++result.wrong;
      result.far_off += jaccard(set, firsts[repeat->of.value]) < 0.85;
    }
    if (!repeat) firsts.emplace(i, std::move(set));
  }
  return result;
}

std::vector<std::string> texts_of(const std::filesystem::path& file) {
  const std::vector<std::filesystem::path> files = {file};
  const Result<ArchiveSet> archive = ArchiveSet::open(files);
  std::vector<std::string> texts;
  if (!archive) return texts;
  ParseOptions options;
  options.detect_language = false;
  for (const std::string& address : archive->urls()) {
    const Result<Response> response = archive->load(*archive->find(address));
    if (response && response->ok()) texts.push_back(parse_page(*response, options).text);
  }
  return texts;
}

TEST(NearDuplicates, agree_with_exact_jaccard_on_real_pages) {
  const auto file = test_data("webkb.warc.gz");
  if (!file) GTEST_SKIP() << kNoData;
  std::vector<std::string> texts = texts_of(*file);
  texts.resize(std::min<size_t>(texts.size(), 6000));  // the reference takes quadratic time
  const Agreement a = compare(texts);
  const std::string figures =
      fmt::format("{} pages, {} repeat another, {} of them found, {} wrong, {} far off", a.pages,
                  a.repeats, a.found, a.wrong, a.far_off);
  RecordProperty("webkb", figures);
  EXPECT_GT(a.repeats, 50u) << figures;
  EXPECT_GE(a.found * 100, a.repeats * 95) << figures;
  EXPECT_LE(a.wrong * 100, a.repeats * 10) << figures;
  EXPECT_EQ(a.far_off, 0u) << figures;
}

}  // namespace
}  // namespace dowser
