#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/growing_array.h"
#include "base/result.h"
#include "base/terms.h"
#include "strategy/learned/named_yields.h"
#include "text/topic_words.h"

// The memory of the strategy `learned`: which page linked to which address with which words, and
// how relevant the pages behind these links were. Pages, links and addresses are rows of plain
// arrays, so that computing a score takes a few look-ups; sums are updated as pages are fetched. A
// link with its words takes about 130 bytes, an address 80. The oldest links are dropped when there
// are too many.

namespace dowser {

class LinkMemory {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  // A further link to an address that has been visited and has this many links is called late: it
  // says something about its page, but nothing new about the address.
  static constexpr uint8_t kEnoughLinks = 4;
  static constexpr int kReach = 6;          // links up to this distance are neighbours
  static constexpr double kFade = 0.6;      // a neighbour at distance d counts kFade^d
  static constexpr size_t kMostWords = 40;  // kept of a link or of an address

  struct PageRow {
    float relevance = 0;
    uint32_t first_link = 0, links = 0;  // its rows in links(), in the order of the page
    Yield children;                      // of its links that were fetched
  };
  struct LinkRow {
    uint32_t page, address;
    uint32_t
        next_in;     // the previous link to the same address (late links have a list of their own)
    uint32_t group;  // the links of the page that have the same tag path
    uint32_t tag_path;
    uint32_t words;  // where its words begin in the pool: first those of the anchor
    uint8_t anchor_words = 0, all_words = 0;
    bool is_late = false;
    WordSet topic_words = 0;        // those of the topic in its anchor
    float anchor = 0, context = 0;  // how much these words point towards the topic
    float model = 0;                // prediction of the link model
    // Sums over its neighbours that were fetched, weighted by distance.
    float near_sum = 0, near_weight = 0;
  };
  struct AddressRow {
    uint64_t fingerprint;
    uint32_t directory;
    std::array<uint32_t, 5> traits{};  // hashes of its host and its shape, features of the model
    uint32_t words;                    // where the words of the address begin in the pool
    uint32_t last_in = kNone;          // the newest link to it that is not late
    uint32_t last_late = kNone;        // the newest late link
    float relevance = 0;               // if it was visited
    float url = 0;                     // how much the words of the address point towards the topic
    float score = 0;                   // with which it waits
    uint8_t word_count = 0;
    uint8_t in_links = 0;  // number of links to it, counted up to kEnoughLinks
    bool visited = false;
    WordSet topic_words = 0;  // those of the topic in the words of the address
  };
  // What following links with each word of the topic has led to, and in how many addresses or
  // anchors the word occurs.
  struct WordYield {
    Yield yield;
    uint32_t count = 0;
  };
  using WordYields = std::array<WordYield, TopicWords::kMost>;

  // When there are more links than this, the older half is dropped.
  explicit LinkMemory(size_t most_links, TopicWords topic = {})
      : most_links_(most_links), topic_(std::move(topic)) {}

  // Adds a page that was fetched. Its links are added next.
  uint32_t add_page(double relevance);
  uint32_t number_of_tag_path(std::string_view name);
  // Adds a link of the page that was added last. `words` holds each word once: first the
  // `of_anchor` words of the anchor, then those of the context.
  uint32_t add_link(uint32_t address, uint32_t tag_path, std::span<const TermId> words,
                    size_t of_anchor);

  bool is_late(const AddressRow& address) const {
    return address.visited && address.in_links >= kEnoughLinks;
  }

  std::optional<uint32_t> find(uint64_t fingerprint) const;
  // Prefetches the rows into the processor's cache. With a million addresses most of the time would
  // otherwise be spent waiting for memory.
  void prefetch(uint64_t fingerprint) const { by_fingerprint_.prefetch(fingerprint); }
  void prefetch(std::span<const uint32_t> addresses) const;
  uint32_t number_of_directory(std::string_view name, uint64_t hash) {
    return directories_.number_of(name, hash);
  }
  uint32_t add_address(uint64_t fingerprint, uint32_t directory, std::span<const TermId> words);

  // The page at this address has this relevance: it was fetched, or it was judged again.
  void set_relevance(uint32_t address, double relevance);
  void set_page_relevance(uint32_t page, double relevance);

  // Drops the oldest links if there are too many. Returns true if it did; then all numbers of
  // pages, links and addresses have changed, and those of pages are smaller by `page_moved`.
  bool forget(uint32_t& page_moved);

  std::span<const PageRow> pages() const { return pages_; }
  std::span<const LinkRow> links() const { return links_; }
  std::span<LinkRow> links() { return links_; }
  std::span<const AddressRow> addresses() const { return addresses_; }
  std::span<AddressRow> addresses() { return addresses_; }
  std::span<const TermId> anchor_words(const LinkRow& link) const {
    return std::span(words_).subspan(link.words, link.anchor_words);
  }
  // Includes the words of the anchor.
  std::span<const TermId> context_words(const LinkRow& link) const {
    return std::span(words_).subspan(link.words, link.all_words);
  }
  std::span<const TermId> words(const AddressRow& address) const {
    return std::span(words_).subspan(address.words, address.word_count);
  }

  const Yield& group(const LinkRow& link) const { return groups_[link.group]; }
  const Yield& tag_path(const LinkRow& link) const { return tag_paths_[link.tag_path]; }
  uint32_t last_tags(const LinkRow& link) const { return last_tags_[link.tag_path]; }
  const Yield& directory(const AddressRow& address) const {
    return directories_[address.directory];
  }
  const NamedYields& tag_paths() const { return tag_paths_; }
  const NamedYields& directories() const { return directories_; }
  const Yield& all() const { return all_; }  // of all visited pages
  const TopicWords& topic() const { return topic_; }
  const WordYields& words_of_addresses() const { return words_of_addresses_; }
  const WordYields& words_of_anchors() const { return words_of_anchors_; }

  size_t memory_bytes() const;
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  uint32_t add_words(std::span<const TermId> words);
  void note_last_tags();  // for new tag paths
  // Calls back for each link of the same page up to kReach places away, with its weight.
  template <class Callback>
  void each_neighbour(uint32_t link, Callback callback);
  // Adds the outcome of following this link to the yields of its page, group, tag path and
  // neighbours.
  void credit(uint32_t link, double relevance, int count);
  void meet_neighbours(uint32_t link);  // takes over the outcomes of a new link's neighbours

  const size_t most_links_;
  const TopicWords topic_;
  WordYields words_of_addresses_, words_of_anchors_;
  GrowingArray<PageRow> pages_;
  GrowingArray<LinkRow> links_;
  GrowingArray<AddressRow> addresses_;
  GrowingArray<TermId> words_;
  GrowingArray<Yield> groups_;
  NamedYields tag_paths_, directories_;
  std::vector<uint32_t> last_tags_;  // hashes of the last four tags, by number of the tag path
  absl::flat_hash_map<uint64_t, uint32_t> by_fingerprint_;
  std::vector<std::pair<uint32_t, uint32_t>> groups_of_page_;  // of the last page: tag path, group
  Yield all_;
};

}  // namespace dowser
