#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace dowser {

// The number of occurrences of each term in a document.
struct TermCounts {
  struct Entry {
    uint32_t term;  // id in a Vocabulary
    uint32_t count;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;  // sorted by term, each term once
  uint64_t total = 0;  // all terms of the document, including those the vocabulary does not know

  friend bool operator==(const TermCounts&, const TermCounts&) = default;
};

// Terms and their ids (0, 1, 2 … in order of first occurrence), and the number of documents that
// each occurred in. Reading is thread-safe, writing is not.
class Vocabulary {
 public:
  // The id of a term, which is added if it is new; counts no document.
  uint32_t add(std::string_view term);
  // Adds the terms of a document and counts the document once for each of them.
  TermCounts add_document(std::span<const std::string> terms);

  std::optional<uint32_t> find(std::string_view term) const;
  // The counts of known terms; unknown terms count only in `total`.
  TermCounts count(std::span<const std::string> terms) const;

  std::string_view term(uint32_t id) const;
  uint32_t document_frequency(uint32_t id) const { return document_frequencies_[id]; }
  uint32_t documents() const { return documents_; }
  size_t size() const { return ends_.size(); }

  // Text, the same for the same vocabulary on every machine:
  //
  //   dowser-vocabulary 1
  //   documents 20
  //   terms 2
  //   7 crawl
  //   1 focus
  //
  // A term follows its document frequency, in order of id; "\n" and "\\" stand for line feed and
  // backslash.
  std::string save() const;
  static Result<Vocabulary> load(std::string_view text);

 private:
  // The slot of a term, or the free slot where it belongs. There is always a free slot.
  size_t slot_of(std::string_view term, uint64_t hash) const;
  void grow();

  struct Slot {
    uint32_t hash = 0;  // upper half
    uint32_t id_plus_one = 0;
  };

  std::string letters_;         // all terms, one after the other
  std::vector<uint32_t> ends_;  // of each term in letters_
  std::vector<uint32_t> document_frequencies_;
  uint32_t documents_ = 0;
  std::vector<Slot> slots_;  // open addressing, a power of two
};

}  // namespace dowser
