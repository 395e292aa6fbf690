#include "base/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/nearest.h"

namespace dowser {
namespace {

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_';
  });
}

}  // namespace

Result<Spec> Spec::parse(std::string_view text) {
  const Error bad{fmt::format("'{}' is not of the form name or name(key=value, key=value)", text)};
  text = trim(text);
  Spec spec;
  const size_t open = text.find('(');
  spec.name = trim(text.substr(0, open));
  if (!is_name(spec.name)) return bad;
  if (open == std::string_view::npos) return spec;
  if (text.back() != ')') return bad;
  std::string_view rest = trim(text.substr(open + 1, text.size() - open - 2));
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return bad;
    const std::string key(trim(pair.substr(0, equals)));
    const std::string value(trim(pair.substr(equals + 1)));
    if (!is_name(key) || value.empty() || value.find_first_of("()") != std::string::npos ||
        !spec.parameters.emplace(key, value).second) {
      return bad;
    }
  }
  return spec;
}

std::string Spec::text() const {
  if (parameters.empty()) return name;
  std::vector<std::string> pairs;
  for (const auto& [key, value] : parameters) pairs.push_back(key + "=" + value);
  return fmt::format("{}({})", name, fmt::join(pairs, ", "));
}

const std::string* Parameters::find(const std::string& name) {
  known_.push_back(name);
  const auto it = spec_.parameters.find(name);
  return it == spec_.parameters.end() ? nullptr : &it->second;
}

double Parameters::number(const std::string& name, double otherwise) {
  const std::string* text = find(name);
  if (!text) return otherwise;
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || !std::isfinite(value)) {
    if (!error_) {
      error_ = Error{fmt::format("{} of {} must be a number, not '{}'", name, spec_.name, *text)};
    }
    return otherwise;
  }
  return value;
}

int64_t Parameters::integer(const std::string& name, int64_t otherwise) {
  const std::string* text = find(name);
  if (!text) return otherwise;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) {
    if (!error_) {
      error_ =
          Error{fmt::format("{} of {} must be a whole number, not '{}'", name, spec_.name, *text)};
    }
    return otherwise;
  }
  return value;
}

std::string Parameters::choice(const std::string& name, const std::vector<std::string>& choices) {
  const std::string* text = find(name);
  if (!text) return choices.front();
  if (std::find(choices.begin(), choices.end(), *text) == choices.end()) {
    if (!error_) {
      error_ = Error{fmt::format("{} of {} must be one of {}, not '{}'", name, spec_.name,
                                 fmt::join(choices, ", "), *text)};
    }
    return choices.front();
  }
  return *text;
}

std::vector<std::string> Parameters::several(const std::string& name,
                                             const std::vector<std::string>& choices) {
  const std::string* text = find(name);
  std::vector<std::string> chosen;
  for (size_t begin = 0; text && begin <= text->size();) {
    const size_t end = std::min(text->find('+', begin), text->size());
    const std::string one = text->substr(begin, end - begin);
    const bool is_known = std::find(choices.begin(), choices.end(), one) != choices.end();
    if (is_known) chosen.push_back(one);
    if (!is_known && !error_) {
      error_ = Error{fmt::format("{} of {} must be some of {}, joined by '+', not '{}'", name,
                                 spec_.name, fmt::join(choices, ", "), *text)};
    }
    begin = end + 1;
  }
  return chosen;
}

std::optional<Error> Parameters::finish() {
  if (error_) return error_;
  for (const auto& [key, value] : spec_.parameters) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    if (known_.empty()) return Error{fmt::format("{} takes no parameters", spec_.name)};
    return Error{fmt::format("{} has no parameter '{}'{}: it takes {}", spec_.name, key,
                             did_you_mean(key, known_), fmt::join(known_, ", "))};
  }
  return std::nullopt;
}

}  // namespace dowser
