#include "strategy/learned/kept_pages.h"

namespace dowser {
namespace {

constexpr size_t kMostPages = 5000;

}  // namespace

void KeptPages::add(const LinkMemory& memory, uint32_t page, uint32_t address,
                    const Page& content) {
  const uint64_t fingerprint = memory.addresses()[address].fingerprint;
  pages_.push_back({page, address, fingerprint, KeptTerms(content)});
  if (pages_.size() > kMostPages) pages_.pop_front();
}

void KeptPages::judge_again(const JudgeView& judge, LinkMemory& memory) const {
  for (const KeptPage& kept : pages_) {
    const double relevance = judge.relevance(kept.words).value;
    memory.set_page_relevance(kept.page, relevance);
    memory.set_relevance(kept.address, relevance);
  }
}

void KeptPages::renumber(const LinkMemory& memory, uint32_t moved) {
  std::deque<KeptPage> still;
  for (KeptPage& kept : pages_) {
    const auto address = memory.find(kept.fingerprint);
    if (kept.page < moved || !address) continue;
    kept.page -= moved;
    kept.address = *address;
    still.push_back(std::move(kept));
  }
  pages_ = std::move(still);
}

void KeptPages::save(ByteWriter& out) const {
  out.number(static_cast<uint32_t>(pages_.size()));
  for (const KeptPage& kept : pages_) {
    out.number(kept.page);
    out.number(kept.address);
    out.number(kept.fingerprint);
    kept.words.save(out);
  }
}

void KeptPages::load(ByteReader& in) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    KeptPage& kept = pages_.emplace_back();
    kept.page = in.number<uint32_t>();
    kept.address = in.number<uint32_t>();
    kept.fingerprint = in.number<uint64_t>();
    kept.words.load(in);
  }
}

}  // namespace dowser
