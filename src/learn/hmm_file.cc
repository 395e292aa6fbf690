#include "learn/hmm_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "learn/model_container.h"

// The members of a model of browsing inside the container of learn/model_container.h, kind "hmm",
// version 1:
//
//   {"topics": ["Linux"], "sessions": 3, "links": 812, "smoothing": 0.1, "seed": 1,
//    "unreachable": 12,
//    "neighbours": 5, "sharpness": 4,
//    "link_counts": [[1, 0, …], …],              rows are states T0, T1, …
//    "cluster_counts": [[30, 0, …], …],          likewise; columns are clusters
//    "transitions": [[0.9, …], …],
//    "emissions": [[0.8, …], …],
//    "link_emissions": [[0.1, …], …],            [] where the words of links were not looked at
//    "clusters": [{"log_odds": [["linux", 0.026], …], "mutual_information": […]}, …],
//    "pages": [{"url": "http://…", "cluster": 0, "state": 0}, …],
//    "documents": 200, "dimensions": 100,
//    "terms": [[1816393341, 12, "linux"], …],    term id, documents that have it, a word
//    "coordinates": "…",                         of the terms, row by row
//    "vectors": "…"}                             of the pages, row by row
//
// Cluster 0 holds the targets. Coordinates and vectors are base 64 of 64-bit numbers, low byte
// first. A file without "link_emissions" is read as one with [].
//
// Numbers are read back to the last bit, and the same model gives the same bytes. What is not an
// hmm model, is cut, or contradicts itself is refused in one sentence.

namespace dowser {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "coordinates are stored low byte first");

constexpr uint32_t kVersion = 1;

std::string matrix_text(const CountMatrix& m) {
  std::vector<std::string> rows;
  for (size_t r = 0; r < m.rows; ++r)
    rows.push_back(fmt::format("[{}]", fmt::join(m.row(r), ", ")));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string vectors_text(const DenseVectors& vectors) {
  std::string bytes;
  for (size_t i = 0; i < vectors.size(); ++i) {
    const std::span<const double> v = vectors[i];
    bytes.append(reinterpret_cast<const char*>(v.data()), v.size_bytes());
  }
  return base64(bytes);
}

std::string words_text(const std::vector<HmmFile::Word>& words) {
  std::vector<std::string> parts;
  for (const auto& w : words)
    parts.push_back(fmt::format("[{}, {}]", json_string(w.word), w.value));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

// Reads values by type and remembers what was wrong first.
class Reader {
 public:
  explicit Reader(const json& all) : all_(all) {}
  const std::optional<Error>& error() const { return error_; }

  double number(const json& from, const char* name) {
    const json& value = member(from, name);
    if (!value.is_number()) wrong(name);
    return value.is_number() ? value.get<double>() : 0;
  }
  uint32_t natural(const json& from, const char* name) {
    const json& value = member(from, name);
    if (value.is_number_unsigned() && value.get<uint64_t>() <= UINT32_MAX) {
      return value.get<uint32_t>();
    }
    wrong(name);
    return 0;
  }
  uint64_t large(const char* name) {
    const json& value = member(all_, name);
    if (!value.is_number_unsigned()) wrong(name);
    return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
  }
  std::string text(const json& value, const char* name) {
    if (!value.is_string()) wrong(name);
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  const json& list(const json& from, const char* name) {
    static const json kEmpty = json::array();
    const json& value = member(from, name);
    if (!value.is_array()) wrong(name);
    return value.is_array() ? value : kEmpty;
  }
  CountMatrix matrix(const char* name) {
    CountMatrix m;
    for (const json& row : list(all_, name)) {
      if (!row.is_array() || (m.rows > 0 && row.size() != m.columns)) {
        wrong(name);
        return {};
      }
      ++m.rows;
      m.columns = static_cast<uint32_t>(row.size());
      for (const json& value : row) {
        if (!value.is_number()) wrong(name);
        m.values.push_back(value.is_number() ? value.get<double>() : 0);
      }
    }
    return m;
  }
  DenseVectors vectors(const char* name, size_t dimensions, size_t count) {
    DenseVectors v(dimensions);
    const auto bytes = from_base64(text(member(all_, name), name));
    if (!bytes || dimensions == 0 || bytes->size() != dimensions * count * sizeof(double)) {
      wrong(name);
      return v;
    }
    std::vector<double> row(dimensions);
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(row.data(), bytes->data() + i * dimensions * sizeof(double),
                  dimensions * sizeof(double));
      for (const double x : row) {
        if (!std::isfinite(x)) wrong(name);
      }
      v.add(row);
    }
    return v;
  }
  std::vector<HmmFile::Word> words(const json& from, const char* name) {
    std::vector<HmmFile::Word> words;
    for (const json& word : list(from, name)) {
      if (!word.is_array() || word.size() != 2 || !word[0].is_string() || !word[1].is_number()) {
        wrong(name);
        continue;
      }
      words.push_back({word[0].get<std::string>(), word[1].get<double>()});
    }
    return words;
  }
  const json& member(const json& from, const char* name) {
    static const json kNothing;
    if (!from.is_object()) {
      wrong(name);
      return kNothing;
    }
    const auto it = from.find(name);
    if (it == from.end()) wrong(name);
    return it == from.end() ? kNothing : *it;
  }
  void wrong(const char* name) {
    if (!error_)
      error_ = Error{
          fmt::format("the model file is broken: '{}' is missing or of the wrong kind", name)};
  }

 private:
  const json& all_;
  std::optional<Error> error_;
};

}  // namespace

std::string hmm_file_text(const HmmFile& file) {
  const HmmModel::Parts parts = file.model.parts();
  std::vector<std::string> topics, clusters, pages, terms;
  for (const std::string& topic : file.topics) topics.push_back(json_string(topic));
  for (const HmmFile::Cluster& c : file.clusters) {
    clusters.push_back(fmt::format("\n {{\"log_odds\": {},\n  \"mutual_information\": {}}}",
                                   words_text(c.by_log_odds), words_text(c.by_mutual_information)));
  }
  for (size_t i = 0; i < file.addresses.size(); ++i) {
    pages.push_back(fmt::format("\n {{\"url\": {}, \"cluster\": {}, \"state\": {}}}",
                                json_string(file.addresses[i]), parts.pages.labels[i],
                                parts.states[i]));
  }
  for (size_t i = 0; i < parts.space.terms.size(); ++i) {
    terms.push_back(fmt::format("\n [{}, {}, {}]", parts.space.terms[i],
                                parts.space.document_frequencies[i], json_string(file.words[i])));
  }
  std::string text = fmt::format(
      "\"topics\": [{}], \"sessions\": {}, \"links\": {}, "
      "\"smoothing\": {}, \"seed\": {},\n\"unreachable\": {},\n\"neighbours\": {}, "
      "\"sharpness\": {},\n",
      fmt::join(topics, ", "), file.sessions, file.links, file.smoothing, file.seed,
      parts.unreachable, parts.pages.k, parts.pages.sharpness);
  text += fmt::format(
      "\"link_counts\": {},\n\"cluster_counts\": {},\n\"transitions\": {},\n\"emissions\": {},\n"
      "\"link_emissions\": {},\n",
      matrix_text(parts.link_counts), matrix_text(parts.cluster_counts),
      matrix_text(parts.chain.transitions), matrix_text(parts.chain.emissions),
      matrix_text(parts.link_emissions));
  text += fmt::format("\"clusters\": [{}],\n\"pages\": [{}],\n", fmt::join(clusters, ","),
                      fmt::join(pages, ","));
  text += fmt::format("\"documents\": {}, \"dimensions\": {},\n\"terms\": [{}],\n",
                      parts.space.documents, parts.space.coordinates.dimensions(),
                      fmt::join(terms, ","));
  text += fmt::format("\"coordinates\": \"{}\",\n\"vectors\": \"{}\"",
                      vectors_text(parts.space.coordinates), vectors_text(parts.pages.vectors));
  return model_container({std::string(HmmFile::kKind), kVersion}, text);
}

Result<HmmFile> read_hmm_file(std::string_view text) {
  ModelHeader header;
  const Result<json> read = read_model_container(text, &header);
  if (!read) return read.error();
  if (header.kind != HmmFile::kKind) {
    return Error{
        fmt::format("the model is of the kind \"{}\", and not one that dowser learn hmm has made",
                    header.kind)};
  }
  if (Status s = check_model_version(header, kVersion); !s) return s.error();
  const json& all = *read;
  Reader in(all);
  HmmModel::Parts parts;
  std::vector<std::string> words, addresses, topics;
  std::vector<HmmFile::Cluster> clusters;
  for (const json& topic : in.list(all, "topics")) topics.push_back(in.text(topic, "topics"));
  for (const json& cluster : in.list(all, "clusters")) {
    clusters.push_back({in.words(cluster, "log_odds"), in.words(cluster, "mutual_information")});
  }
  for (const json& page : in.list(all, "pages")) {
    addresses.push_back(in.text(in.member(page, "url"), "url"));
    parts.pages.labels.push_back(in.natural(page, "cluster"));
    parts.states.push_back(in.natural(page, "state"));
  }
  for (const json& term : in.list(all, "terms")) {
    if (!term.is_array() || term.size() != 3 || !term[0].is_number_unsigned() ||
        !term[1].is_number_unsigned()) {
      in.wrong("terms");
      break;
    }
    parts.space.terms.push_back(term[0].get<uint32_t>());
    parts.space.document_frequencies.push_back(term[1].get<uint32_t>());
    words.push_back(in.text(term[2], "terms"));
  }
  const uint32_t dimensions = in.natural(all, "dimensions");
  parts.space.documents = in.natural(all, "documents");
  parts.space.coordinates = in.vectors("coordinates", dimensions, parts.space.terms.size());
  parts.pages.k = in.natural(all, "neighbours");
  parts.pages.sharpness = in.number(all, "sharpness");
  parts.pages.classes = static_cast<uint32_t>(clusters.size());
  parts.pages.vectors = in.vectors("vectors", dimensions, addresses.size());
  parts.chain = {in.matrix("transitions"), in.matrix("emissions")};
  parts.unreachable = in.natural(all, "unreachable");
  parts.link_counts = in.matrix("link_counts");
  parts.cluster_counts = in.matrix("cluster_counts");
  if (all.contains("link_emissions")) parts.link_emissions = in.matrix("link_emissions");
  const uint32_t sessions = in.natural(all, "sessions"), links = in.natural(all, "links");
  const double smoothing = in.number(all, "smoothing");
  const uint64_t seed = in.large("seed");
  if (in.error()) return *in.error();
  Result<HmmModel> model = HmmModel::from_parts(std::move(parts));
  if (!model) return model.error();
  return HmmFile{
      std::move(*model), std::move(topics),    sessions,           links, smoothing, seed,
      std::move(words),  std::move(addresses), std::move(clusters)};
}

}  // namespace dowser
