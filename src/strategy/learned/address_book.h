#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/url_canonical.h"
#include "model/visit.h"
#include "strategy/learned/link_features.h"
#include "strategy/learned/link_memory.h"

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
  // Where a link leads; where that was not known, to kNone in a directory, which may be new too.
  struct LookedUp {
    uint64_t fingerprint;
    uint32_t address = LinkMemory::kNone;
    uint32_t directory = LinkMemory::kNone;
    uint64_t directory_hash = 0;
  };
  // Hundreds of addresses share a directory, and to find words is most of the work for a new one.
  struct Directory {
    std::string_view language;  // that its words were read in; "": not yet
    std::vector<TermId> words;
    DirectoryTraits traits;
  };

  Entry add(const Url& url, const LookedUp& at, std::string_view language);
  const Directory& directory(uint32_t number, const Url& url, std::string_view language);

  LinkMemory& memory_;
  std::optional<VisitId> page_;         // looked up last, and of it
  std::vector<LookedUp> links_;         // in its order
  std::vector<uint32_t> tag_paths_;     // their numbers, as far as they were asked for
  std::vector<uint32_t> known_;         // addresses its links lead to
  std::vector<Directory> directories_;  // by number
  std::string text_;                    // of an address that is added
  std::vector<TermId> words_;           // and its words
};

}  // namespace dowser
