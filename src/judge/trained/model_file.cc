#include "judge/trained/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "judge/trained/model_features.h"

// The members of a judge's model inside the container of learn/model_container.h:
//
// clang-format off
//   {"dowser_model": 1, "kind": "bayes", "version": 1,
//    "date": "2026-11-16", "languages": ["en"],
//    "classes": [{"name": "people", "good": false, "pages": 0},
//                {"name": "student", "parent": "people", "good": true, "pages": 641}, …],
//    "test": {"how": "5-fold cross-validation", "pages": 1641, "accuracy": 0.88, "macro_f1": 0.87},
//
//   The kind "bayes" adds how each class, and the root (""), chooses among the classes below it, in
//   their order:
//    "parameters": {"alpha": 1, "tempered_words": 10},
//    "choosers": [{"below": "", "priors": [0.5, 0.5], "features": [
//      {"word": "homework", "term": 1816393341, "counts": [12, 403]}, …]}]}
//
//   The kind "svm" adds one machine for two classes, otherwise one for each class; the sigmoids are
//   those of learn/sigmoid.h:
//    "biases": [0.1], "sigmoids": [[-2.1, 0.3]], "features": [
//      {"word": "homework", "term": 1816393341, "weights": [0.82]}, …]}
// clang-format on
//
//   The kinds "weighted-bayes" and "rbf-svm" are described in cindi_model.cc.
//
// "term" is term_id() of the stem (text/terms.h), and "word" is a word with that stem, for people.
// Numbers are read back to the last bit.

namespace dowser {
namespace {

using nlohmann::json;

constexpr uint32_t kVersion = 1;  // of the members

std::string bayes_text(const Model& model) {
  std::string choosers;
  double alpha = 1, tempered = 0;
  for (size_t node = 0; node < model.tree->choosers.size(); ++node) {
    const auto& chooser = model.tree->choosers[node];
    if (!chooser) continue;
    alpha = chooser->alpha;
    tempered = chooser->tempered_words;
    choosers += fmt::format(
        "{}\n {{\"below\": {}, \"priors\": {}, \"features\": {}}}", choosers.empty() ? "" : ",",
        json_string(node == 0 ? "" : model.classes[node - 1].name), json_list(chooser->priors),
        features_text(chooser->features, chooser->counts, "counts", model.words));
  }
  return fmt::format(
      "\"parameters\": {{\"alpha\": {}, \"tempered_words\": {}}},\n\"choosers\": [{}]", alpha,
      tempered, choosers);
}

std::string svm_text(const Model& model) {
  return fmt::format(
      "\"biases\": {},\n\"sigmoids\": {},\n\"features\": {}", json_list(model.svm->biases),
      sigmoids_text(model.svm->sigmoids),
      features_text(model.svm->features, model.svm->weights, "weights", model.words));
}

std::optional<size_t> class_named(const Model& model, std::string_view name) {
  for (size_t i = 0; i < model.classes.size(); ++i) {
    if (model.classes[i].name == name) return i;
  }
  return std::nullopt;
}

void read_classes(ModelFields& in, const json& from, Model& model) {
  for (const json& each : in.list(from, "classes")) {
    Model::Class c;
    c.name = in.text(each, "name");
    if (each.is_object() && each.contains("parent")) c.parent = in.text(each, "parent");
    c.good = in.member(each, "good") == true;
    c.pages = in.natural(each, "pages");
    if (c.name.empty() || class_named(model, c.name)) {
      in.wrong(fmt::format("the class '{}' has no name or is there twice", c.name));
    }
    if (!c.parent.empty() && !class_named(model, c.parent)) {
      in.wrong(fmt::format("the parent of the class '{}' does not stand before it", c.name));
    }
    model.classes.push_back(std::move(c));
  }
  if (model.classes.size() < 2) in.wrong("it has fewer than two classes");
}

void read_bayes(ModelFields& in, const json& from, Model& model) {
  TopicTree::Parts tree{{0}, {0}, {}};
  std::vector<size_t> children(model.classes.size() + 1);
  for (const Model::Class& c : model.classes) {
    const auto parent = class_named(model, c.parent);
    tree.parents.push_back(parent ? static_cast<uint32_t>(*parent + 1) : 0);
    tree.good.push_back(c.good);
    ++children[tree.parents.back()];
  }
  tree.choosers.resize(tree.parents.size());
  const json& parameters = in.member(from, "parameters");
  for (const json& each : in.list(from, "choosers")) {
    const std::string below = in.text(each, "below");
    const auto parent = class_named(model, below);
    if (!below.empty() && !parent) in.wrong(fmt::format("there is no class '{}'", below));
    const size_t node = parent ? *parent + 1 : 0;
    NaiveBayes::Parts bayes;
    bayes.alpha = in.number(parameters, "alpha");
    bayes.tempered_words = in.number(parameters, "tempered_words");
    bayes.priors = in.numbers(each, "priors");
    read_features(in, each, "counts", children[node], bayes.features, bayes.counts, model.words);
    tree.choosers[node] = std::move(bayes);
    if (in.error()) return;
  }
  model.tree = std::move(tree);
}

void read_svm(ModelFields& in, const json& from, Model& model) {
  LinearSvm::Parts svm;
  const size_t machines = model.classes.size() == 2 ? 1 : model.classes.size();
  svm.biases = in.numbers(from, "biases");
  svm.sigmoids = read_sigmoids(in, from);
  if (svm.biases.size() != machines) in.wrong("there is not one bias for each machine");
  read_features(in, from, "weights", machines, svm.features, svm.weights, model.words);
  model.svm = std::move(svm);
}

Status check_parts(const Model& model) {
  if (model.tree) {
    const Result<TopicTree> tree = TopicTree::from_parts(*model.tree);
    return tree ? Status{} : Status(tree.error());
  }
  if (model.weighted_bayes) {
    const Result<WeightedBayes> bayes = WeightedBayes::from_parts(*model.weighted_bayes);
    return bayes ? Status{} : Status(bayes.error());
  }
  if (model.rbf_svm) {
    const Result<PageWeights> weights = PageWeights::from_parts(model.rbf_svm->weights);
    if (!weights) return weights.error();
    const Result<RbfSvm> svm = RbfSvm::from_parts(model.rbf_svm->svm);
    return svm ? Status{} : Status(svm.error());
  }
  const Result<LinearSvm> svm = LinearSvm::from_parts(*model.svm);
  return svm ? Status{} : Status(svm.error());
}

// The kinds, and how their members are written and read.
struct ModelKind {
  std::string_view name;
  std::string (*text)(const Model&);
  void (*read)(ModelFields&, const json&, Model&);
};
constexpr ModelKind kModelKinds[] = {{"bayes", bayes_text, read_bayes},
                                     {"svm", svm_text, read_svm},
                                     {"rbf-svm", rbf_svm_text, read_rbf_svm},
                                     {"weighted-bayes", weighted_bayes_text, read_weighted_bayes}};

Result<const ModelKind*> kind_named(const ModelHeader& header) {
  for (const ModelKind& kind : kModelKinds) {
    if (kind.name != header.kind) continue;
    if (Status s = check_model_version(header, kVersion); !s) return s.error();
    return &kind;
  }
  std::vector<std::string> names;
  for (const ModelKind& kind : kModelKinds) names.push_back(fmt::format("\"{}\"", kind.name));
  return Error{fmt::format("the model is of the kind \"{}\": judges can use models of the kinds {}",
                           header.kind, fmt::join(names, ", "))};
}

}  // namespace

std::string model_text(const Model& model) {
  std::vector<std::string> classes, languages;
  for (const Model::Class& c : model.classes) {
    const std::string parent =
        c.parent.empty() ? "" : fmt::format("\"parent\": {}, ", json_string(c.parent));
    classes.push_back(fmt::format("\n {{\"name\": {}, {}\"good\": {}, \"pages\": {}}}",
                                  json_string(c.name), parent, c.good, c.pages));
  }
  for (const std::string& language : model.languages) languages.push_back(json_string(language));
  std::string test;
  if (model.test) {
    test = fmt::format(
        "\"test\": {{\"how\": {}, \"pages\": {}, \"accuracy\": {}, \"macro_f1\": {}}},\n",
        json_string(model.test->how), model.test->pages, model.test->accuracy,
        model.test->macro_f1);
  }
  return model_container(
      {model.kind, kVersion},
      fmt::format("\"date\": {},\n\"languages\": [{}],\n\"classes\": [{}],\n{}{}",
                  json_string(model.date), fmt::join(languages, ", "), fmt::join(classes, ","),
                  test, (*kind_named({model.kind, kVersion}))->text(model)));
}

Result<Model> read_model(std::string_view text) {
  ModelHeader header;
  const Result<json> from = read_model_container(text, &header);
  if (!from) return from.error();
  const Result<const ModelKind*> kind = kind_named(header);
  if (!kind) return kind.error();
  ModelFields in;
  Model model;
  model.kind = header.kind;
  model.date = in.text(*from, "date");
  for (const json& language : in.list(*from, "languages")) {
    if (language.is_string()) model.languages.push_back(language.get<std::string>());
  }
  read_classes(in, *from, model);
  if (from->contains("test")) {
    const json& test = (*from)["test"];
    model.test = Model::Test{in.text(test, "how"), in.natural(test, "pages"),
                             in.number(test, "accuracy"), in.number(test, "macro_f1")};
  }
  if (!in.error()) (*kind)->read(in, *from, model);
  if (in.error()) return *in.error();
  if (Status s = check_parts(model); !s) return s.error();
  return model;
}

Result<std::string> model_kind(std::string_view text) {
  const Result<ModelHeader> header = read_model_header(text);
  if (!header) return header.error();
  if (const auto kind = kind_named(*header); !kind) return kind.error();
  return header->kind;
}

}  // namespace dowser
