#include "judge/trained/model_features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace dowser {

using nlohmann::json;

std::string features_text(std::span<const uint32_t> features, std::span<const double> values,
                          std::string_view name, const TermWords& words) {
  const size_t n = features.empty() ? 0 : values.size() / features.size();
  std::string text = "[";
  for (size_t i = 0; i < features.size(); ++i) {
    const auto word = words.find(features[i]);
    text += fmt::format("{}\n  {{\"word\": {}, \"term\": {}, \"{}\": {}}}", i ? "," : "",
                        json_string(word == words.end() ? "" : word->second), features[i], name,
                        json_list(values.subspan(i * n, n)));
  }
  return text + "]";
}

void read_features(ModelFields& in, const json& from, const char* values_name, size_t values_each,
                   std::vector<uint32_t>& terms, std::vector<double>& values, TermWords& words) {
  for (const json& feature : in.list(from, "features")) {
    const uint32_t term = in.natural(feature, "term");
    terms.push_back(term);
    if (std::string word = in.text(feature, "word"); !word.empty()) words.emplace(term, word);
    const std::vector<double> own = in.numbers(feature, values_name);
    if (own.size() != values_each) {
      in.wrong(fmt::format("'{}' of a feature has {} numbers instead of {}", values_name,
                           own.size(), values_each));
    }
    values.insert(values.end(), own.begin(), own.end());
    if (in.error()) return;
  }
}

std::string sigmoids_text(std::span<const Sigmoid> sigmoids) {
  std::vector<std::string> texts;
  for (const Sigmoid& s : sigmoids) texts.push_back(fmt::format("[{}, {}]", s.a, s.b));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::vector<Sigmoid> read_sigmoids(ModelFields& in, const json& from) {
  std::vector<Sigmoid> sigmoids;
  for (const json& each : in.list(from, "sigmoids")) {
    if (!each.is_array() || each.size() != 2) {
      in.wrong("a sigmoid is not two numbers");
    } else {
      sigmoids.push_back({in.number_of(each[0], "sigmoids"), in.number_of(each[1], "sigmoids")});
    }
  }
  return sigmoids;
}

}  // namespace dowser
