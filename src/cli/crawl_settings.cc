#include "cli/crawl_settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace dowser {
namespace {

std::string help_of(const Setting& setting) {
  const auto standard = setting.get(CrawlConfig{});
  const bool is_said = setting.help.find("(0:") != std::string::npos ||
                       setting.help.find("(default") != std::string::npos;
  if (setting.kind == SettingKind::kList || standard.empty() || is_said) return setting.help;
  return fmt::format("{} (default {})", setting.help, standard.front());
}

}  // namespace

void GivenSettings::declare(Arguments& arguments, std::span<const std::string_view> names) {
  for (const Setting& setting : settings()) {
    if (!names.empty() && std::find(names.begin(), names.end(), setting.name) == names.end()) {
      continue;
    }
    const auto set = [this, &setting](std::string_view value) -> Status {
      CrawlConfig scratch;
      if (Status s = setting.set(scratch, value); !s) return s;
      given_.push_back({&setting, std::string(value)});
      return {};
    };
    if (setting.kind == SettingKind::kList) {
      arguments.list(setting.name, setting.placeholder, help_of(setting), set);
    } else {
      arguments.option(setting.name, setting.placeholder, help_of(setting), set);
    }
  }
}

void GivenSettings::apply(CrawlConfig& config) const {
  for (const Given& g : given_) g.setting->clear(config);
  for (const Given& g : given_) (void)g.setting->set(config, g.value);  // was checked in declare()
}

bool GivenSettings::has(std::string_view name) const {
  return std::any_of(given_.begin(), given_.end(),
                     [&](const Given& g) { return g.setting->name == name; });
}

void add_to_lists(const CrawlConfig& before, CrawlConfig& config) {
  const auto add = [](const std::vector<std::string>& first, std::vector<std::string>& list) {
    if (list == first) return;
    std::vector<std::string> all = first;
    for (std::string& place : list) {
      if (std::find(all.begin(), all.end(), place) == all.end()) all.push_back(std::move(place));
    }
    list = std::move(all);
  };
  add(before.examples, config.examples);
  add(before.not_examples, config.not_examples);
}

}  // namespace dowser
