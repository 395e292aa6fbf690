#include "learn/signature/hits_array.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/xml_reader.h"

namespace dowser {
namespace {

constexpr std::string_view kRoot = "HitsArrayDescriptorFile";
constexpr size_t kMostColumns = 1'000'000;
constexpr size_t kLongestText = 1 << 26;  // of one element

std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> all;
  while (true) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return all;
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

bool read_natural(std::string_view text, uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// "E:\SSD library\tr_a_b_c_1.ssd" -> "tr_a_b_c_1"
std::string signature_of_file(std::string_view path) {
  path = trimmed(path);
  if (const size_t slash = path.find_last_of("/\\"); slash != path.npos)
    path.remove_prefix(slash + 1);
  if (path.ends_with(".ssd")) path.remove_suffix(4);
  return std::string(path);
}

class HadfReader final : public XmlHandler {
 public:
  explicit HadfReader(const HitsCallbacks& told) : told_(told) {}

  Status start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    text_.clear();
    if (depth_++ == 0) return start_root(name, attributes);
    if (name == "ssd") {
      columns_.emplace_back(attribute(attributes, "name"));
      if (columns_.size() > kMostColumns) return Error{"there are too many signatures"};
    } else if (name == "row") {
      row_.document = attribute(attributes, "document");
      row_.title = attribute(attributes, "title");
    } else if (name != "ssds" && name != "HitsArray" && !is_old_) {
      return Error{fmt::format("<{}> is not known", name.substr(0, 100))};
    }
    return {};
  }
  Status end(std::string_view name) override {
    --depth_;
    Status done;
    if (name == "ssds") done = end_columns();
    if (name == "row") done = end_row();
    if (name == "link" && is_old_) row_.document = trimmed(text_);
    if (name == "HitsArray" && is_old_) done = end_old_rows();
    if (depth_ == 0 && !has_columns_) done = Error{"<ssds> is missing"};
    text_.clear();
    return done;
  }
  Status text(std::string_view piece) override {
    if (text_.size() + piece.size() > kLongestText)
      return Error{"the text of an element is too long"};
    text_ += piece;
    return {};
  }

 private:
  Status start_root(std::string_view name, std::span<const XmlAttribute> attributes) {
    if (name != kRoot) {
      return Error{fmt::format("this is a <{}>, not a <{}>: is it the right kind of file?",
                               name.substr(0, 100), kRoot)};
    }
    const std::string_view version = attribute(attributes, "version");
    is_old_ = version == "1.1";
    if (version == "2.0" || is_old_) return {};
    return Error{fmt::format("version '{}' of <{}> is not known: this program reads 2.0 and 1.1",
                             version.substr(0, 20), kRoot)};
  }

  Status end_columns() {
    if (has_columns_) return Error{"there is a second <ssds>"};
    has_columns_ = true;
    if (is_old_) {
      std::istringstream lines(text_);
      for (std::string line; std::getline(lines, line);) {
        if (!trimmed(line).empty()) columns_.push_back(signature_of_file(line));
      }
    }
    count_ = columns_.size();
    return told_.columns(std::move(columns_));
  }

  Status end_row() {
    if (!has_columns_) return Error{"<ssds> must come before the rows"};
    for (const std::string_view cell : pieces(text_)) {
      const size_t colon = cell.find(':');
      HitCount hit{};
      if (colon == cell.npos || !read_natural(cell.substr(0, colon), hit.signature) ||
          !read_natural(cell.substr(colon + 1), hit.count)) {
        return Error{
            fmt::format("'{}' is not a hit: it must be SIGNATURE:COUNT", cell.substr(0, 40))};
      }
      if (hit.signature >= count_) {
        return Error{
            fmt::format("a hit of signature {}, but there are only {}", hit.signature, count_)};
      }
      if (!row_.hits.empty() && row_.hits.back().signature >= hit.signature) {
        return Error{"the signatures of a row must be in ascending order"};
      }
      if (hit.count > 0) row_.hits.push_back(hit);
    }
    return tell_row();
  }

  // One row a line, a count for each signature.
  Status end_old_rows() {
    if (!has_columns_) return Error{"<ssds> must come before <HitsArray>"};
    const std::string document = row_.document;
    const std::vector<std::string_view> counts = pieces(text_);
    if (count_ == 0 || counts.size() % count_ != 0) {
      return Error{
          fmt::format("the hits cannot be assigned to signatures: {} counts for {} signatures; "
                      "separate the counts by spaces",
                      counts.size(), count_)};
    }
    for (size_t i = 0; i < counts.size(); ++i) {
      uint32_t count = 0;
      if (!read_natural(counts[i], count)) {
        return Error{fmt::format("'{}' is not a count", counts[i].substr(0, 40))};
      }
      if (count > 0) row_.hits.push_back({static_cast<uint32_t>(i % count_), count});
      if ((i + 1) % count_ != 0) continue;
      row_.document = document;
      if (Status s = tell_row(); !s) return s;
    }
    return {};
  }

  Status tell_row() {
    HitsRow row = std::move(row_);
    row_ = {};
    return row.hits.empty() ? Status{} : told_.row(std::move(row));
  }

  const HitsCallbacks& told_;
  std::vector<std::string> columns_;
  size_t count_ = 0;
  HitsRow row_;
  std::string text_;
  int depth_ = 0;
  bool is_old_ = false, has_columns_ = false;
};

// A quoted string of ARFF. WEKA reads backslash escapes; a line end would end the line.
std::string arff_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    switch (c) {
      case '\'':
        quoted += "\\'";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '%':
        quoted += "\\%";
        break;
      case '"':
        quoted += "\\\"";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ') quoted += c;
    }
  }
  return quoted + "'";
}

// RFC 4180; a cell that a spreadsheet would compute gets a quote in front.
std::string csv_cell(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) {
    text.insert(0, 1, '\'');
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

HitsWriter::HitsWriter(std::ostream& out, const std::vector<std::string>& signatures) : xml_(out) {
  xml_.open(kRoot, {{"version", "2.0"}});
  xml_.open("ssds");
  for (const std::string& name : signatures) xml_.element("ssd", {{"name", name}});
  xml_.close();
  xml_.open("HitsArray");
}

void HitsWriter::add(const HitsRow& row) {
  if (row.hits.empty()) return;
  std::string cells;
  for (const HitCount& hit : row.hits) {
    fmt::format_to(std::back_inserter(cells), "{}{}:{}", cells.empty() ? "" : " ", hit.signature,
                   hit.count);
  }
  xml_.element("row", {{"document", row.document}, {"title", row.title}}, cells);
}

void HitsWriter::finish() {
  xml_.close();
  xml_.close();
}

std::string hadf_text(const HitsArray& array) {
  std::ostringstream out;
  HitsWriter writer(out, array.signatures);
  for (const HitsRow& row : array.rows) writer.add(row);
  writer.finish();
  return out.str();
}

Status read_hadf(const std::filesystem::path& file, const HitsCallbacks& told) {
  HadfReader reader(told);
  return read_xml_file(file, reader);
}

Status read_hadf_text(std::string_view text, std::string_view source, const HitsCallbacks& told) {
  HadfReader reader(told);
  return read_xml(text, source, reader);
}

namespace {

// Unites arrays by the names of their columns and documents.
class Merger {
 public:
  explicit Merger(HitsArray first) : all_(std::move(first)) {
    for (uint32_t i = 0; i < all_.signatures.size(); ++i) columns_.emplace(all_.signatures[i], i);
    for (uint32_t i = 0; i < all_.rows.size(); ++i) documents_.emplace(all_.rows[i].document, i);
  }

  void begin(const std::vector<std::string>& names) {
    number_of_.clear();
    for (const std::string& name : names) {
      const auto [it, is_new] =
          columns_.try_emplace(name, static_cast<uint32_t>(all_.signatures.size()));
      if (is_new) all_.signatures.push_back(name);
      number_of_.push_back(it->second);
    }
  }
  void add(HitsRow row) {
    for (HitCount& hit : row.hits) hit.signature = number_of_[hit.signature];
    const auto [it, is_new] =
        documents_.try_emplace(row.document, static_cast<uint32_t>(all_.rows.size()));
    if (is_new || row.document.empty()) {
      all_.rows.push_back(std::move(row));
    } else {
      auto& hits = all_.rows[it->second].hits;
      hits.insert(hits.end(), row.hits.begin(), row.hits.end());
    }
  }
  HitsArray finish() {
    for (HitsRow& row : all_.rows) {
      std::sort(row.hits.begin(), row.hits.end(), [](const HitCount& a, const HitCount& b) {
        return a.signature != b.signature ? a.signature < b.signature : a.count > b.count;
      });
      const auto same = [](const HitCount& a, const HitCount& b) {
        return a.signature == b.signature;
      };
      row.hits.erase(std::unique(row.hits.begin(), row.hits.end(), same), row.hits.end());
    }
    return std::move(all_);
  }

 private:
  HitsArray all_;
  absl::flat_hash_map<std::string, uint32_t> columns_, documents_;
  std::vector<uint32_t> number_of_;  // column of the array that is added -> column of the whole
};

}  // namespace

Result<HitsArray> read_hits(const std::vector<std::filesystem::path>& files) {
  Merger merger({});
  const HitsCallbacks told{[&](std::vector<std::string> names) -> Status {
                             merger.begin(names);
                             return {};
                           },
                           [&](HitsRow row) -> Status {
                             merger.add(std::move(row));
                             return {};
                           }};
  for (const auto& file : files) {
    if (Status s = read_hadf(file, told); !s) return s.error();
  }
  return merger.finish();
}

HitsArray merge_hits(HitsArray first, const HitsArray& second) {
  Merger merger(std::move(first));
  merger.begin(second.signatures);
  for (const HitsRow& row : second.rows) merger.add(row);
  return merger.finish();
}

std::string arff_text(const HitsArray& array, const std::vector<uint32_t>& clusters) {
  std::string text = "@relation hits\n\n@attribute document string\n@attribute title string\n";
  for (const std::string& name : array.signatures) {
    text += "@attribute " + arff_string(name) + " numeric\n";
  }
  const uint32_t count =
      clusters.empty() ? 0 : *std::max_element(clusters.begin(), clusters.end()) + 1;
  if (count > 0) {
    text += "@attribute cluster {";
    // A sparse value is left out where it is the first of the list, so none is.
    for (uint32_t c = 0; c < count; ++c) text += (c ? "," : "none,") + fmt::format("c{}", c + 1);
    text += "}\n";
  }
  text += "\n@data\n";
  for (size_t i = 0; i < array.rows.size(); ++i) {
    const HitsRow& row = array.rows[i];
    text += "{0 " + arff_string(row.document) + ",1 " + arff_string(row.title);
    for (const HitCount& hit : row.hits) {
      fmt::format_to(std::back_inserter(text), ",{} {}", hit.signature + 2, hit.count);
    }
    if (count > 0) {
      fmt::format_to(std::back_inserter(text), ",{} c{}", array.signatures.size() + 2,
                     clusters[i] + 1);
    }
    text += "}\n";
  }
  return text;
}

std::string csv_text(const HitsArray& array) {
  std::string text = "document,title";
  for (const std::string& name : array.signatures) text += "," + csv_cell(name);
  text += "\r\n";
  for (const HitsRow& row : array.rows) {
    text += csv_cell(row.document) + "," + csv_cell(row.title);
    size_t next = 0;
    for (uint32_t s = 0; s < array.signatures.size(); ++s) {
      const bool hit = next < row.hits.size() && row.hits[next].signature == s;
      text += ",";
      text += hit ? std::to_string(row.hits[next++].count) : "0";
    }
    text += "\r\n";
  }
  return text;
}

}  // namespace dowser
