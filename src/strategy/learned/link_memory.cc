#include "strategy/learned/link_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr int kLastTags = 4;

uint32_t hash_of_last_tags(std::string_view path) {
  size_t begin = path.size();
  for (int i = 0; i < kLastTags && begin != 0 && begin != path.npos; ++i) {
    begin = path.rfind('>', begin - 1);
  }
  return static_cast<uint32_t>(hash64(begin == path.npos ? path : path.substr(begin)));
}

template <class Row>
void save_rows(const GrowingArray<Row>& rows, ByteWriter& out) {
  out.number(static_cast<uint64_t>(rows.size()));
  out.raw({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row)});
}

template <class Row>
void load_rows(ByteReader& in, GrowingArray<Row>& rows) {
  const auto count = in.number<uint64_t>();
  std::string_view raw = in.raw(count * sizeof(Row));
  for (; raw.size() >= sizeof(Row); raw.remove_prefix(sizeof(Row))) {
    std::memcpy(static_cast<void*>(&rows.emplace_back()), raw.data(), sizeof(Row));
  }
}

template <class Callback>
void each_word(WordSet words, Callback callback) {
  for (; words != 0; words &= static_cast<WordSet>(words - 1)) callback(std::countr_zero(words));
}

}  // namespace

uint32_t LinkMemory::add_words(std::span<const TermId> words) {
  const auto begin = static_cast<uint32_t>(words_.size());
  words_.append(words.first(std::min(words.size(), kMostWords)));
  return begin;
}

template <class Callback>
void LinkMemory::each_neighbour(uint32_t link, Callback callback) {
  const PageRow& page = pages_[links_[link].page];
  double fade = 1;
  for (int distance = 1; distance <= kReach; ++distance) {
    fade *= kFade;
    for (const int64_t k : {int64_t{link} - distance, int64_t{link} + distance}) {
      if (k < page.first_link || k >= int64_t{page.first_link} + page.links) continue;
      callback(links_[static_cast<size_t>(k)], static_cast<float>(fade));
    }
  }
}

uint32_t LinkMemory::add_page(double relevance) {
  PageRow& row = pages_.emplace_back();
  row.relevance = static_cast<float>(relevance);
  row.first_link = static_cast<uint32_t>(links_.size());
  groups_of_page_.clear();
  return static_cast<uint32_t>(pages_.size() - 1);
}

uint32_t LinkMemory::number_of_tag_path(std::string_view name) {
  const uint32_t number = tag_paths_.number_of(name);
  note_last_tags();
  return number;
}

void LinkMemory::note_last_tags() {
  for (auto i = static_cast<uint32_t>(last_tags_.size()); i < tag_paths_.size(); ++i) {
    last_tags_.push_back(hash_of_last_tags(tag_paths_.name(i)));
  }
}

uint32_t LinkMemory::add_link(uint32_t address, uint32_t tag_path, std::span<const TermId> words,
                              size_t of_anchor) {
  const auto number = static_cast<uint32_t>(links_.size());
  LinkRow& link = links_.emplace_back();
  link.page = static_cast<uint32_t>(pages_.size() - 1);
  link.address = address;
  AddressRow& to = addresses_[address];
  link.is_late = is_late(to);
  link.next_in = std::exchange(link.is_late ? to.last_late : to.last_in, number);
  if (to.in_links < kEnoughLinks) ++to.in_links;
  link.tag_path = tag_path;
  link.words = add_words(words);
  link.anchor_words = static_cast<uint8_t>(std::min(of_anchor, kMostWords));
  link.all_words = static_cast<uint8_t>(std::min(words.size(), kMostWords));
  link.topic_words = topic_.in(anchor_words(link));
  each_word(link.topic_words, [&](int word) { ++words_of_anchors_[word].count; });
  const auto group = std::find_if(groups_of_page_.begin(), groups_of_page_.end(),
                                  [&](const auto& one) { return one.first == link.tag_path; });
  if (group == groups_of_page_.end()) {
    link.group = static_cast<uint32_t>(groups_.size());
    groups_of_page_.emplace_back(link.tag_path, link.group);
    groups_.emplace_back();
  } else {
    link.group = group->second;
  }
  ++pages_.back().links;
  meet_neighbours(number);
  return number;
}

void LinkMemory::meet_neighbours(uint32_t number) {
  LinkRow& link = links_[number];
  each_neighbour(number, [&](const LinkRow& other, float fade) {
    const AddressRow& address = addresses_[other.address];
    if (!address.visited) return;
    link.near_sum += fade * address.relevance;
    link.near_weight += fade;
  });
  if (addresses_[link.address].visited) credit(number, addresses_[link.address].relevance, 1);
}

// First the address rows, then what they point to, then what the links point to.
void LinkMemory::prefetch(std::span<const uint32_t> addresses) const {
  for (const uint32_t address : addresses) __builtin_prefetch(&addresses_[address]);
  for (const uint32_t address : addresses) {
    const AddressRow& row = addresses_[address];
    if (row.last_in == kNone) continue;
    __builtin_prefetch(&links_[row.last_in]);
    __builtin_prefetch(words_.data() + row.words);
    directories_.prefetch_row(row.directory);
  }
  for (const uint32_t address : addresses) {
    const AddressRow& row = addresses_[address];
    if (row.last_in == kNone) continue;
    const LinkRow& link = links_[row.last_in];
    __builtin_prefetch(words_.data() + link.words);
    __builtin_prefetch(&pages_[link.page]);
    __builtin_prefetch(&groups_[link.group]);
  }
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
  AddressRow& row = addresses_.emplace_back();
  row.fingerprint = fingerprint;
  row.directory = directory;
  row.words = add_words(words);
  row.word_count = static_cast<uint8_t>(std::min(words.size(), kMostWords));
  row.topic_words = topic_.in(words);
  each_word(row.topic_words, [&](int word) { ++words_of_addresses_[word].count; });
  return it->second;
}

void LinkMemory::credit(uint32_t number, double relevance, int count) {
  const LinkRow& link = links_[number];
  for (Yield* yield :
       {&pages_[link.page].children, &groups_[link.group], &tag_paths_[link.tag_path]}) {
    yield->sum += relevance;
    yield->count += static_cast<uint32_t>(count);
  }
  each_word(link.topic_words, [&](int word) {
    words_of_anchors_[word].yield.sum += relevance;
    words_of_anchors_[word].yield.count += static_cast<uint32_t>(count);
  });
  each_neighbour(number, [&](LinkRow& other, float fade) {
    other.near_sum += fade * static_cast<float>(relevance);
    other.near_weight += fade * static_cast<float>(count);
  });
}

void LinkMemory::set_relevance(uint32_t number, double relevance) {
  AddressRow& address = addresses_[number];
  const auto rounded = static_cast<float>(relevance);
  const double change = rounded - (address.visited ? address.relevance : 0);
  const int count = address.visited ? 0 : 1;
  address.visited = true;
  address.relevance = rounded;
  if (change == 0 && count == 0) return;
  for (const uint32_t newest : {address.last_in, address.last_late}) {
    for (uint32_t link = newest; link != kNone; link = links_[link].next_in) {
      credit(link, change, count);
    }
  }
  for (Yield* yield : {&directories_[address.directory], &all_}) {
    yield->sum += change;
    yield->count += static_cast<uint32_t>(count);
  }
  each_word(address.topic_words, [&](int word) {
    words_of_addresses_[word].yield.sum += change;
    words_of_addresses_[word].yield.count += static_cast<uint32_t>(count);
  });
}

void LinkMemory::set_page_relevance(uint32_t page, double relevance) {
  pages_[page].relevance = static_cast<float>(relevance);
}

// Keeps the newer half of the links with their pages, and the addresses that they lead to.
bool LinkMemory::forget(uint32_t& page_moved) {
  if (links_.size() <= most_links_) return false;
  uint32_t first_page = 0;
  while (first_page + 1 < pages_.size() && pages_[first_page].first_link < links_.size() / 2) {
    ++first_page;
  }
  page_moved = first_page;
  const uint32_t first_link = pages_[first_page].first_link;
  LinkMemory kept(most_links_);
  std::vector<uint32_t> moved(addresses_.size(), kNone), moved_groups(groups_.size(), kNone);
  std::vector<uint32_t> tag_paths(tag_paths_.size(), kNone);
  std::vector<uint32_t> directories(directories_.size(), kNone);
  const auto keep_address = [&](uint32_t number) {
    if (moved[number] != kNone) return moved[number];
    AddressRow row = addresses_[number];
    const std::span<const TermId> own = words(row);
    row.words = kept.add_words(own);
    row.last_in = row.last_late = kNone;
    row.in_links = 0;
    directories[row.directory] = 0;
    moved[number] = static_cast<uint32_t>(kept.addresses_.size());
    kept.by_fingerprint_[row.fingerprint] = moved[number];
    kept.addresses_.push_back(row);
    return moved[number];
  };
  for (uint32_t p = first_page; p < pages_.size(); ++p) {
    PageRow page = pages_[p];
    page.first_link -= first_link;
    kept.pages_.push_back(page);
    for (uint32_t i = 0; i < page.links; ++i) {
      LinkRow link = links_[first_link + page.first_link + i];
      const std::span<const TermId> own = context_words(link);
      link.words = static_cast<uint32_t>(kept.words_.size());
      kept.words_.append(own);
      uint32_t& group = moved_groups[link.group];
      if (group == kNone) {
        group = static_cast<uint32_t>(kept.groups_.size());
        kept.groups_.push_back(groups_[link.group]);
      }
      link.group = group;
      tag_paths[link.tag_path] = 0;
      link.page = p - first_page;
      link.address = keep_address(link.address);
      AddressRow& to = kept.addresses_[link.address];
      if (!link.is_late && to.in_links < kEnoughLinks) ++to.in_links;
      link.next_in = std::exchange(link.is_late ? to.last_late : to.last_in,
                                   static_cast<uint32_t>(kept.links_.size()));
      kept.links_.push_back(link);
    }
  }
  pages_ = std::move(kept.pages_);
  links_ = std::move(kept.links_);
  addresses_ = std::move(kept.addresses_);
  words_ = std::move(kept.words_);
  groups_ = std::move(kept.groups_);
  by_fingerprint_ = std::move(kept.by_fingerprint_);
  tag_paths_.keep(tag_paths);
  last_tags_.clear();
  note_last_tags();
  directories_.keep(directories);
  for (LinkRow& link : links_) link.tag_path = tag_paths[link.tag_path];
  for (AddressRow& address : addresses_) address.directory = directories[address.directory];
  groups_of_page_.clear();
  return true;
}

size_t LinkMemory::memory_bytes() const {
  return pages_.capacity() * sizeof(PageRow) + links_.capacity() * sizeof(LinkRow) +
         addresses_.capacity() * sizeof(AddressRow) + words_.capacity() * sizeof(TermId) +
         groups_.capacity() * sizeof(Yield) + tag_paths_.memory_bytes() +
         directories_.memory_bytes() +
         by_fingerprint_.capacity() * (sizeof(std::pair<uint64_t, uint32_t>) + 1);
}

void LinkMemory::save(ByteWriter& out) const {
  save_rows(pages_, out);
  save_rows(links_, out);
  save_rows(addresses_, out);
  save_rows(words_, out);
  save_rows(groups_, out);
  tag_paths_.save(out);
  directories_.save(out);
  out.number(all_.sum);
  out.number(all_.count);
  for (const WordYields* yields : {&words_of_addresses_, &words_of_anchors_}) {
    for (const WordYield& word : *yields) {
      out.number(word.yield.sum);
      out.number(word.yield.count);
      out.number(word.count);
    }
  }
}

Status LinkMemory::load(ByteReader& in) {
  load_rows(in, pages_);
  load_rows(in, links_);
  load_rows(in, addresses_);
  load_rows(in, words_);
  load_rows(in, groups_);
  tag_paths_.load(in);
  directories_.load(in);
  all_.sum = in.number<double>();
  all_.count = in.number<uint32_t>();
  for (WordYields* yields : {&words_of_addresses_, &words_of_anchors_}) {
    for (WordYield& word : *yields) {
      word.yield.sum = in.number<double>();
      word.yield.count = in.number<uint32_t>();
      word.count = in.number<uint32_t>();
    }
  }
  if (!in.ok()) return Error{"the saved links of the strategy are cut short"};
  for (uint32_t i = 0; i < addresses_.size(); ++i) by_fingerprint_[addresses_[i].fingerprint] = i;
  note_last_tags();
  return {};
}

}  // namespace dowser
