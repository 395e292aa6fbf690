#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "model/page.h"
#include "strategy/learned/link_memory.h"
#include "strategy/strategy.h"

namespace dowser {

// The terms of the newest pages of a LinkMemory, so that a new judge can judge them again.
class KeptPages {
 public:
  // `page` and `address` are the numbers of the page and of its address in the memory.
  void add(const LinkMemory& memory, uint32_t page, uint32_t address, const Page& content);
  void judge_again(const JudgeView& judge, LinkMemory& memory) const;

  // To be called after LinkMemory::forget(): page numbers are smaller by `moved`, addresses
  // changed.
  void renumber(const LinkMemory& memory, uint32_t moved);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct KeptPage {
    uint32_t page, address;
    uint64_t fingerprint;  // of the address
    KeptTerms words;
  };
  std::deque<KeptPage> pages_;  // the oldest first
};

}  // namespace dowser
