#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// A profile holds prior knowledge of a subject: words in the addresses, titles and links of that
// subject, and the thresholds of the rules that use them. The lists are those of the CINDI Robot
// (Chen 2008), which collects papers in computer science; profiles/computer-science.toml holds its
// own. An empty list means that its rule does not apply, so the default profile, in which all lists
// are empty, suits every subject.

namespace dowser {

struct Profile {
  // A phrase and how much it counts.
  struct Phrase {
    std::string words;
    double weight = 1;
    friend bool operator==(const Phrase&, const Phrase&) = default;
  };

  std::string name;

  struct Addresses {
    std::vector<std::string> host_keywords;     // labels left of the public suffix
    std::vector<std::string> stop_directories;  // whole names
    std::vector<std::string> page_formats;      // endings; none: every ending is a page's
    std::vector<std::string> document_formats;
    uint32_t path_levels = 7;  // directories
    friend bool operator==(const Addresses&, const Addresses&) = default;
  } addresses;

  struct Pages {
    std::vector<std::string> domain_keywords;  // in title or meta keywords
    std::vector<std::string> paper_words;
    uint32_t paper_words_needed = 4;
    friend bool operator==(const Pages&, const Pages&) = default;
  } pages;

  struct Anchors {
    std::vector<std::string> pruning, extracting;
    uint32_t least_support = 3;  // links with an anchor, for `dowser learn anchors`
    friend bool operator==(const Anchors&, const Anchors&) = default;
  } anchors;

  struct Documents {
    std::vector<std::string> unwelcome_names;
    uint64_t least_pdf_bytes = 0;  // 8,192 in computer-science; 0: no such rule
    // Evidence of the kinds of documents; empty: the lists of document/kind.cc.
    std::vector<Phrase> thesis, report, faq, paper;
    friend bool operator==(const Documents&, const Documents&) = default;
  } documents;

  struct Seeds {
    std::vector<std::string> categories, queries, sponsors;
    uint32_t results_per_query = 200;
    friend bool operator==(const Seeds&, const Seeds&) = default;
  } seeds;

  struct Judge {
    uint32_t bayes_from_relevant = 5000;
    uint32_t bayes_from_other = 10000;
    uint32_t retrain_every = 50000;
    uint32_t rdf_above = 3;
    friend bool operator==(const Judge&, const Judge&) = default;
  } judge;

  struct Layers {
    uint32_t back_link_steps = 5;
    friend bool operator==(const Layers&, const Layers&) = default;
  } layers;

  struct Tunnel {
    double bias = 0.75;
    uint32_t new_sites = 30;
    friend bool operator==(const Tunnel&, const Tunnel&) = default;
  } tunnel;

  struct Sites {
    uint32_t open = 75;
    friend bool operator==(const Sites&, const Sites&) = default;
  } sites;

  // Rates below these count as bad: PRR is the share of relevant pages, DDR documents per page, ADR
  // the share of accepted documents.
  struct Statistics {
    uint32_t stop_directory_sites = 5;
    uint32_t trap_pages = 200, trap_every = 100;
    double trap_prr = 0.05;
    uint32_t least_directory_pages = 10, least_directory_documents = 4;  // fewer say too little
    double avoid_prr = 0.05, avoid_ddr = 0.01, avoid_adr = 0.05;
    double again_prr = 0.05, again_ddr = 0.01, again_adr = 0.05;
    bool adr_vetoes_prr = true;  // a good ADR counts more than a bad PRR
    friend bool operator==(const Statistics&, const Statistics&) = default;
  } statistics;

  friend bool operator==(const Profile&, const Profile&) = default;
};

// Reads a profile from TOML. `source` names it in errors. Unknown keys are refused with the nearest
// known one, and so are empty lists and values that contradict each other.
Result<Profile> parse_profile(std::string_view toml, std::string_view source);

// The profile that a person names: a built-in one such as "computer-science", or a file. "" is the
// default profile.
Result<Profile> load_profile(const std::string& name_or_file);

// The text of the profile that load_profile() would read: a crawl keeps it, so that it can be
// resumed after the file has changed.
Result<std::string> profile_text(const std::string& name_or_file);

struct BuiltInProfile {
  std::string_view name, toml;
};
std::vector<BuiltInProfile> built_in_profiles();

}  // namespace dowser
