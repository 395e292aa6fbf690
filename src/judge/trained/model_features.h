#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/trained/model_file.h"
#include "learn/model_container.h"

// Parts of a model file that several kinds of models have; model_file.cc describes them.

namespace dowser {

// [{"word": …, "term": …, "NAME": [values of the feature]}, …]
std::string features_text(std::span<const uint32_t> features, std::span<const double> values,
                          std::string_view name, const TermWords& words);
// Reads "features": their terms, words, and `values_each` values of each.
void read_features(ModelFields& in, const nlohmann::json& from, const char* values_name,
                   size_t values_each, std::vector<uint32_t>& terms, std::vector<double>& values,
                   TermWords& words);

// [[a, b], …]
std::string sigmoids_text(std::span<const Sigmoid> sigmoids);
std::vector<Sigmoid> read_sigmoids(ModelFields& in, const nlohmann::json& from);

// The members of the kinds "weighted-bayes" and "rbf-svm"; cindi_model.cc.
std::string weighted_bayes_text(const Model& model);
std::string rbf_svm_text(const Model& model);
void read_weighted_bayes(ModelFields& in, const nlohmann::json& from, Model& model);
void read_rbf_svm(ModelFields& in, const nlohmann::json& from, Model& model);

}  // namespace dowser
