#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "judge/trained/model_features.h"

// The two classifiers of the CINDI Robot (Chen 2008) as models, for two classes: others and the
// topic.
//
// clang-format off
//   The kind "weighted-bayes" adds the number of pages it was trained on. The counts of a feature
//   are how often the others and the topic have it, and how many of all pages have it:
//    "parameters": {"alpha": 0.5}, "priors": [0.7, 0.3], "documents": 600, "features": [
//      {"word": "homework", "term": 1816393341, "counts": [12, 403, 57]}, …]
//
//   The kind "rbf-svm" adds the representation (learn/page_weights.h) and the machine. The counts
//   of a feature are RDF of the others and of the topic, then RKF of both:
//    "weights": "tf-idf", "documents": 600, "gamma": 1.2, "biases": [0.1],
//    "sigmoids": [[-2.1, 0.3]],
//    "features": [{"word": "homework", "term": 1816393341, "counts": [3, 54, 12, 403]}, …],
//    "vectors": [{"coefficients": [0.8], "terms": [1816393341, …], "values": [0.11, …]}, …]
// clang-format on

namespace dowser {
namespace {

using nlohmann::json;

uint32_t count_of(ModelFields& in, double number) {
  if (!(number >= 0 && number <= UINT32_MAX && number == std::floor(number))) {
    in.wrong("a count is no whole number");
    return 0;
  }
  return static_cast<uint32_t>(number);
}

}  // namespace

std::string weighted_bayes_text(const Model& model) {
  const WeightedBayes::Parts& parts = *model.weighted_bayes;
  const size_t classes = parts.bayes.priors.size();
  std::vector<double> counts;
  for (size_t i = 0; i < parts.bayes.features.size(); ++i) {
    const auto begin = parts.bayes.counts.begin() + static_cast<ptrdiff_t>(i * classes);
    counts.insert(counts.end(), begin, begin + static_cast<ptrdiff_t>(classes));
    counts.push_back(parts.document_frequencies[i]);
  }
  return fmt::format(
      "\"parameters\": {{\"alpha\": {}}},\n\"priors\": {},\n\"documents\": {},\n\"features\": {}",
      parts.bayes.alpha, json_list(parts.bayes.priors), parts.documents,
      features_text(parts.bayes.features, counts, "counts", model.words));
}

void read_weighted_bayes(ModelFields& in, const json& from, Model& model) {
  WeightedBayes::Parts parts;
  const size_t classes = model.classes.size();
  parts.bayes.alpha = in.number(in.member(from, "parameters"), "alpha");
  parts.bayes.priors = in.numbers(from, "priors");
  parts.documents = in.natural(from, "documents");
  if (parts.bayes.priors.size() != classes) in.wrong("there is not one prior for each class");
  std::vector<double> counts;
  read_features(in, from, "counts", classes + 1, parts.bayes.features, counts, model.words);
  if (in.error()) return;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (i % (classes + 1) == classes) {
      parts.document_frequencies.push_back(count_of(in, counts[i]));
    } else {
      parts.bayes.counts.push_back(counts[i]);
    }
  }
  model.weighted_bayes = std::move(parts);
}

std::string rbf_svm_text(const Model& model) {
  const PageWeights::Parts& weights = model.rbf_svm->weights;
  const RbfSvm::Parts& svm = model.rbf_svm->svm;
  std::vector<double> counts;
  for (size_t i = 0; i < weights.features.size(); ++i) {
    for (const auto* values : {&weights.rdf, &weights.rkf}) {
      counts.push_back((*values)[2 * i]), counts.push_back((*values)[2 * i + 1]);
    }
  }
  const size_t machines = svm.biases.size();
  std::string vectors;
  for (size_t i = 0; i < svm.vectors.size(); ++i) {
    std::string terms;
    std::vector<double> values;
    for (const auto& entry : svm.vectors[i].entries()) {
      terms += fmt::format("{}{}", terms.empty() ? "" : ", ", entry.index);
      values.push_back(entry.value);
    }
    vectors +=
        fmt::format("{}\n {{\"coefficients\": {}, \"terms\": [{}], \"values\": {}}}", i ? "," : "",
                    json_list(std::span(svm.coefficients).subspan(i * machines, machines)), terms,
                    json_list(values));
  }
  return fmt::format(
      "\"weights\": \"{}\",\n\"documents\": {},\n\"gamma\": {},\n\"biases\": {},\n\"sigmoids\": "
      "{},\n\"features\": {},\n\"vectors\": [{}]",
      name_of(weights.kind), weights.documents, svm.gamma, json_list(svm.biases),
      sigmoids_text(svm.sigmoids), features_text(weights.features, counts, "counts", model.words),
      vectors);
}

void read_rbf_svm(ModelFields& in, const json& from, Model& model) {
  Model::WeightedSvm parts;
  const std::string name = in.text(from, "weights");
  const std::optional<WeightKind> kind = weight_kind_named(name);
  if (!kind) return in.wrong(fmt::format("there are no weights '{}'", name));
  parts.weights.kind = *kind;
  parts.weights.documents = in.natural(from, "documents");
  std::vector<double> counts;
  read_features(in, from, "counts", 4, parts.weights.features, counts, model.words);
  if (in.error()) return;
  for (size_t i = 0; i < counts.size(); ++i) {
    (i % 4 < 2 ? parts.weights.rdf : parts.weights.rkf).push_back(count_of(in, counts[i]));
  }
  parts.svm.gamma = in.number(from, "gamma");
  parts.svm.biases = in.numbers(from, "biases");
  parts.svm.sigmoids = read_sigmoids(in, from);
  if (model.classes.size() != 2 || parts.svm.biases.size() != 1) {
    in.wrong("it is not one machine for two classes");
  }
  for (const json& each : in.list(from, "vectors")) {
    const std::vector<double> terms = in.numbers(each, "terms"),
                              values = in.numbers(each, "values"),
                              coefficients = in.numbers(each, "coefficients");
    if (terms.size() != values.size() || coefficients.size() != 1) {
      in.wrong("a vector has not as many values as terms");
    }
    if (in.error()) return;
    std::vector<SparseVector::Entry> entries;
    for (size_t i = 0; i < terms.size(); ++i) {
      entries.push_back({count_of(in, terms[i]), values[i]});
    }
    parts.svm.vectors.emplace_back(std::move(entries));
    parts.svm.coefficients.push_back(coefficients[0]);
  }
  model.rbf_svm = std::move(parts);
}

}  // namespace dowser
