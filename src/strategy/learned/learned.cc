
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "strategy/learned/address_book.h"
#include "strategy/learned/kept_pages.h"
#include "strategy/learned/known_hosts.h"
#include "strategy/learned/link_evidence.h"
#include "strategy/learned/link_features.h"
#include "strategy/learned/link_memory.h"
#include "strategy/learned/link_model.h"
#include "strategy/learned/link_words.h"
#include "strategy/strategy.h"

// Learned: Dowser's own strategy, and the default. The strategies of the papers fix in advance what
// a good link looks like; this one learns it during the crawl, from every page that is fetched.
//
// The score of a waiting address is computed from the newest dozen links to it. Each link brings
// these kinds of evidence, which enter as their maximum and their mean over the links:
//
// clang-format off
//   words     how much the anchor, the context (six terms on either side) and the address itself
//             point towards the topic (JudgesWords::direction_of(), better as the judge learns)
//   page      the relevance of the page that contains the link
//   yields    the mean relevance of what was found by following similar links: links of the same
//             page (hub), links next to it on the page (near), links with the same tag path on the
//             page and in the whole crawl (tag), addresses in the same directory (directory)
//   model     the prediction of a logistic regression over all features of the link
//             (strategy/learned/link_model.cc), which learns from every link that is followed
//   topic     what links with the same words of the topic in their anchors, or in their addresses,
//             have led to; only if the topic is given by words
// clang-format on
//
// A yield is a smoothed mean, (Σ r + k·g) / (n + k), where r is the relevance of the n pages
// fetched so far and g = 0.7 · (mean relevance of all pages) + 0.015 is the prior; for links of a
// page the yield of that page is the prior. A neighbour at distance d counts 0.6^d.
//
// Example: a page that is not relevant itself has a list of thirty links. One of them is followed
// because of its anchor, and its page turns out to be relevant. That raises `near` of its
// neighbours from 0.02 to 0.5, so they are followed next, and the crawl works through the list in
// both directions until pages that are not relevant lower `near` again.
//
// Words of the topic. Each word has a yield of its own, one for anchors and one for addresses,
// because words that a person gives are not equally good: of "event loop coroutine" the last one
// leads to what was meant, while half of all programs have events. The evidence of a link is
//
//   1/w Σ min(4, (yield of the word / yield expected of any link)²) · rarity of the word
//
// over those of the w words of the topic that it has; the rarity is 1 for a word that no other
// address has, 0 for one that all have.
//
// Sites. A crawl that begins on many sites finds links that look good on one of them, and could
// stay there for ever while another has what was meant. So a host that was asked for n < 20 pages
// gets a bonus of 5 (1 - n/20), in units of the score, over other hosts (frontier/frontier.h); in
// proportion less if fewer than 10 links to it are known, since a host with a single link is not a
// site to be explored. If there are seeds on many hosts, fewer pages of each are explored, 150 in
// all; and every third fetch goes to that host of a seed of which the fewest pages are known, until
// each has had its share, or until the best pages have the words of the topic; with examples alone
// there is no such start, because it costs more than it finds. Without this fair
// start a site whose front page does not mention the topic would never be opened, because the bonus
// is small beside the score of a link that has words of the topic.
//
// A host that has been worked out is put back, by 4 for each time that the mean relevance of its
// newest 25 pages has halved, compared with the mean of all pages of the crawl, three times at
// most. On a host where all pages have the words of the topic, links look good long after the last
// find.
//
// score = Σ weight · evidence. The weights (link_evidence.h) come from an experiment with 36 topics
// on five webs, in which weights learned during the crawl did worse. Most of the evidence is
// redundant: leaving out any one kind costs little. docs/comparison.md has the figures, and
// docs/experiments.md what was tried and did not help.
//
// The judge learns too. Whenever a new judge replaces the old one, the newest 5,000 pages and the
// words of the links to the 20,000 best waiting addresses are judged again, and those addresses are
// scored again. The other addresses will hardly be fetched, and keep the scores of an earlier
// judge. Apart from that, each visit rescores only the neighbours of the link that was followed, so
// the cost does not depend on how many links wait.
//
// The model learns, at every visit, from the links that led to it and from those of eight earlier
// visits drawn at random. Its weight grows with the number of pages that it has learned from: it is
// half after 100 pages.
//
// Cost (bench/learned): about 140 µs more than best-first for a page of 50 links with a million
// links waiting; 80 to 210 µs depending on the machine, since most of it is waiting for memory.
// That is why addresses are prefetched in batches below. Memory: 110 bytes for each of the newest
// `links` links, 120 for each address they lead to, 250 for each directory, 3 KB for each of the
// newest 5,000 pages: at most about 1.2 GB with the default of 5 million links.

namespace dowser {
namespace {

constexpr int64_t kTouchedReach = 3;   // links on either side of a followed link are rescored
constexpr size_t kTouchedParents = 1;  // pages on which the neighbours of a link are rescored
constexpr size_t kReplayed = 8;        // earlier visits that the model learns from again, per visit
constexpr size_t kMostVisited = 5000;  // visits from which those are drawn
constexpr size_t kMostAgain = 20'000;  // waiting addresses that are rescored for a new judge
constexpr size_t kBatch = 64;          // addresses that are prefetched together
constexpr double kSameScore = 0.05;    // a smaller change is not passed on to the frontier
constexpr int64_t kLinks = 5'000'000;
constexpr Exploration kExploration{.height = 5, .pages = 20, .known = 10};

struct LearnedOptions {
  int64_t links = kLinks;
  std::string without;
};

class Learned final : public Strategy,
                      public ExplainsScores,
                      public SavesState,
                      public ExploresHosts {
 public:
  Learned(const LearnedOptions& options, const Topic& topic, const JudgeView* judge)
      : options_(options),
        judge_(judge),
        memory_(static_cast<size_t>(options.links), TopicWords(topic.words)) {
    for (size_t i = 0; i < kEvidence; ++i) {
      const bool is_left_out = kEvidenceKinds[i].group == options_.without;
      weights_[i] = is_left_out ? 0 : kEvidenceKinds[i].weight;
    }
  }

  void learn(const Visit& visit) override {
    rescore_due(nullptr);
    is_due_ = true;
    make_room();
    if (judge_ && judge_->generation() != generation_) {
      generation_ = judge_->generation();
      judge_again();
    }
    const double relevance = visit.is_new_page() ? visit.judgement.relevance.value : 0;
    const uint32_t asked = note_visited(visit.candidate.url, relevance);
    hosts_.learn(visit, relevance, memory_.all().mean(0, 1e-9));
    if (!visit.redirects.empty()) note_visited(visit.response.url, relevance);
    learn_links(asked);
    const uint32_t page = memory_.add_page(relevance);
    if (visit.is_new_page()) kept_.add(memory_, page, asked, visit.page);
    touch_neighbours(asked);
    book_.look_up(visit);
    words_.read(visit.page);
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    const auto [address, is_new] = book_.entry_of(visit, link);
    if (is_new) look_at_words(memory_.addresses()[address]);
    const uint32_t tag_path = book_.tag_path_of(visit, link);
    if (memory_.is_late(memory_.addresses()[address])) {
      memory_.add_link(address, tag_path, {}, 0);
      last_ = {};
      return Score(0);
    }
    const auto [words, of_anchor] = words_.of(visit.page, link);
    const uint32_t number = memory_.add_link(address, tag_path, words, of_anchor);
    if (memory_.addresses()[address].visited) {
      last_ = {};
      return Score(0);
    }
    look_at_words(memory_.links()[number]);
    ask_model(memory_.links()[number]);
    last_ = evidence_of(memory_, address);
    const double score = total(last_);
    // A link that is found again keeps its best score until it is revised.
    float& known = memory_.addresses()[address].score;
    known = std::max(known, static_cast<float>(score));
    return Score(score);
  }

  void revise(FrontierView& frontier) override { rescore_due(&frontier); }

  // One term for each group.
  std::vector<ScorePart> explain(const Visit&, const Link&) const override {
    std::vector<ScorePart> parts;
    for (size_t i = 0; i < kEvidence; ++i) {
      if (parts.empty() || parts.back().name != kEvidenceKinds[i].group)
        parts.push_back({kEvidenceKinds[i].group});
      parts.back().value += weights_[i] * last_[i];
    }
    return parts;
  }

  Exploration exploration() const override {
    return options_.without == "sites" ? Exploration() : kExploration;
  }
  double fatigue() const override { return options_.without == "sites" ? 0 : hosts_.fatigue(); }

  std::vector<Candidate> select(FrontierView& frontier) override {
    if (options_.without == "sites") return Strategy::select(frontier);
    std::optional<Candidate> link = hosts_.take_fair_start(frontier, kExploration);
    if (!link) return Strategy::select(frontier);
    std::vector<Candidate> chosen;
    chosen.push_back(std::move(*link));
    return chosen;
  }

  std::vector<Lesson> lessons(size_t most) const override { return lessons_of(memory_, most); }

  void save(ByteWriter& out) const override {
    memory_.save(out);
    model_.save(out);
    hosts_.save(out);
    out.number(random_.state());
    out.number(static_cast<uint32_t>(visited_.size()));
    for (const uint32_t address : visited_) out.number(address);
    out.number(next_visited_);
    out.number(generation_);
    kept_.save(out);
  }

  Status load(ByteReader& in) override {
    if (Status s = memory_.load(in); !s) return s;
    if (Status s = model_.load(in); !s) return s;
    hosts_.load(in);
    random_ = Random(in.number<uint64_t>());
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      visited_.push_back(in.number<uint32_t>());
    }
    next_visited_ = in.number<uint64_t>();
    generation_ = in.number<uint64_t>();
    kept_.load(in);
    if (!in.ok()) return Error{"the saved state of the strategy is cut short"};
    return {};
  }

  Spec spec() const override {
    Spec spec{"learned", {{"links", std::to_string(options_.links)}}};
    if (options_.without != "nothing") spec.parameters["without"] = options_.without;
    return spec;
  }

 private:
  void make_room() {
    uint32_t moved = 0;
    if (!memory_.forget(moved)) return;
    kept_.renumber(memory_, moved);
    visited_.clear();
    for (uint32_t i = 0; i < memory_.addresses().size() && visited_.size() < kMostVisited; ++i) {
      if (memory_.addresses()[i].visited) visited_.push_back(i);
    }
    next_visited_ = 0;
    book_.forget();
    due_.clear();
  }

  uint32_t note_visited(const Url& url, double relevance) {
    const auto [address, is_new] = book_.entry_of(url);
    if (is_new) look_at_words(memory_.addresses()[address]);
    memory_.set_relevance(address, relevance);
    return address;
  }

  float direction_of(std::span<const TermId> words) const {
    return judge_ && !words.empty() ? static_cast<float>(judge_->direction_of(words)) : 0;
  }
  void look_at_words(LinkMemory::LinkRow& link) const {
    link.anchor = direction_of(memory_.anchor_words(link));
    link.context = direction_of(memory_.context_words(link));
  }
  void look_at_words(LinkMemory::AddressRow& address) const {
    address.url = direction_of(memory_.words(address));
  }

  // The link model learns from the links that led here, and again from a few earlier ones.
  void learn_links(uint32_t address) {
    if (memory_.addresses()[address].last_in == LinkMemory::kNone) return;  // a seed
    if (visited_.size() < kMostVisited) {
      visited_.push_back(address);
    } else {
      visited_[next_visited_++ % kMostVisited] = address;
    }
    batch_.assign(1, address);
    for (size_t i = 0; i < kReplayed; ++i) {
      batch_.push_back(visited_[random_.below(visited_.size())]);
    }
    memory_.prefetch(batch_);
    for (const uint32_t one : batch_) teach(one);
  }

  void teach(uint32_t number) {
    const auto& address = memory_.addresses()[number];
    size_t parents = 0;
    for (uint32_t i = address.last_in; i != LinkMemory::kNone && parents < kModelParents;
         i = memory_.links()[i].next_in) {
      ++parents;
      model_.learn(link_features(memory_, memory_.links()[i]),
                   static_cast<double>(address.relevance));
    }
  }

  void ask_model(LinkMemory::LinkRow& link) {
    link.model = static_cast<float>(model_.logit(link_features(memory_, link)));
  }

  // The judge has changed: pages and words are judged again.
  void judge_again() {
    kept_.judge_again(*judge_, memory_);
    due_ = best_waiting();
    is_stale_ = true;
    known_then_ = memory_.addresses().size();
    in_batches(due_, nullptr, [this](uint32_t number) { look_at_words(number); });
  }

  // Prefetches the rows of a batch, and what the frontier knows about it, before the callbacks.
  template <class Callback>
  void in_batches(std::span<const uint32_t> addresses, const FrontierView* frontier,
                  Callback callback) {
    for (size_t i = 0; i < addresses.size(); i += kBatch) {
      const auto batch = addresses.subspan(i, std::min(kBatch, addresses.size() - i));
      memory_.prefetch(batch);
      fingerprints_.clear();
      for (const uint32_t number : batch) {
        fingerprints_.push_back(memory_.addresses()[number].fingerprint);
      }
      if (frontier) frontier->prefetch(fingerprints_);
      for (const uint32_t number : batch) callback(number);
    }
  }

  std::vector<uint32_t> best_waiting() const {
    const std::span<const LinkMemory::AddressRow> addresses = memory_.addresses();
    std::vector<uint32_t> best;
    for (uint32_t i = 0; i < addresses.size(); ++i) {
      if (!addresses[i].visited) best.push_back(i);
    }
    if (best.size() <= kMostAgain) return best;
    std::nth_element(best.begin(), best.begin() + kMostAgain, best.end(),
                     [&](uint32_t a, uint32_t b) {
                       const float x = addresses[a].score, y = addresses[b].score;
                       return x != y ? x > y : a < b;
                     });
    best.resize(kMostAgain);
    std::sort(best.begin(), best.end());
    return best;
  }

  void look_at_words(uint32_t number) {
    LinkMemory::AddressRow& address = memory_.addresses()[number];
    look_at_words(address);
    size_t parents = 0;
    for (uint32_t i = address.last_in; i != LinkMemory::kNone && parents < kMostParents;
         i = memory_.links()[i].next_in) {
      ++parents;
      look_at_words(memory_.links()[i]);
    }
  }

  // Rescores what is due since the page that was learned last. When a crawl is resumed, the visits
  // since the last save are learned again, but revise() is not called, since the frontier already
  // has the new scores. In that case the next learn() does the work, so that the rows end up the
  // same.
  void rescore_due(FrontierView* frontier) {
    if (!is_due_) return;
    is_due_ = false;
    if (std::exchange(is_stale_, false)) {
      for (size_t i = known_then_; i < memory_.addresses().size(); ++i) {
        due_.push_back(static_cast<uint32_t>(i));
      }
    }
    in_batches(due_, frontier, [&](uint32_t number) { rescore(frontier, number); });
    due_.clear();
  }

  // Marks the neighbours of a link that was just followed to be rescored.
  void touch_neighbours(uint32_t address) {
    size_t parents = 0;
    for (uint32_t i = memory_.addresses()[address].last_in;
         i != LinkMemory::kNone && parents < kTouchedParents; i = memory_.links()[i].next_in) {
      ++parents;
      const auto& page = memory_.pages()[memory_.links()[i].page];
      const int64_t begin = std::max<int64_t>(page.first_link, int64_t{i} - kTouchedReach);
      const int64_t end =
          std::min<int64_t>(int64_t{page.first_link} + page.links, int64_t{i} + kTouchedReach + 1);
      for (int64_t k = begin; k < end; ++k) {
        due_.push_back(memory_.links()[static_cast<size_t>(k)].address);
      }
    }
  }

  double total(const EvidenceValues& evidence) const {
    double sum = 0;
    for (size_t i = 0; i < kEvidence; ++i) sum += weights_[i] * evidence[i];
    return sum;
  }

  void rescore(FrontierView* frontier, uint32_t number) {
    auto& address = memory_.addresses()[number];
    if (address.visited || address.last_in == LinkMemory::kNone) return;
    size_t parents = 0;
    for (uint32_t i = address.last_in; i != LinkMemory::kNone && parents < kModelParents;
         i = memory_.links()[i].next_in) {
      ++parents;
      ask_model(memory_.links()[i]);
    }
    const double score = total(evidence_of(memory_, number));
    if (std::abs(score - static_cast<double>(address.score)) < kSameScore) return;
    address.score = static_cast<float>(score);
    if (frontier) frontier->set_score(address.fingerprint, Score(score));
  }

  const LearnedOptions options_;
  const JudgeView* const judge_;
  EvidenceValues weights_;
  LinkMemory memory_;
  AddressBook book_{memory_};
  LinkModel model_;
  KnownHosts hosts_{memory_.topic()};
  Random random_{1};
  std::vector<uint32_t> visited_;  // ring of addresses that the model may learn from again
  uint64_t next_visited_ = 0;      // next position in the ring
  KeptPages kept_;
  uint64_t generation_ = 0;             // of the judge whose opinions are stored in memory_
  bool is_due_ = false;                 // some addresses are to be rescored:
  std::vector<uint32_t> due_;           // these addresses,
  bool is_stale_ = false;               // and, if the judge is new,
  size_t known_then_ = 0;               // all addresses with this number or a greater one
  std::vector<uint32_t> batch_;         // scratch space: addresses,
  std::vector<uint64_t> fingerprints_;  // and their fingerprints
  EvidenceValues last_{};               // of the link that score() was called for last
  LinkWords words_;                     // of the page that was learned last
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_learned(const Spec& spec, const StrategyContext& context) {
  Parameters p(spec);
  LearnedOptions options;
  options.links = p.integer("links", options.links);
  options.without = p.choice("without", {"nothing", "anchor", "context", "url", "page", "hub",
                                         "near", "tag", "directory", "model", "topic", "sites"});
  if (auto bad = p.finish()) return *bad;
  if (options.links < 1000) return Error{"links of learned must be at least 1000"};
  return std::unique_ptr<Strategy>(
      std::make_unique<Learned>(options, context.topic, context.judge));
}

}  // namespace dowser
