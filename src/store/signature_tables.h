#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

// The tables `signatures`, `hits` and `clusters` of a catalogue: what the signatures judge saw in
// each page. They are made again whenever a crawl ends, from its archive and its library, so a
// crawl that was killed and resumed has the same as one that was not. Described in docs/formats.md.

namespace dowser {

struct StoredSignature {
  std::string name, words;
  double angle = 0, precision = 0;
};

struct StoredHits {
  int64_t page = 0;
  std::vector<std::pair<uint32_t, uint32_t>> counts;  // signature, hits; sorted
  int64_t cluster = -1;                               // -1: none
};

struct SignatureTables {
  std::vector<StoredSignature> signatures;
  std::vector<StoredHits> pages;  // in ascending order of page
};

Status write_signature_tables(const std::filesystem::path& catalogue,
                              const SignatureTables& tables);
// Empty if the crawl has none.
Result<SignatureTables> read_signature_tables(const std::filesystem::path& catalogue);

}  // namespace dowser
