#include "strategy/address_book.h"

#include <algorithm>

#include "base/hash.h"
#include "strategy/link_features.h"
#include "text/terms.h"
#include "text/tokens.h"

namespace dowser {
namespace {

std::string_view directory_of(const Url& url) {
  const std::string_view href = url.href();
  return href.substr(0, href.substr(0, href.find('?')).rfind('/') + 1);
}

}  // namespace

void AddressBook::look_up(const Visit& visit) {
  page_ = visit.id;
  links_.clear();
  for (const Link& link : visit.page.links) {
    links_.push_back({seen_fingerprint(link.url, rules_)});
    memory_.expect(links_.back().fingerprint);
  }
  known_.clear();
  for (size_t i = 0; i < links_.size(); ++i) {
    LookedUp& one = links_[i];
    if (const auto address = memory_.find(one.fingerprint)) {
      one.address = *address;
      known_.push_back(*address);
    } else {
      one.directory = NamedYields::hash_of(directory_of(visit.page.links[i].url));
      memory_.directories().expect(one.directory);
    }
  }
  memory_.expect(known_);
  for (const LookedUp& one : links_) {
    if (one.address == LinkMemory::kNone) expect_directory(one.directory);
  }
  tag_paths_.assign(visit.page.tag_paths.size(), LinkMemory::kNone);
}

void AddressBook::expect_directory(uint64_t hash) const {
  const auto number = memory_.directories().find(hash);
  if (!number) return;
  memory_.directories().expect_row(*number);
  if (*number < directories_.size()) __builtin_prefetch(&directories_[*number]);
}

AddressBook::Entry AddressBook::entry_of(const Visit& visit, const Link& link) {
  if (visit.id != page_) look_up(visit);
  const LookedUp& at = links_[static_cast<size_t>(&link - visit.page.links.data())];
  if (at.address != LinkMemory::kNone) return {at.address, false};
  return add(link.url, at.fingerprint, at.directory, visit.page.language);
}

AddressBook::Entry AddressBook::entry_of(const Url& url) {
  return add(url, seen_fingerprint(url, rules_), NamedYields::hash_of(directory_of(url)), "");
}

uint32_t AddressBook::tag_path_of(const Visit& visit, const Link& link) {
  uint32_t& number = tag_paths_[link.tag_path];
  if (number == LinkMemory::kNone) number = memory_.number_of_tag_path(visit.page.tag_path(link));
  return number;
}

AddressBook::Entry AddressBook::add(const Url& url, uint64_t fingerprint, uint64_t directory_hash,
                                    std::string_view language) {
  if (const auto known = memory_.find(fingerprint)) return {*known, false};
  const std::string_view name = directory_of(url);
  const uint32_t directory = memory_.number_of_directory(name, directory_hash);
  std::vector<TermId> words = words_of_directory(directory, name, language);
  append_term_ids(url_words(url.href().substr(name.size() - 1)), language, words);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const uint32_t address = memory_.add_address(fingerprint, directory, words);
  memory_.addresses()[address].traits = address_traits(url);
  return {address, true};
}

// Hundreds of addresses share a directory, and to find words is most of the work for a new one.
const std::vector<TermId>& AddressBook::words_of_directory(uint32_t number, std::string_view name,
                                                           std::string_view language) {
  if (number >= directories_.size()) directories_.resize(number + 1);
  DirectoryWords& known = directories_[number];
  language = analysed_language(language);
  if (known.language != language) known = {language, term_ids(url_words(name), language)};
  return known.words;
}

void AddressBook::forget() {
  page_.reset();
  directories_.clear();
}

}  // namespace dowser
