#include "strategy/learned/address_book.h"

#include <algorithm>

#include "strategy/learned/link_features.h"
#include "text/terms.h"
#include "text/tokens.h"

namespace dowser {

void AddressBook::look_up(const Visit& visit) {
  page_ = visit.id;
  links_.clear();
  for (const Link& link : visit.page.links) {
    links_.push_back({seen_fingerprint(link)});
    memory_.prefetch(links_.back().fingerprint);
  }
  known_.clear();
  for (size_t i = 0; i < links_.size(); ++i) {
    LookedUp& one = links_[i];
    if (const auto address = memory_.find(one.fingerprint)) {
      one.address = *address;
      known_.push_back(*address);
    } else {
      one.directory_hash = NamedYields::hash_of(directory_of(visit.page.links[i].url));
      memory_.directories().prefetch(one.directory_hash);
    }
  }
  memory_.prefetch(known_);
  for (LookedUp& one : links_) {
    if (one.address != LinkMemory::kNone) continue;
    const auto number = memory_.directories().find(one.directory_hash);
    if (!number) continue;
    one.directory = *number;
    memory_.directories().prefetch_row(*number);
    if (*number < directories_.size()) __builtin_prefetch(&directories_[*number]);
  }
  tag_paths_.assign(visit.page.tag_paths.size(), LinkMemory::kNone);
}

AddressBook::Entry AddressBook::entry_of(const Visit& visit, const Link& link) {
  if (visit.id != page_) look_up(visit);
  const LookedUp& at = links_[static_cast<size_t>(&link - visit.page.links.data())];
  if (at.address != LinkMemory::kNone) return {at.address, false};
  return add(link.url, at, visit.page.language);
}

AddressBook::Entry AddressBook::entry_of(const Url& url) {
  LookedUp at{seen_fingerprint(url)};
  at.directory_hash = NamedYields::hash_of(directory_of(url));
  return add(url, at, "");
}

uint32_t AddressBook::tag_path_of(const Visit& visit, const Link& link) {
  uint32_t& number = tag_paths_[link.tag_path];
  if (number == LinkMemory::kNone) number = memory_.number_of_tag_path(visit.page.tag_path(link));
  return number;
}

AddressBook::Entry AddressBook::add(const Url& url, const LookedUp& at, std::string_view language) {
  if (const auto known = memory_.find(at.fingerprint)) return {*known, false};
  const std::string_view name = directory_of(url);
  const uint32_t number = at.directory != LinkMemory::kNone
                              ? at.directory
                              : memory_.number_of_directory(name, at.directory_hash);
  const Directory& in = directory(number, url, language);
  words_ = in.words;
  url_words(url.href().substr(name.size() - 1), text_);
  append_term_ids(text_, language, words_);
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  const uint32_t address = memory_.add_address(at.fingerprint, number, words_);
  memory_.addresses()[address].traits = address_traits(in.traits, url);
  return {address, true};
}

const AddressBook::Directory& AddressBook::directory(uint32_t number, const Url& url,
                                                     std::string_view language) {
  if (number >= directories_.size()) directories_.resize(number + 1);
  Directory& known = directories_[number];
  language = analysed_language(language);
  if (known.language != language) {
    url_words(directory_of(url), text_);
    known = {language, term_ids(text_, language), directory_traits(url)};
  }
  return known;
}

void AddressBook::forget() {
  page_.reset();
  directories_.clear();
}

}  // namespace dowser
