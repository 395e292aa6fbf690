#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/terms.h"

// Which page linked to which address with which words, and what became of it: the memory of a
// strategy that learns from links. Pages, links and addresses are rows of plain arrays.

namespace dowser {

// What fetches of one kind have brought so far.
struct Yield {
  double sum = 0;  // of relevance
  uint32_t count = 0;

  // The mean, as though `weight` more had brought `expected` each.
  double mean(double expected, double weight) const {
    return (sum + weight * expected) / (count + weight);
  }
};

class LinkMemory {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct PageRow {
    float relevance = 0;
    uint32_t first_link = 0, links = 0;  // in order of the page
    uint32_t address = kNone;
    Yield children;  // those that were fetched
  };
  struct LinkRow {
    uint32_t page, address;
    uint32_t next_in = kNone;  // the next link to the same address
    uint32_t tag_path;         // by hash
    uint32_t words;            // where its words begin in the pool: anchor, then context
    uint8_t anchor_words = 0, context_words = 0;
    float anchor = 0, context = 0;  // how much they point towards the topic
  };
  struct AddressRow {
    uint64_t fingerprint;
    uint32_t directory;         // by hash
    uint32_t first_in = kNone;  // link to it
    uint32_t words;             // of the address itself
    uint8_t word_count = 0;
    bool visited = false;
    float relevance = 0;  // where it was visited
    float url = 0;        // how much its words point towards the topic
  };

  // A page has come back; its links follow.
  uint32_t add_page(uint64_t fingerprint, double relevance);
  // A link of the page added last. Words are those of anchor and context, each once.
  uint32_t add_link(uint32_t address, uint32_t tag_path, std::span<const TermId> anchor,
                    std::span<const TermId> context);

  std::optional<uint32_t> find(uint64_t fingerprint) const;
  uint32_t add_address(uint64_t fingerprint, uint32_t directory, std::span<const TermId> words);

  // The address brought a page of this relevance, or another relevance than was thought.
  void set_relevance(uint32_t address, double relevance);
  void set_page_relevance(uint32_t page, double relevance) { pages_[page].relevance = relevance; }

  std::span<const PageRow> pages() const { return pages_; }
  std::span<const LinkRow> links() const { return links_; }
  std::span<LinkRow> links() { return links_; }
  std::span<const AddressRow> addresses() const { return addresses_; }
  std::span<AddressRow> addresses() { return addresses_; }
  std::span<const TermId> anchor_words(const LinkRow& link) const {
    return std::span(words_).subspan(link.words, link.anchor_words);
  }
  std::span<const TermId> context_words(const LinkRow& link) const {
    return std::span(words_).subspan(link.words + link.anchor_words, link.context_words);
  }
  std::span<const TermId> words(const AddressRow& address) const {
    return std::span(words_).subspan(address.words, address.word_count);
  }

  // What was fetched behind links of this tag path: of one page, and of all; and in a directory.
  Yield tag_path_of_page(uint32_t page, uint32_t tag_path) const;
  Yield tag_path(uint32_t tag_path) const { return find_yield(tag_paths_, tag_path); }
  Yield directory(uint32_t directory) const { return find_yield(directories_, directory); }
  // Of all visited pages.
  const Yield& all() const { return all_; }

  size_t memory_bytes() const;
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  template <class Key>
  using Yields = absl::flat_hash_map<Key, Yield>;
  template <class Key>
  static Yield find_yield(const Yields<Key>& yields, Key key) {
    const auto it = yields.find(key);
    return it == yields.end() ? Yield{} : it->second;
  }
  static uint64_t pair_of(uint32_t page, uint32_t tag_path) {
    return uint64_t{page} << 32 | tag_path;
  }
  uint32_t add_words(std::span<const TermId> words);
  // The fetch behind this link brought so much more, and so many.
  void credit(const LinkRow& link, float relevance, int count);

  std::vector<PageRow> pages_;
  std::vector<LinkRow> links_;
  std::vector<AddressRow> addresses_;
  std::vector<TermId> words_;
  absl::flat_hash_map<uint64_t, uint32_t> by_fingerprint_;
  Yields<uint64_t> tag_paths_of_pages_;
  Yields<uint32_t> tag_paths_, directories_;
  Yield all_;
};

}  // namespace dowser
