#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// A trained model as a file. Every learner uses the same container, a JSON object:
//
//   {"dowser_model": 1, "kind": "svm", "version": 1,
//    …members that the kind defines…}
//
// "dowser_model" is the version of the container itself. "kind" names what was trained, and
// "version" is that of the kind's own members: a kind raises it when a member changes its meaning,
// and reads or refuses older versions as it can. A reader ignores members that it does not know.

namespace dowser {

struct ModelHeader {
  std::string kind;
  uint32_t version = 1;
};

// The text of a model file. `members` is JSON without the braces: "\"date\": \"2026-11-16\", …".
std::string model_container(const ModelHeader& header, std::string_view members);

// The header of a model file. Text that is not a model file, or has a container that this program
// does not know, is an error. Files of the earlier form, {"format": "dowser-model 1", "kind": …},
// are read as version 1 of their kind.
Result<ModelHeader> read_model_header(std::string_view text);

// The same, and all members of the file.
Result<nlohmann::json> read_model_container(std::string_view text, ModelHeader* header);

// Refuses a version that is newer than `newest`.
Status check_model_version(const ModelHeader& header, uint32_t newest);

// A string and a list of numbers as JSON. Numbers are read back to the last bit.
std::string json_string(std::string_view text);
std::string json_list(std::span<const double> numbers);

// Reads the members of a model by their types. It remembers the first error and returns empty
// values from then on, so that a caller checks once, at the end.
class ModelFields {
 public:
  using json = nlohmann::json;

  const json& member(const json& from, const char* name);
  const json& list(const json& from, const char* name);
  std::string text(const json& from, const char* name);
  double number(const json& from, const char* name);
  double number_of(const json& value, const char* name);
  // A whole number from 0 to 2³² - 1.
  uint32_t natural(const json& from, const char* name);
  std::vector<double> numbers(const json& from, const char* name);

  void wrong(std::string what);  // "'alpha' is missing"
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace dowser
