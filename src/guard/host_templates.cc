#include "guard/host_templates.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/bytes.h"
#include "base/hash.h"

// A menu says nothing about a page, and it is the same text on page after page. So the text of
// every block is remembered by its hash, with the number of the host's pages that have it. A block
// that at least kShare of five or more pages have is template, if it consists mainly of links or is
// outside the content. Plain text of the content is kept, even if pages share it: on pages of
// departments "Office hours" and "Research interests" appear on most pages of a host, and they say
// better than any other words what kind of pages these are.
//
// Example: five pages of a host begin with "Home | Search | About". From the sixth on that block is
// marked, and the judge does not see it.
//
// kShare is high, because a focused crawl fetches pages of one subject: when half of a host's pages
// are about birds, "Class: Aves" is on half of them. (bench/content has the figures.)
//
// Memory. A host has at most kMostBlocksOfHost blocks. When this limit is reached, blocks that
// fewer than kRare of its pages had are dropped, and new ones are not added while there is no room
// (a known block can still become template then, since the host continues to count it). All hosts
// together have at most kMostBlocks, some 16 MB; beyond that, the hosts that were learned from
// longest ago are dropped. Of a page with very many blocks only the first and last ones count,
// where menus and footers are.
//
// Cost: about 5 µs a page, for the hashes of its text and the look-ups.

namespace dowser {
namespace {

constexpr uint32_t kLeastPages = 5;
constexpr double kShare = 0.5;
constexpr double kRare = 0.1;
constexpr size_t kFirstBlocks = 128, kLastBlocks = 64;
constexpr size_t kShareForgotten = 4;  // a fourth of the hosts at a time

uint32_t hash_of(const Page& page, const Block& block) {
  return static_cast<uint32_t>(hash64(page.words(block.text)));
}

uint64_t host_of(const Page& page) { return hash64(page.url.host()); }

// The bytes of each block that are words of links.
std::vector<uint32_t> link_bytes_of(const Page& page) {
  std::vector<uint32_t> bytes(page.blocks.size());
  for (const Link& link : page.links) {
    auto block = std::partition_point(page.blocks.begin(), page.blocks.end(), [&](const Block& b) {
      return b.text.end <= link.anchor.begin;
    });
    for (; block != page.blocks.end() && block->text.begin < link.anchor.end; ++block) {
      bytes[static_cast<size_t>(block - page.blocks.begin())] +=
          std::min(block->text.end, link.anchor.end) -
          std::max(block->text.begin, link.anchor.begin);
    }
  }
  return bytes;
}

// Text of the content that is not a list of links is never template.
bool is_plain_content(const Block& block, uint32_t link_bytes) {
  return block.role == BlockRole::kContent && 2 * link_bytes <= block.text.size();
}

// Each once.
std::vector<uint32_t> blocks_of(const Page& page) {
  std::vector<uint32_t> hashes;
  const size_t n = page.blocks.size();
  for (size_t i = 0; i < n; ++i) {
    if (i >= kFirstBlocks && i + kLastBlocks < n) continue;
    hashes.push_back(hash_of(page, page.blocks[i]));
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

}  // namespace

bool HostTemplates::is_template(const Host& host, uint32_t pages) {
  return host.pages >= kLeastPages && pages >= kShare * host.pages;
}

size_t HostTemplates::mark(Page& page) const {
  const std::shared_lock lock(mutex_);
  const auto host = hosts_.find(host_of(page));
  if (host == hosts_.end() || host->second.pages < kLeastPages) return 0;
  size_t marked = 0;
  std::vector<uint32_t> link_bytes;
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    Block& block = page.blocks[i];
    const auto known = host->second.pages_with.find(hash_of(page, block));
    if (known == host->second.pages_with.end()) continue;
    if (!is_template(host->second, known->second)) continue;
    if (block.role == BlockRole::kContent) {
      if (link_bytes.empty()) link_bytes = link_bytes_of(page);
      if (is_plain_content(block, link_bytes[i])) continue;
    }
    block.role = BlockRole::kTemplate;
    ++marked;
  }
  return marked;
}

void HostTemplates::learn(const Page& page) {
  if (!page.blocks.empty()) learn(host_of(page), blocks_of(page));
}

void HostTemplates::learn(uint64_t host_hash, const std::vector<uint32_t>& blocks) {
  const std::unique_lock lock(mutex_);
  Host& host = hosts_[host_hash];
  ++host.pages;
  host.last = ++learned_;
  for (const uint32_t block : blocks) {
    if (const auto known = host.pages_with.find(block); known != host.pages_with.end()) {
      ++known->second;
      continue;
    }
    if (host.pages_with.size() >= kMostBlocksOfHost) forget_rare(host);
    if (host.pages_with.size() >= kMostBlocksOfHost) continue;
    host.pages_with.emplace(block, 1);
    ++blocks_;
  }
  if (blocks_ > kMostBlocks) forget_old_hosts();
}

void HostTemplates::forget_rare(Host& host) {
  const size_t before = host.pages_with.size();
  absl::erase_if(host.pages_with,
                 [&](const auto& entry) { return entry.second < kRare * host.pages; });
  blocks_ -= before - host.pages_with.size();
}

void HostTemplates::forget_old_hosts() {
  std::vector<uint64_t> ages;
  for (const auto& [hash, host] : hosts_) ages.push_back(host.last);
  const auto middle = ages.begin() + static_cast<ptrdiff_t>(ages.size() / kShareForgotten);
  std::nth_element(ages.begin(), middle, ages.end());
  const uint64_t oldest = *middle;
  absl::erase_if(hosts_, [&](const auto& entry) {
    const Host& host = entry.second;
    const bool goes = host.last < oldest;
    if (goes) blocks_ -= host.pages_with.size();
    return goes;
  });
}

// The host, the number of its blocks' hashes, these, and a bit for each block that is marked.
std::string HostTemplates::saved(const Page& page, bool learned) {
  ByteWriter out;
  const std::vector<uint32_t> blocks = learned ? blocks_of(page) : std::vector<uint32_t>();
  out.number(host_of(page));
  out.number(static_cast<uint32_t>(blocks.size()));
  for (const uint32_t block : blocks) out.number(block);
  std::string marks((page.blocks.size() + 7) / 8, '\0');
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    if (page.blocks[i].role == BlockRole::kTemplate) {
      marks[i / 8] = static_cast<char>(marks[i / 8] | 1 << (i % 8));
    }
  }
  while (!marks.empty() && marks.back() == '\0') marks.pop_back();
  out.text(marks);
  return out.bytes();
}

void HostTemplates::learn(std::string_view saved) {
  ByteReader in(saved);
  const auto host = in.number<uint64_t>();
  std::vector<uint32_t> blocks;
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    blocks.push_back(in.number<uint32_t>());
  }
  if (in.ok() && !blocks.empty()) learn(host, blocks);
}

// The host, the number of blocks that are marked, and the hashes of these and of the others.
std::string HostTemplates::candidates(const Page& page) {
  std::vector<uint32_t> marked, others;
  const std::vector<uint32_t> link_bytes = link_bytes_of(page);
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    if (is_plain_content(block, link_bytes[i])) continue;
    (block.role == BlockRole::kTemplate ? marked : others).push_back(hash_of(page, block));
  }
  ByteWriter out;
  out.number(host_of(page));
  out.number(static_cast<uint32_t>(marked.size()));
  for (const auto* hashes : {&marked, &others}) {
    for (const uint32_t hash : *hashes) out.number(hash);
  }
  return out.bytes();
}

bool HostTemplates::still_marks(std::string_view candidates) const {
  ByteReader in(candidates);
  const auto host_hash = in.number<uint64_t>();
  auto marked = in.number<uint32_t>();
  const std::shared_lock lock(mutex_);
  const auto host = hosts_.find(host_hash);
  while (in.ok() && !in.at_end()) {
    const auto hash = in.number<uint32_t>();
    bool is_now = false;
    if (host != hosts_.end()) {
      const auto known = host->second.pages_with.find(hash);
      is_now = known != host->second.pages_with.end() && is_template(host->second, known->second);
    }
    const bool was = marked > 0;
    if (was) --marked;
    if (is_now != was) return false;
  }
  return in.ok() && marked == 0;
}

void HostTemplates::save(ByteWriter& out) const {
  const std::shared_lock lock(mutex_);
  std::map<uint64_t, std::vector<uint32_t>> templates;  // sorted, so that the bytes repeat
  for (const auto& [hash, host] : hosts_) {
    for (const auto& [block, pages] : host.pages_with) {
      if (is_template(host, pages)) templates[hash].push_back(block);
    }
  }
  out.number(static_cast<uint32_t>(templates.size()));
  for (auto& [hash, blocks] : templates) {
    std::sort(blocks.begin(), blocks.end());
    out.number(hash);
    out.number(static_cast<uint32_t>(blocks.size()));
    for (const uint32_t block : blocks) out.number(block);
  }
}

bool HostTemplates::load(ByteReader& in) {
  for (uint32_t hosts = in.number<uint32_t>(); hosts > 0 && in.ok(); --hosts) {
    Host& host = hosts_[in.number<uint64_t>()];
    host.pages = kLeastPages;
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      blocks_ += host.pages_with.emplace(in.number<uint32_t>(), kLeastPages).second;
    }
  }
  return in.ok();
}

void HostTemplates::mark(Page& page, std::string_view saved) {
  ByteReader in(saved);
  (void)in.number<uint64_t>();
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) in.number<uint32_t>();
  const std::string_view marks = in.text();
  if (!in.ok()) return;
  for (size_t i = 0; i < page.blocks.size() && i / 8 < marks.size(); ++i) {
    if (marks[i / 8] >> (i % 8) & 1) page.blocks[i].role = BlockRole::kTemplate;
  }
}

}  // namespace dowser
