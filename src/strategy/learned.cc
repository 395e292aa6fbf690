#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>

#include "base/hash.h"
#include "model/url_canonical.h"
#include "strategy/link_memory.h"
#include "strategy/strategy.h"
#include "text/terms.h"
#include "text/tokens.h"

// Learned: what a good link looks like is not fixed in advance but learned from every page that
// comes back. (essay to come)

namespace dowser {
namespace {

constexpr double kNeighbourFade = 0.6;
constexpr int kReach = 6;              // places to either side at which neighbours count
constexpr size_t kMostParents = 12;    // in-links of an address that are looked at, the newest
constexpr size_t kMostPages = 20'000;  // whose terms are kept, to judge them again

enum Feature {
  kMaxPage,
  kMeanPage,
  kSumPage,
  kMaxAnchor,
  kMeanAnchor,
  kUrl,
  kMaxContext,
  kMeanContext,
  kMaxHub,
  kMeanHub,
  kTagOfPage,
  kMaxNear,
  kMeanNear,
  kTag,
  kDirectory,
  kFeatures
};
constexpr std::array<std::string_view, kFeatures> kNames = {
    "page", "page_mean", "page_sum",    "anchor", "anchor_mean", "url", "context",  "context_mean",
    "hub",  "hub_mean",  "tag_of_page", "near",   "near_mean",   "tag", "directory"};
constexpr std::array<double, kFeatures> kWeights = {1, 1, 0.3, 8,   6,   2, 3, 4,
                                                    1, 1, 1,   2.5, 1.2, 1, 1};

using Features = std::array<double, kFeatures>;

class Learned final : public Strategy {
 public:
  Learned(const StrategyContext& context, int64_t rescored)
      : judge_(context.judge), rescored_(rescored) {}

  void learn(const Visit& visit) override {
    if (judge_ && judge_->generation() != generation_) {
      generation_ = judge_->generation();
      judge_again();
      is_stale_ = true;
    }
    const bool counts = visit.response.ok() && !visit.near_duplicate_of && !visit.soft_404;
    const double relevance = counts ? visit.judgement.relevance.value : 0;
    const uint64_t asked = hash64(seen_key(visit.candidate.url, rules_));
    visited(visit.candidate.url, asked, relevance);
    if (!visit.redirects.empty()) {
      visited(visit.response.url, hash64(seen_key(canonical(visit.response.url, rules_), rules_)),
              relevance);
    }
    memory_.add_page(asked, relevance);
    kept_.push_back({static_cast<uint32_t>(memory_.pages().size() - 1), visit.page.language,
                     counts ? visit.page.terms : std::vector<TermCount>()});
    if (kept_.size() > kMostPages) kept_.pop_front();
    touch_neighbours(*memory_.find(asked));
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    const Page& page = visit.page;
    const Url url = canonical(link.url, rules_);
    const uint64_t fingerprint = hash64(seen_key(url, rules_));
    const uint32_t address = add_address(url, fingerprint, page.language);
    distinct(page.terms_in(link.anchor), anchor_words_);
    distinct(page.terms_around(link), context_words_);
    const uint32_t number = memory_.add_link(
        address, static_cast<uint32_t>(hash64(page.tag_path(link))), anchor_words_, context_words_);
    look_at_words(memory_.links()[number]);
    return Score(total(features_of(address)));
  }

  void revise(Frontier& frontier) override {
    if (is_stale_) {
      is_stale_ = false;
      for (uint32_t i = 0; i < memory_.addresses().size(); ++i) rescore(frontier, i);
      touched_.clear();
      return;
    }
    for (const uint32_t address : touched_) rescore(frontier, address);
    touched_.clear();
    const size_t known = memory_.addresses().size();
    for (int64_t n = std::min<int64_t>(rescored_, static_cast<int64_t>(known)); n > 0; --n) {
      sweep_ = sweep_ + 1 < known ? sweep_ + 1 : 0;
      rescore(frontier, sweep_);
    }
  }

  std::vector<ScorePart> explain(const Visit&, const Link& link) const override {
    const auto address = memory_.find(hash64(seen_key(canonical(link.url, rules_), rules_)));
    if (!address) return {};
    const Features features = features_of(*address);
    std::vector<ScorePart> parts;
    for (int i = 0; i < kFeatures; ++i) {
      if (features[i] != 0) parts.push_back({kNames[i], kWeights[i] * features[i]});
    }
    return parts;
  }

  void save(ByteWriter& out) const override {
    memory_.save(out);
    out.number(generation_);
    out.number(static_cast<uint32_t>(kept_.size()));
    for (const KeptPage& kept : kept_) {
      out.number(kept.page);
      out.text(kept.language);
      out.text({reinterpret_cast<const char*>(kept.terms.data()),
                kept.terms.size() * sizeof(TermCount)});
    }
  }

  Status load(ByteReader& in) override {
    if (Status s = memory_.load(in); !s) return s;
    generation_ = in.number<uint64_t>();
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      KeptPage& kept = kept_.emplace_back();
      kept.page = in.number<uint32_t>();
      kept.language = in.text();
      const std::string_view terms = in.text();
      kept.terms.resize(terms.size() / sizeof(TermCount));
      if (!terms.empty()) std::memcpy(kept.terms.data(), terms.data(), terms.size());
    }
    if (!in.ok()) return Error{"what the strategy learned is cut short"};
    is_stale_ = true;
    return {};
  }

  Spec spec() const override { return {"learned", {{"rescored", std::to_string(rescored_)}}}; }

 private:
  struct KeptPage {
    uint32_t page;
    std::string language;
    std::vector<TermCount> terms;
  };

  uint32_t add_address(const Url& url, uint64_t fingerprint, std::string_view language) {
    if (const auto known = memory_.find(fingerprint)) return *known;
    std::vector<TermId> words;
    for (const std::string& token : url_tokens(url.href())) {
      for (const TermId id : term_ids(token, language)) words.push_back(id);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    const std::string_view path = url.path();
    const uint64_t directory = hash64(path.substr(0, path.rfind('/') + 1), hash64(url.host()));
    const uint32_t address =
        memory_.add_address(fingerprint, static_cast<uint32_t>(directory), words);
    if (judge_) {
      auto& row = memory_.addresses()[address];
      row.url = static_cast<float>(judge_->direction_of(memory_.words(row)));
    }
    return address;
  }

  void visited(const Url& url, uint64_t fingerprint, double relevance) {
    memory_.set_relevance(add_address(canonical(url, rules_), fingerprint, "en"), relevance);
  }

  static void distinct(std::span<const PlacedTerm> terms, std::vector<TermId>& words) {
    words.clear();
    for (const PlacedTerm& term : terms) words.push_back(term.id);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }

  void look_at_words(LinkMemory::LinkRow& link) {
    if (!judge_) return;
    link.anchor = static_cast<float>(judge_->direction_of(memory_.anchor_words(link)));
    link.context = static_cast<float>(judge_->direction_of(memory_.context_words(link)));
  }

  // The judge has learned: what it thinks of pages and words is asked again.
  void judge_again() {
    for (const KeptPage& kept : kept_) {
      if (kept.terms.empty()) continue;
      const double relevance = judge_->relevance_of(kept.terms, kept.language).value;
      memory_.set_page_relevance(kept.page, relevance);
      const uint32_t address = memory_.pages()[kept.page].address;
      if (address != LinkMemory::kNone) memory_.set_relevance(address, relevance);
    }
    for (auto& link : memory_.links()) look_at_words(link);
    for (auto& address : memory_.addresses()) {
      address.url = static_cast<float>(judge_->direction_of(memory_.words(address)));
    }
  }

  // What stands beside a link that was just followed is looked at again.
  void touch_neighbours(uint32_t address) {
    size_t parents = 0;
    for (uint32_t i = memory_.addresses()[address].first_in;
         i != LinkMemory::kNone && parents < kMostParents; i = memory_.links()[i].next_in) {
      ++parents;
      const auto& page = memory_.pages()[memory_.links()[i].page];
      const uint32_t begin = std::max<int64_t>(page.first_link, int64_t{i} - kReach);
      const uint32_t end = std::min(page.first_link + page.links, i + kReach + 1);
      for (uint32_t k = begin; k < end; ++k) touched_.push_back(memory_.links()[k].address);
    }
  }

  double expected() const {
    const Yield& all = memory_.all();
    return 0.7 * (all.count ? all.sum / all.count : 0) + 0.015;
  }

  // What the links beside this one on its page have brought, the nearer the more.
  double near(uint32_t number, double hub) const {
    const auto links = memory_.links();
    const auto addresses = memory_.addresses();
    const auto& page = memory_.pages()[links[number].page];
    double sum = 0.5 * hub, weight = 0.5, fade = 1;
    for (int distance = 1; distance <= kReach; ++distance) {
      fade *= kNeighbourFade;
      for (const int64_t k : {int64_t{number} - distance, int64_t{number} + distance}) {
        if (k < page.first_link || k >= page.first_link + page.links) continue;
        const auto& other = addresses[links[static_cast<size_t>(k)].address];
        if (!other.visited) continue;
        sum += fade * other.relevance;
        weight += fade;
      }
    }
    return sum / weight;
  }

  Features features_of(uint32_t number) const {
    const auto& address = memory_.addresses()[number];
    const double g = expected();
    Features f{};
    f[kMaxAnchor] = f[kMaxContext] = -1;
    double count = 0;
    for (uint32_t i = address.first_in; i != LinkMemory::kNone && count < kMostParents;
         i = memory_.links()[i].next_in) {
      ++count;
      const auto& link = memory_.links()[i];
      const auto& page = memory_.pages()[link.page];
      const double hub = page.children.mean(g, 2);
      const double near_yield = near(i, hub);
      f[kMaxPage] = std::max<double>(f[kMaxPage], page.relevance);
      f[kMeanPage] += page.relevance;
      f[kMaxAnchor] = std::max<double>(f[kMaxAnchor], link.anchor);
      f[kMeanAnchor] += link.anchor;
      f[kMaxContext] = std::max<double>(f[kMaxContext], link.context);
      f[kMeanContext] += link.context;
      f[kMaxHub] = std::max(f[kMaxHub], hub);
      f[kMeanHub] += hub;
      f[kTagOfPage] =
          std::max(f[kTagOfPage], memory_.tag_path_of_page(link.page, link.tag_path).mean(hub, 2));
      f[kMaxNear] = std::max(f[kMaxNear], near_yield);
      f[kMeanNear] += near_yield;
      f[kTag] = std::max(f[kTag], memory_.tag_path(link.tag_path).mean(g, 3));
    }
    if (count == 0) return Features{};
    f[kSumPage] = std::log(1 + f[kMeanPage]);
    for (const Feature mean : {kMeanPage, kMeanAnchor, kMeanContext, kMeanHub, kMeanNear}) {
      f[mean] /= count;
    }
    f[kUrl] = address.url;
    f[kDirectory] = memory_.directory(address.directory).mean(g, 3);
    return f;
  }

  static double total(const Features& features) {
    double sum = 0;
    for (int i = 0; i < kFeatures; ++i) sum += kWeights[i] * features[i];
    return sum;
  }

  void rescore(Frontier& frontier, uint32_t number) {
    const auto& address = memory_.addresses()[number];
    if (address.visited || address.first_in == LinkMemory::kNone) return;
    frontier.set_score(address.fingerprint, Score(total(features_of(number))));
  }

  const JudgeView* const judge_;
  const int64_t rescored_;  // addresses that are scored again at each visit, besides those touched
  const CanonicalRules rules_;
  LinkMemory memory_;
  std::deque<KeptPage> kept_;
  std::vector<uint32_t> touched_;
  uint64_t generation_ = 0;  // of the judge whose opinion stands in the memory
  bool is_stale_ = false;    // everything that waits is to be scored again
  uint32_t sweep_ = 0;
  std::vector<TermId> anchor_words_, context_words_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_learned(const Spec& spec, const StrategyContext& context) {
  Parameters p(spec);
  const int64_t rescored = p.integer("rescored", 100);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<Learned>(context, rescored));
}

}  // namespace dowser
