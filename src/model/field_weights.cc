#include "model/field_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>
#include <vector>

namespace dowser {
namespace {

constexpr uint8_t kMostWeight = 20;

std::vector<std::pair<std::string_view, uint8_t*>> fields_of(FieldWeights& weights) {
  std::vector<std::pair<std::string_view, uint8_t*>> fields = {
      {"title", &weights.title},
      {"description", &weights.description},
      {"keywords", &weights.keywords},
      {"heading", &weights.heading},
      {"emphasis", &weights.emphasis}};
  for (size_t i = 0; i < kBlockRoles; ++i) {
    fields.emplace_back(name_of(static_cast<BlockRole>(i)), &weights.roles[i]);
  }
  return fields;
}

}  // namespace

Result<FieldWeights> FieldWeights::parse(std::string_view text) {
  FieldWeights weights;
  const auto fields = fields_of(weights);
  while (true) {
    const size_t begin = text.find_first_not_of(' ');
    if (begin == text.npos) return weights;
    text.remove_prefix(begin);
    const std::string_view item = text.substr(0, text.find(' '));
    text.remove_prefix(item.size());
    const size_t colon = item.find(':');
    const std::string_view name = item.substr(0, colon);
    const std::string_view number = colon == item.npos ? "" : item.substr(colon + 1);
    uint8_t* field = nullptr;
    std::vector<std::string_view> names;
    for (const auto& [known, value] : fields) {
      names.push_back(known);
      if (known == name) field = value;
    }
    if (!field) {
      return Error{
          fmt::format("'{}' is not a field of a page: there are {}", name, fmt::join(names, ", "))};
    }
    const auto [end, failed] =
        std::from_chars(number.data(), number.data() + number.size(), *field);
    if (failed != std::errc() || end != number.data() + number.size() || *field > kMostWeight) {
      return Error{fmt::format("the weight of {} must be a whole number from 0 to {}: {}:3", name,
                               kMostWeight, name)};
    }
  }
}

std::string FieldWeights::text() const {
  FieldWeights mine = *this, usual;
  const auto fields = fields_of(mine), usual_fields = fields_of(usual);
  std::string text;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (*fields[i].second == *usual_fields[i].second) continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", fields[i].first, *fields[i].second);
  }
  return text;
}

}  // namespace dowser
