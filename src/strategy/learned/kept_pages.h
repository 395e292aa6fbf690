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

// The terms of the newest pages of a LinkMemory, so that a judge that has learned can be asked
// again what it thinks of them.
class KeptPages {
 public:
  // `page` is the number that it has in the memory, `address` that of where it was found.
  void add(const LinkMemory& memory, uint32_t page, uint32_t address, const Page& content);
  void judge_again(const JudgeView& judge, LinkMemory& memory) const;

  // The memory has forgotten: pages have numbers less by `moved`, addresses others.
  void renumber(const LinkMemory& memory, uint32_t moved);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct KeptPage {
    uint32_t page, address;
    uint64_t fingerprint;  // of the address
    std::string language;
    std::vector<TermCount> terms;
  };
  std::deque<KeptPage> pages_;  // the oldest first
};

}  // namespace dowser
