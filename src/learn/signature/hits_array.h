#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/xml_writer.h"
#include "learn/signature/signature_scanner.h"

// The hits array: how often each signature has a hit in each document. Only documents with a hit
// are kept, and of a document only the signatures that hit it.

namespace dowser {

struct HitsRow {
  std::string document;  // its address or file
  std::string title;
  std::vector<HitCount> hits;  // in ascending order of signature
  friend bool operator==(const HitsRow&, const HitsRow&) = default;
};

struct HitsArray {
  std::vector<std::string> signatures;  // the columns; with `words`: single words
  std::vector<HitsRow> rows;
  friend bool operator==(const HitsArray&, const HitsArray&) = default;
};

// Hits array descriptor files (.hadf), version 2.0, described in docs/formats.md. They are written
// and read row by row.
class HitsWriter {
 public:
  HitsWriter(std::ostream& out, const std::vector<std::string>& signatures);
  void add(const HitsRow& row);  // one without hits is left out
  void finish();

 private:
  XmlWriter xml_;
};
std::string hadf_text(const HitsArray& array);

// Calls back with the columns, once, before the rows. Reads version 2.0, and 1.1 of Pinnamaneni
// 2013 where the counts of a row are separated by white space: what he prints, digits in one run,
// cannot be distinguished once a count has two of them.
struct HitsCallbacks {
  std::function<Status(std::vector<std::string>)> columns;
  std::function<Status(HitsRow)> row;
};
Status read_hadf(const std::filesystem::path& file, const HitsCallbacks& told);
Status read_hadf_text(std::string_view text, std::string_view source, const HitsCallbacks& told);

// Several arrays as one: columns are united by name, and rows by document. A document that has
// counts of the same signature in two of them keeps the larger: both counted the same text.
Result<HitsArray> read_hits(const std::vector<std::filesystem::path>& files);
HitsArray merge_hits(HitsArray first, const HitsArray& second);

// For WEKA: a document a line, its number, and its counts; sparse. Titles and addresses are quoted.
// `clusters` gives a nominal attribute, if it is not empty.
std::string arff_text(const HitsArray& array, const std::vector<uint32_t>& clusters = {});
// A column for each signature.
std::string csv_text(const HitsArray& array);

}  // namespace dowser
