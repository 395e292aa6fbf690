#include "judge/trained/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

// A model file:
//
//   {"format": "dowser-model 1", "kind": "bayes", "date": "2026-11-16", "languages": ["en"],
//    "classes": [{"name": "people", "good": false, "pages": 0},
//                {"name": "student", "parent": "people", "good": true, "pages": 641}, …],
//    "test": {"how": "5-fold cross-validation", "pages": 1641, "accuracy": 0.88, "macro_f1": 0.87},
//   of bayes: how each class, and the root (""), chooses among those below it, in their order
//    "parameters": {"alpha": 1, "tempered_words": 10},
//    "choosers": [{"below": "", "priors": [0.5, 0.5], "features": [
//      {"word": "homework", "term": 1816393341, "counts": [12, 403]}, …]}]}
//   of svm: one machine for two classes, else one a class; sigmoids as in learn/sigmoid.h
//    "biases": [0.1], "sigmoids": [[-2.1, 0.3]], "features": [
//      {"word": "homework", "term": 1816393341, "weights": [0.82]}, …]}
//
// "term" is term_id() of the stem (text/terms.h); "word" is one word that had it, for people.
// Numbers are read back to the last bit.

namespace dowser {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "dowser-model 1";

std::string json_text(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string list_text(std::span<const double> numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string features_text(std::span<const uint32_t> features, std::span<const double> values,
                          std::string_view name, const TermWords& words) {
  const size_t n = features.empty() ? 0 : values.size() / features.size();
  std::string text = "[";
  for (size_t i = 0; i < features.size(); ++i) {
    const auto word = words.find(features[i]);
    text += fmt::format("{}\n  {{\"word\": {}, \"term\": {}, \"{}\": {}}}", i ? "," : "",
                        json_text(word == words.end() ? "" : word->second), features[i], name,
                        list_text(values.subspan(i * n, n)));
  }
  return text + "]";
}

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
        json_text(node == 0 ? "" : model.classes[node - 1].name), list_text(chooser->priors),
        features_text(chooser->features, chooser->counts, "counts", model.words));
  }
  return fmt::format(
      "\"parameters\": {{\"alpha\": {}, \"tempered_words\": {}}},\n\"choosers\": [{}]", alpha,
      tempered, choosers);
}

std::string svm_text(const Model& model) {
  std::vector<std::string> sigmoids;
  for (const Sigmoid& s : model.svm->sigmoids)
    sigmoids.push_back(fmt::format("[{}, {}]", s.a, s.b));
  return fmt::format(
      "\"biases\": {},\n\"sigmoids\": [{}],\n\"features\": {}", list_text(model.svm->biases),
      fmt::join(sigmoids, ", "),
      features_text(model.svm->features, model.svm->weights, "weights", model.words));
}

// Reads values by type and remembers what was wrong first.
class Reader {
 public:
  const json& member(const json& from, const char* name) {
    static const json kNothing;
    const auto it = from.is_object() ? from.find(name) : from.end();
    if (!from.is_object() || it == from.end()) {
      wrong(fmt::format("'{}' is missing", name));
      return kNothing;
    }
    return *it;
  }
  std::string text(const json& from, const char* name) {
    const json& value = member(from, name);
    if (!value.is_string()) wrong(fmt::format("'{}' is no text", name));
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  double number(const json& from, const char* name) { return number_of(member(from, name), name); }
  double number_of(const json& value, const char* name) {
    if (!value.is_number()) wrong(fmt::format("'{}' is no number", name));
    return value.is_number() ? value.get<double>() : 0;
  }
  // From 0 to 2³² - 1.
  uint32_t natural(const json& from, const char* name) {
    const double value = number(from, name);
    if (value < 0 || value > UINT32_MAX || value != std::floor(value)) {
      wrong(fmt::format("'{}' is no natural number of 32 bits", name));
      return 0;
    }
    return static_cast<uint32_t>(value);
  }
  const json& list(const json& from, const char* name) {
    static const json kEmpty = json::array();
    const json& value = member(from, name);
    if (!value.is_array()) wrong(fmt::format("'{}' is no list", name));
    return value.is_array() ? value : kEmpty;
  }
  std::vector<double> numbers(const json& from, const char* name) {
    std::vector<double> values;
    for (const json& value : list(from, name)) values.push_back(number_of(value, name));
    return values;
  }
  // Their terms, values and words.
  void features(const json& from, const char* values_name, size_t values_each,
                std::vector<uint32_t>& terms, std::vector<double>& values, TermWords& words) {
    for (const json& feature : list(from, "features")) {
      const uint32_t term = natural(feature, "term");
      terms.push_back(term);
      if (std::string word = text(feature, "word"); !word.empty()) words.emplace(term, word);
      const std::vector<double> own = numbers(feature, values_name);
      if (own.size() != values_each) {
        wrong(fmt::format("'{}' of a feature has {} numbers instead of {}", values_name, own.size(),
                          values_each));
      }
      values.insert(values.end(), own.begin(), own.end());
      if (error_) return;
    }
  }

  void wrong(std::string what) {
    if (!error_) error_ = Error{"the model is broken: " + std::move(what)};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

std::optional<size_t> class_named(const Model& model, std::string_view name) {
  for (size_t i = 0; i < model.classes.size(); ++i) {
    if (model.classes[i].name == name) return i;
  }
  return std::nullopt;
}

void read_classes(Reader& in, const json& from, Model& model) {
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

void read_bayes(Reader& in, const json& from, Model& model) {
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
    in.features(each, "counts", children[node], bayes.features, bayes.counts, model.words);
    tree.choosers[node] = std::move(bayes);
    if (in.error()) return;
  }
  model.tree = std::move(tree);
}

void read_svm(Reader& in, const json& from, Model& model) {
  LinearSvm::Parts svm;
  const size_t machines = model.classes.size() == 2 ? 1 : model.classes.size();
  svm.biases = in.numbers(from, "biases");
  for (const json& each : in.list(from, "sigmoids")) {
    if (!each.is_array() || each.size() != 2) {
      in.wrong("a sigmoid is not two numbers");
    } else {
      svm.sigmoids.push_back(
          {in.number_of(each[0], "sigmoids"), in.number_of(each[1], "sigmoids")});
    }
  }
  if (svm.biases.size() != machines) in.wrong("there is not one bias for each machine");
  in.features(from, "weights", machines, svm.features, svm.weights, model.words);
  model.svm = std::move(svm);
}

Status check_parts(const Model& model) {
  if (model.tree) {
    const Result<TopicTree> tree = TopicTree::from_parts(*model.tree);
    return tree ? Status{} : Status(tree.error());
  }
  const Result<LinearSvm> svm = LinearSvm::from_parts(*model.svm);
  return svm ? Status{} : Status(svm.error());
}

Result<json> parse(std::string_view text) {
  json from = json::parse(text, nullptr, false);
  if (!from.is_object() || !from.contains("format")) {
    return Error{"this is no model: dowser learn makes one"};
  }
  if (from["format"] != kFormat) {
    return Error{fmt::format("the model has the format {}, and this program reads \"{}\"",
                             from["format"].dump(), kFormat)};
  }
  const json kind = from.value("kind", json());
  if (kind != "bayes" && kind != "svm") {
    return Error{fmt::format("the model is of the kind {}, and there are \"bayes\" and \"svm\"",
                             kind.dump())};
  }
  return from;
}

}  // namespace

std::string model_text(const Model& model) {
  std::vector<std::string> classes, languages;
  for (const Model::Class& c : model.classes) {
    const std::string parent =
        c.parent.empty() ? "" : fmt::format("\"parent\": {}, ", json_text(c.parent));
    classes.push_back(fmt::format("\n {{\"name\": {}, {}\"good\": {}, \"pages\": {}}}",
                                  json_text(c.name), parent, c.good, c.pages));
  }
  for (const std::string& language : model.languages) languages.push_back(json_text(language));
  std::string test;
  if (model.test) {
    test = fmt::format(
        "\"test\": {{\"how\": {}, \"pages\": {}, \"accuracy\": {}, \"macro_f1\": {}}},\n",
        json_text(model.test->how), model.test->pages, model.test->accuracy, model.test->macro_f1);
  }
  return fmt::format(
      "{{\"format\": \"{}\", \"kind\": {}, \"date\": {},\n\"languages\": [{}],\n\"classes\": "
      "[{}],\n{}{}}}\n",
      kFormat, json_text(model.kind), json_text(model.date), fmt::join(languages, ", "),
      fmt::join(classes, ","), test, model.tree ? bayes_text(model) : svm_text(model));
}

Result<Model> read_model(std::string_view text) {
  const Result<json> from = parse(text);
  if (!from) return from.error();
  Reader in;
  Model model;
  model.kind = in.text(*from, "kind");
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
  if (!in.error())
    model.kind == "bayes" ? read_bayes(in, *from, model) : read_svm(in, *from, model);
  if (in.error()) return *in.error();
  if (Status s = check_parts(model); !s) return s.error();
  return model;
}

Result<std::string> model_kind(std::string_view text) {
  const Result<json> from = parse(text);
  if (!from) return from.error();
  return (*from)["kind"].get<std::string>();
}

}  // namespace dowser
