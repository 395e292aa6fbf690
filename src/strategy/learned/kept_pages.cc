#include "strategy/learned/kept_pages.h"

#include <cstring>

namespace dowser {
namespace {

constexpr size_t kMostPages = 5000;

}  // namespace

void KeptPages::add(const LinkMemory& memory, uint32_t page, uint32_t address,
                    const Page& content) {
  const uint64_t fingerprint = memory.addresses()[address].fingerprint;
  pages_.push_back({page, address, fingerprint, content.language, content.terms});
  if (pages_.size() > kMostPages) pages_.pop_front();
}

void KeptPages::judge_again(const JudgeView& judge, LinkMemory& memory) const {
  for (const KeptPage& kept : pages_) {
    const double relevance = judge.relevance_of(kept.terms, kept.language).value;
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
    out.text(kept.language);
    out.text(
        {reinterpret_cast<const char*>(kept.terms.data()), kept.terms.size() * sizeof(TermCount)});
  }
}

void KeptPages::load(ByteReader& in) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    KeptPage& kept = pages_.emplace_back();
    kept.page = in.number<uint32_t>();
    kept.address = in.number<uint32_t>();
    kept.fingerprint = in.number<uint64_t>();
    kept.language = in.text();
    const std::string_view terms = in.text();
    kept.terms.resize(terms.size() / sizeof(TermCount));
    if (!terms.empty()) std::memcpy(kept.terms.data(), terms.data(), terms.size());
  }
}

}  // namespace dowser
