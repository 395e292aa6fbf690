#include "strategy/link_memory.h"

#include <algorithm>
#include <cstring>

namespace dowser {
namespace {

constexpr size_t kMostWords = 40;  // of an anchor, of a context, of an address

template <class Row>
void save_rows(const std::vector<Row>& rows, ByteWriter& out) {
  static_assert(std::is_trivially_copyable_v<Row>);
  out.number(static_cast<uint64_t>(rows.size()));
  out.raw({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row)});
}

template <class Row>
void load_rows(ByteReader& in, std::vector<Row>& rows) {
  const auto count = in.number<uint64_t>();
  const std::string_view raw = in.raw(count * sizeof(Row));
  rows.resize(raw.size() / sizeof(Row));
  if (!raw.empty()) std::memcpy(static_cast<void*>(rows.data()), raw.data(), raw.size());
}

}  // namespace

uint32_t LinkMemory::add_words(std::span<const TermId> words) {
  const auto begin = static_cast<uint32_t>(words_.size());
  words_.insert(words_.end(), words.begin(),
                words.begin() + static_cast<ptrdiff_t>(std::min(words.size(), kMostWords)));
  return begin;
}

uint32_t LinkMemory::add_page(uint64_t fingerprint, double relevance) {
  const auto page = static_cast<uint32_t>(pages_.size());
  PageRow& row = pages_.emplace_back();
  row.relevance = static_cast<float>(relevance);
  row.first_link = static_cast<uint32_t>(links_.size());
  row.address = find(fingerprint).value_or(kNone);
  return page;
}

uint32_t LinkMemory::add_link(uint32_t address, uint32_t tag_path, std::span<const TermId> anchor,
                              std::span<const TermId> context) {
  const auto number = static_cast<uint32_t>(links_.size());
  LinkRow link{static_cast<uint32_t>(pages_.size() - 1), address, addresses_[address].first_in,
               tag_path, add_words(anchor)};
  add_words(context);
  link.anchor_words = static_cast<uint8_t>(std::min(anchor.size(), kMostWords));
  link.context_words = static_cast<uint8_t>(std::min(context.size(), kMostWords));
  links_.push_back(link);
  addresses_[address].first_in = number;
  ++pages_.back().links;
  if (addresses_[address].visited) credit(link, addresses_[address].relevance, 1);
  return number;
}

std::optional<uint32_t> LinkMemory::find(uint64_t fingerprint) const {
  const auto it = by_fingerprint_.find(fingerprint);
  return it == by_fingerprint_.end() ? std::nullopt : std::optional(it->second);
}

uint32_t LinkMemory::add_address(uint64_t fingerprint, uint32_t directory,
                                 std::span<const TermId> words) {
  const auto [it, is_new] =
      by_fingerprint_.try_emplace(fingerprint, static_cast<uint32_t>(addresses_.size()));
  if (!is_new) return it->second;
  AddressRow row{fingerprint, directory};
  row.words = add_words(words);
  row.word_count = static_cast<uint8_t>(std::min(words.size(), kMostWords));
  addresses_.push_back(row);
  return it->second;
}

void LinkMemory::credit(const LinkRow& link, float relevance, int count) {
  const auto add = [&](Yield& yield) {
    yield.sum += relevance;
    yield.count += static_cast<uint32_t>(count);
  };
  add(pages_[link.page].children);
  add(tag_paths_of_pages_[pair_of(link.page, link.tag_path)]);
  add(tag_paths_[link.tag_path]);
}

void LinkMemory::set_relevance(uint32_t number, double relevance) {
  AddressRow& address = addresses_[number];
  const float change = static_cast<float>(relevance) - (address.visited ? address.relevance : 0);
  const int count = address.visited ? 0 : 1;
  address.visited = true;
  address.relevance = static_cast<float>(relevance);
  for (uint32_t link = address.first_in; link != kNone; link = links_[link].next_in) {
    credit(links_[link], change, count);
  }
  for (Yield* yield : {&directories_[address.directory], &all_}) {
    yield->sum += change;
    yield->count += static_cast<uint32_t>(count);
  }
}

Yield LinkMemory::tag_path_of_page(uint32_t page, uint32_t tag_path) const {
  return find_yield(tag_paths_of_pages_, pair_of(page, tag_path));
}

size_t LinkMemory::memory_bytes() const {
  return pages_.capacity() * sizeof(PageRow) + links_.capacity() * sizeof(LinkRow) +
         addresses_.capacity() * sizeof(AddressRow) + words_.capacity() * sizeof(TermId) +
         by_fingerprint_.capacity() * 17 + tag_paths_of_pages_.capacity() * 17 +
         (tag_paths_.capacity() + directories_.capacity()) * 13;
}

void LinkMemory::save(ByteWriter& out) const {
  save_rows(pages_, out);
  save_rows(links_, out);
  save_rows(addresses_, out);
  save_rows(words_, out);
  out.number(all_.sum);
  out.number(all_.count);
}

// The yields are sums over what was saved, so they are made anew.
Status LinkMemory::load(ByteReader& in) {
  load_rows(in, pages_);
  load_rows(in, links_);
  load_rows(in, addresses_);
  load_rows(in, words_);
  all_.sum = in.number<double>();
  all_.count = in.number<uint32_t>();
  if (!in.ok()) return Error{"the saved links of the strategy are cut short"};
  for (PageRow& page : pages_) page.children = {};
  for (uint32_t i = 0; i < addresses_.size(); ++i) {
    by_fingerprint_[addresses_[i].fingerprint] = i;
    if (!addresses_[i].visited) continue;
    Yield& directory = directories_[addresses_[i].directory];
    directory.sum += addresses_[i].relevance;
    ++directory.count;
  }
  for (const LinkRow& link : links_) {
    if (addresses_[link.address].visited) credit(link, addresses_[link.address].relevance, 1);
  }
  return {};
}

}  // namespace dowser
