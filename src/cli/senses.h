#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/arguments.h"
#include "run/run.h"

// The meanings of the relevant pages of a crawl: what crawl, resume and rejudge print of them, and
// the option --sense of resume and rejudge.

namespace dowser {

void declare_sense(Arguments& arguments, std::string* number);

// Makes the most typical pages of the sense with this number examples, and those of the other
// senses counter-examples. Changes nothing if `number` is "". Says why and returns the exit code if
// that is not possible.
std::optional<int> choose_sense(std::string_view command, const std::filesystem::path& folder,
                                const std::string& number, CrawlConfig& config);

void print_senses(const CrawlConfig& config, const RunResult& result);
nlohmann::ordered_json senses_json(const RunResult& result);

}  // namespace dowser
