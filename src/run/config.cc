#include "run/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "base/file.h"
#include "base/nearest.h"
#include "parse/parse_page.h"

namespace dowser {
namespace {

const size_t kLongestAddress = ParseOptions().max_address;

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& s : settings()) names.push_back(s.name);
  return names;
}

// The text of a TOML value that a setting can take; nothing for tables, dates and the like.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  return std::nullopt;
}

Status set_from(const Setting& setting, const toml::node& node, CrawlConfig& config) {
  if (const toml::array* list = node.as_array(); list && setting.kind == SettingKind::kList) {
    for (const toml::node& element : *list) {
      const auto text = value_text(element);
      if (!text) return Error{fmt::format("{} must be a list of strings", setting.name)};
      if (Status s = setting.set(config, *text); !s) return s;
    }
    return {};
  }
  const auto text = value_text(node);
  if (!text) return Error{fmt::format("{} has a value of the wrong type", setting.name)};
  return setting.set(config, *text);
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

bool is_live(const CrawlConfig& config) {
  return config.web.empty() || config.web.front() == "live";
}

Status read_config_text(std::string_view text, std::string_view source, CrawlConfig& config) {
  const toml::parse_result table = toml::parse(text, source);
  if (!table) {
    return Error{fmt::format("{}, line {}: {}", source, table.error().source().begin.line,
                             table.error().description())};
  }
  for (const auto& [key, node] : table.table()) {
    const std::string name(key.str());
    const auto all = settings();
    const auto setting =
        std::find_if(all.begin(), all.end(), [&](const Setting& s) { return s.name == name; });
    if (setting == all.end()) {
      return Error{fmt::format("{}, line {}: there is no setting '{}'{}", source,
                               key.source().begin.line, name, did_you_mean(name, setting_names()))};
    }
    if (Status s = set_from(*setting, node, config); !s) {
      return Error{
          fmt::format("{}, line {}: {}", source, node.source().begin.line, s.error().message)};
    }
  }
  return {};
}

Status read_config(const std::filesystem::path& file, CrawlConfig& config) {
  const Result<std::string> text = read_file(file, kLargestSettings);
  if (!text) return text.error();
  return read_config_text(*text, file.string(), config);
}

std::string config_text(const CrawlConfig& config) {
  std::string out;
  for (const Setting& setting : settings()) {
    std::vector<std::string> values = setting.get(config);
    if (values.empty()) continue;
    if (setting.kind != SettingKind::kNumber) {
      for (std::string& value : values) value = toml_string(value);
    }
    if (setting.kind == SettingKind::kList) {
      out += fmt::format("{} = [{}]\n", setting.name, fmt::join(values, ", "));
    } else {
      out += fmt::format("{} = {}\n", setting.name, values.front());
    }
  }
  return out;
}

Status check_config(const CrawlConfig& config) {
  if (config.seeds.empty() && config.seeds_file.empty()) {
    return Error{"name the addresses to start from with --seed URL or --seeds FILE"};
  }
  if (config.topic.empty() && config.examples.empty() && config.model.empty()) {
    return Error{"name the topic with --topic \"words\", --example PAGE or --model FILE"};
  }
  if (config.out.empty()) return Error{"name a folder for the results with --out DIR"};
  if (config.max_url_length > static_cast<int64_t>(kLongestAddress)) {
    return Error{fmt::format("max-url-length can be at most {}: longer addresses are not read",
                             kLongestAddress)};
  }
  for (const auto& [name, time] :
       {std::pair("connect-timeout", config.connect_timeout),
        std::pair("answer-timeout", config.answer_timeout), std::pair("timeout", config.timeout)}) {
    if (time <= Duration(0)) return Error{fmt::format("{} must be above 0s", name)};
  }
  for (const std::string& pair : config.resolve) {
    if (pair.find('=') == std::string::npos) {
      return Error{fmt::format("resolve must be HOST=ADDRESS:PORT, not '{}'", pair)};
    }
  }
  // So that it can stand in an address as it is. It is not repeated: messages come into logs.
  if (config.metrics_token.find_first_not_of(kPlain) != std::string::npos) {
    return Error{"metrics-token may contain only letters, digits, '-', '.', '_' and '~'"};
  }
  const bool among_friends = !config.allow_hosts.empty() || !config.resolve.empty();
  if (is_live(config) && config.contact.empty() && !among_friends) {
    return Error{
        "on the live web, give an address where server administrators can reach you: --contact "
        "ADDRESS"};
  }
  return {};
}

}  // namespace dowser
