#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace dowser {

// The words of a topic that some of the good pages are about.
inline constexpr std::array<std::string_view, 6> kTopicWords = {"lighthouse", "beacon", "harbour",
                                                                "keeper",     "fog",    "lantern"};

// `count` words, every third or so an English one and the rest made up, so that no two texts of
// different random numbers are near duplicates of each other.
std::string random_words(Random random, int count);

// Pages that behave, spread over hosts: a random tree, so that each can be reached from page 0,
// with more links across it. The same numbers give the same pages on every machine.
class GoodWeb {
 public:
  // At least one page and one host; there are never more hosts than pages.
  GoodWeb(size_t pages, size_t hosts, uint64_t seed);

  size_t size() const { return pages_.size(); }
  size_t hosts() const { return hosts_; }

  // Hosts are numbered from 1; page i < hosts() is the home page of host i + 1.
  size_t host_of(size_t page) const { return page % hosts_ + 1; }
  std::string path_of(size_t page) const;
  std::optional<size_t> find(size_t host, std::string_view path) const;

  // The pages that it links to; the first ones are its children in the tree.
  const std::vector<uint32_t>& links(size_t page) const { return pages_[page].links; }
  // A page below one on the topic is more often on it than others: links tell something.
  bool on_topic(size_t page) const { return pages_[page].on_topic; }
  std::string title(size_t page) const;
  std::string text(size_t page) const;

 private:
  struct Page {
    std::vector<uint32_t> links;
    bool on_topic = false;
  };

  size_t hosts_;
  uint64_t seed_;
  std::vector<Page> pages_;
};

}  // namespace dowser
