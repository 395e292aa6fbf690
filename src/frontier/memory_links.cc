#include "frontier/memory_links.h"

#include <stdexcept>

namespace dowser {

void MemoryLinks::put(uint64_t sequence, uint64_t, const Url& url, const Score&,
                      const Trail& trail) {
  Link& link = links_[sequence];
  link = {std::string(url.href()), trail};
  text_bytes_ += link.href.capacity();
}

void MemoryLinks::set_score(uint64_t sequence, const Score&, const Trail& trail) {
  links_[sequence].trail = trail;
}

std::pair<Url, Trail> MemoryLinks::get(uint64_t sequence) const {
  const auto link = links_.find(sequence);
  if (link == links_.end()) throw std::logic_error("a waiting link has no address");
  Result<Url> url = Url::parse(link->second.href);
  if (!url) throw std::logic_error("the address of a waiting link is not valid");
  return {*std::move(url), link->second.trail};
}

void MemoryLinks::erase(uint64_t sequence) {
  const auto link = links_.find(sequence);
  if (link == links_.end()) return;
  text_bytes_ -= link->second.href.capacity();
  links_.erase(link);
}

size_t MemoryLinks::memory_bytes() const {
  return links_.capacity() * (sizeof(std::pair<uint64_t, Link>) + 1) + text_bytes_;
}

}  // namespace dowser
