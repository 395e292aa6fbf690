#include "learn/model_container.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace dowser {
namespace {

using nlohmann::json;

constexpr uint32_t kContainer = 1;
constexpr std::string_view kEarlierForm = "dowser-model 1";

}  // namespace

std::string model_container(const ModelHeader& header, std::string_view members) {
  return fmt::format("{{\"dowser_model\": {}, \"kind\": {}, \"version\": {}{}{}}}\n", kContainer,
                     json_string(header.kind), header.version, members.empty() ? "" : ",\n",
                     members);
}

Result<json> read_model_container(std::string_view text, ModelHeader* header) {
  json root = json::parse(text, nullptr, false);
  const bool is_earlier = root.is_object() && root.contains("format");
  if (!root.is_object() || (!is_earlier && !root.contains("dowser_model"))) {
    return Error{"this is not a model file: make one with dowser learn"};
  }
  const json form = is_earlier ? root["format"] : root["dowser_model"];
  if (is_earlier ? form != kEarlierForm : form != kContainer) {
    return Error{fmt::format(
        "the model file has the form {}, and this program reads form {}: train the model again",
        form.dump(), kContainer)};
  }
  const json kind = root.value("kind", json());
  if (!kind.is_string()) return Error{"the model file is broken: 'kind' is not a string"};
  ModelFields fields;
  header->kind = kind.get<std::string>();
  header->version = is_earlier ? 1 : fields.natural(root, "version");
  if (fields.error()) return *fields.error();
  return root;
}

Result<ModelHeader> read_model_header(std::string_view text) {
  ModelHeader header;
  const Result<json> root = read_model_container(text, &header);
  if (!root) return root.error();
  return header;
}

Status check_model_version(const ModelHeader& header, uint32_t newest) {
  if (header.version >= 1 && header.version <= newest) return {};
  return Error{
      fmt::format("the model of the kind {} has version {}, and this program reads versions up to "
                  "{}: train the model again",
                  header.kind, header.version, newest)};
}

std::string json_string(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string json_list(std::span<const double> numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

const json& ModelFields::member(const json& from, const char* name) {
  static const json kNothing;
  const auto it = from.is_object() ? from.find(name) : from.end();
  if (!from.is_object() || it == from.end()) {
    wrong(fmt::format("'{}' is missing", name));
    return kNothing;
  }
  return *it;
}

const json& ModelFields::list(const json& from, const char* name) {
  static const json kEmpty = json::array();
  const json& value = member(from, name);
  if (!value.is_array()) wrong(fmt::format("'{}' is not a list", name));
  return value.is_array() ? value : kEmpty;
}

std::string ModelFields::text(const json& from, const char* name) {
  const json& value = member(from, name);
  if (!value.is_string()) wrong(fmt::format("'{}' is not a string", name));
  return value.is_string() ? value.get<std::string>() : std::string();
}

double ModelFields::number(const json& from, const char* name) {
  return number_of(member(from, name), name);
}

double ModelFields::number_of(const json& value, const char* name) {
  if (!value.is_number()) wrong(fmt::format("'{}' is not a number", name));
  return value.is_number() ? value.get<double>() : 0;
}

uint32_t ModelFields::natural(const json& from, const char* name) {
  const double value = number(from, name);
  if (value < 0 || value > UINT32_MAX || value != std::floor(value)) {
    wrong(fmt::format("'{}' is not a whole number from 0 to 4294967295", name));
    return 0;
  }
  return static_cast<uint32_t>(value);
}

std::vector<double> ModelFields::numbers(const json& from, const char* name) {
  std::vector<double> values;
  for (const json& value : list(from, name)) values.push_back(number_of(value, name));
  return values;
}

void ModelFields::wrong(std::string what) {
  if (!error_) error_ = Error{"the model file is broken: " + std::move(what)};
}

}  // namespace dowser
