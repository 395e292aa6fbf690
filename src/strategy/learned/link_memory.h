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

// Which page linked to which address with which words, and what became of it: the memory of a
// strategy that learns from links. Pages, links and addresses are rows of plain arrays, so that a
// score is a handful of look-ups; sums are kept up to date as pages come back. Some 130 bytes a
// link with its words and 80 an address; what is too old is forgotten.

namespace dowser {

class LinkMemory {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  // An address that has been visited, and has so many links: more of them are late. They tell
  // something about their page, and nothing new about the address.
  static constexpr uint8_t kEnoughLinks = 4;
  static constexpr int kReach = 6;          // places to either side at which links are neighbours
  static constexpr double kFade = 0.6;      // what a neighbour counts for with each place
  static constexpr size_t kMostWords = 40;  // of a link, of an address

  struct PageRow {
    float relevance = 0;
    uint32_t first_link = 0, links = 0;  // in order of the page
    Yield children;                      // those that were fetched
  };
  struct LinkRow {
    uint32_t page, address;
    uint32_t next_in;  // the link to the same address that was found before this, of its kind
    uint32_t group;    // of the page's links with the same tag path
    uint32_t tag_path;
    uint32_t words;  // where its words begin in the pool: those of the anchor, then the others
    uint8_t anchor_words = 0, all_words = 0;
    bool is_late = false;
    float anchor = 0, context = 0;  // how much they point towards the topic
    float model = 0;                // what the model of links says
    // Of its neighbours that were fetched: relevance and number, the nearer the more.
    float near_sum = 0, near_weight = 0;
  };
  struct AddressRow {
    uint64_t fingerprint;
    uint32_t directory;
    std::array<uint32_t, 5> traits{};  // hashes of its host and of its shape, for the model
    uint32_t words;                    // of the address itself
    uint32_t last_in = kNone;          // the newest link to it, but for late ones
    uint32_t last_late = kNone;        // the newest late one
    float relevance = 0;               // where it was visited
    float url = 0;                     // how much its words point towards the topic
    float score = 0;                   // that it waits with
    uint8_t word_count = 0;
    uint8_t in_links = 0;  // that are not late, as far as they are counted
    bool visited = false;
  };

  // Beyond so many links the older half is forgotten.
  explicit LinkMemory(size_t most_links) : most_links_(most_links) {}

  // A page has come back; its links follow.
  uint32_t add_page(double relevance);
  uint32_t number_of_tag_path(std::string_view name);
  // A link of the page added last; its words, each once, of which the first `of_anchor` are those
  // of its anchor, and the others of its context.
  uint32_t add_link(uint32_t address, uint32_t tag_path, std::span<const TermId> words,
                    size_t of_anchor);

  bool is_late(const AddressRow& address) const {
    return address.visited && address.in_links >= kEnoughLinks;
  }

  std::optional<uint32_t> find(uint64_t fingerprint) const;
  // They will be asked for soon: the processor may begin to bring them, all at once. To wait for
  // memory is most of what this costs with a million addresses.
  void expect(uint64_t fingerprint) const { by_fingerprint_.prefetch(fingerprint); }
  void expect(std::span<const uint32_t> addresses) const;
  uint32_t number_of_directory(std::string_view name, uint64_t hash) {
    return directories_.number_of(name, hash);
  }
  uint32_t add_address(uint64_t fingerprint, uint32_t directory, std::span<const TermId> words);

  // The address brought a page of this relevance, or another relevance than was thought.
  void set_relevance(uint32_t address, double relevance);
  void set_page_relevance(uint32_t page, double relevance);

  // True: rows have moved, and numbers of pages, links and addresses are no longer what they were.
  // `page_moved` says by how much the numbers of pages are less.
  bool forget(uint32_t& page_moved);

  std::span<const PageRow> pages() const { return pages_; }
  std::span<const LinkRow> links() const { return links_; }
  std::span<LinkRow> links() { return links_; }
  std::span<const AddressRow> addresses() const { return addresses_; }
  std::span<AddressRow> addresses() { return addresses_; }
  std::span<const TermId> anchor_words(const LinkRow& link) const {
    return std::span(words_).subspan(link.words, link.anchor_words);
  }
  // Those of the anchor too.
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

  size_t memory_bytes() const;
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  uint32_t add_words(std::span<const TermId> words);
  void note_last_tags();  // of new tag paths
  // Links of a page that are `distance` places from this one, where there are any.
  template <class Callback>
  void each_neighbour(uint32_t link, Callback callback);
  // The fetch behind this link brought so much more, and so many more.
  void credit(uint32_t link, double relevance, int count);
  void meet_neighbours(uint32_t link);  // of a link just added

  const size_t most_links_;
  GrowingArray<PageRow> pages_;
  GrowingArray<LinkRow> links_;
  GrowingArray<AddressRow> addresses_;
  GrowingArray<TermId> words_;
  GrowingArray<Yield> groups_;
  NamedYields tag_paths_, directories_;
  std::vector<uint32_t> last_tags_;  // hashes of the last four, by number of the tag path
  absl::flat_hash_map<uint64_t, uint32_t> by_fingerprint_;
  std::vector<std::pair<uint32_t, uint32_t>> groups_of_page_;  // of the last: tag path and group
  Yield all_;
};

}  // namespace dowser
