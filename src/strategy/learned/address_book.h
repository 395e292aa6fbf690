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

// Finds the addresses that links lead to in a LinkMemory, and adds new ones with everything that
// can be read off an address: its words, its directory, its shape. All links of a page are looked
// up together, because most of the cost is waiting for memory.
class AddressBook {
 public:
  struct Entry {
    uint32_t address;
    bool is_new;
  };

  // The memory must outlive the address book.
  explicit AddressBook(LinkMemory& memory) : memory_(memory) {}

  void look_up(const Visit& visit);
  // For a link of that page.
  Entry entry_of(const Visit& visit, const Link& link);
  uint32_t tag_path_of(const Visit& visit, const Link& link);
  // For an address that was visited.
  Entry entry_of(const Url& url);

  void forget();  // call this after LinkMemory::forget(): all numbers have changed

 private:
  // Where a link leads. If the address is not known, `address` is kNone; its directory may be new
  // too.
  struct LookedUp {
    uint64_t fingerprint;
    uint32_t address = LinkMemory::kNone;
    uint32_t directory = LinkMemory::kNone;
    uint64_t directory_hash = 0;
  };
  // Hundreds of addresses share a directory, and most of the work for a new address is to find
  // words.
  struct Directory {
    std::string_view language;  // in which its words were analysed; empty: not yet
    std::vector<TermId> words;
    DirectoryTraits traits;
  };

  Entry add(const Url& url, const LookedUp& at, std::string_view language);
  const Directory& directory(uint32_t number, const Url& url, std::string_view language);

  LinkMemory& memory_;
  std::optional<VisitId> page_;  // the page that was looked up last; the next three belong to it
  std::vector<LookedUp> links_;  // in the order of the page
  std::vector<uint32_t> tag_paths_;     // their numbers, or kNone if not asked for yet
  std::vector<uint32_t> known_;         // known addresses that its links lead to
  std::vector<Directory> directories_;  // by number
  std::string text_;                    // scratch space: the text of an address,
  std::vector<TermId> words_;           // and its words
};

}  // namespace dowser
