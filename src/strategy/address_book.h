#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/url_canonical.h"
#include "model/visit.h"
#include "strategy/link_memory.h"

namespace dowser {

// Finds where links lead in a LinkMemory, and adds what is new to it with all that can be read off
// an address: its words, its directory, its shape. All links of a page are looked up at once, since
// to wait for memory is most of what it costs.
class AddressBook {
 public:
  struct Entry {
    uint32_t address;
    bool is_new;
  };

  // The memory outlives it.
  explicit AddressBook(LinkMemory& memory) : memory_(memory) {}

  void look_up(const Visit& visit);
  // Of a link of that page.
  Entry entry_of(const Visit& visit, const Link& link);
  uint32_t tag_path_of(const Visit& visit, const Link& link);
  // Of an address that was visited.
  Entry entry_of(const Url& url);

  void forget();  // numbers in the memory are no longer what they were

 private:
  // Where a link leads; where that was not known, to kNone in a directory.
  struct LookedUp {
    uint64_t fingerprint;
    uint32_t address = LinkMemory::kNone;
    uint64_t directory = 0;  // hash of its name
  };
  struct DirectoryWords {
    std::string_view language;  // that they were read in; "": not yet
    std::vector<TermId> words;
  };

  Entry add(const Url& url, uint64_t fingerprint, uint64_t directory, std::string_view language);
  const std::vector<TermId>& words_of_directory(uint32_t number, std::string_view name,
                                                std::string_view language);
  void expect_directory(uint64_t hash) const;

  LinkMemory& memory_;
  const CanonicalRules rules_;
  std::optional<VisitId> page_;              // looked up last, and of it
  std::vector<LookedUp> links_;              // in its order
  std::vector<uint32_t> tag_paths_;          // their numbers, as far as they were asked for
  std::vector<uint32_t> known_;              // addresses its links lead to
  std::vector<DirectoryWords> directories_;  // by number
};

}  // namespace dowser
