#include "cli/senses.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "text/shell_word.h"

namespace dowser {
namespace {

constexpr size_t kExamplesOfSense = 5;  // pages that stand for a sense
constexpr size_t kShownPages = 3;

void add_typical_pages(const SenseOfPages& sense, std::vector<std::string>& places) {
  for (size_t i = 0; i < std::min(sense.urls.size(), kExamplesOfSense); ++i) {
    if (std::find(places.begin(), places.end(), sense.urls[i]) == places.end()) {
      places.push_back(sense.urls[i]);
    }
  }
}

}  // namespace

void declare_sense(Arguments& arguments, std::string* number) {
  arguments.option(
      "sense", "N",
      "which of the groups of relevant pages that the crawl listed at its end is the one you mean: "
      "its most typical pages become examples, those of the others counter-examples",
      number);
}

std::optional<int> choose_sense(std::string_view command, const std::filesystem::path& folder,
                                const std::string& number, CrawlConfig& config) {
  if (number.empty()) return std::nullopt;
  const Result<std::vector<SenseOfPages>> senses = read_senses(folder / "catalogue.sqlite");
  if (!senses) return fail(command, senses.error());
  if (senses->empty()) {
    return fail(command,
                Error{fmt::format("the relevant pages of {} have only one meaning: name pages with "
                                  "--example and --not-example instead",
                                  folder.string())},
                kUsage);
  }
  size_t chosen = 0;
  const auto [end, bad] = std::from_chars(number.data(), number.data() + number.size(), chosen);
  if (bad != std::errc() || end != number.data() + number.size() || chosen < 1 ||
      chosen > senses->size()) {
    return fail(
        command,
        Error{fmt::format("--sense takes a number from 1 to {}, not {}", senses->size(), number)},
        kUsage);
  }
  for (size_t i = 0; i < senses->size(); ++i) {
    add_typical_pages((*senses)[i], i + 1 == chosen ? config.examples : config.not_examples);
  }
  return std::nullopt;
}

void print_senses(const CrawlConfig& config, const RunResult& result) {
  if (result.senses.empty()) return;
  fmt::print(
      "The relevant pages fall into {} groups that have little in common but the words of the "
      "topic:\n",
      result.senses.size());
  for (size_t i = 0; i < result.senses.size(); ++i) {
    const SenseOfPages& sense = result.senses[i];
    fmt::print("  sense {}: {} pages with the words {}; for example {}\n", i + 1, sense.urls.size(),
               sense.words, sense.urls.front());
  }
  fmt::print("Keep the one that you mean with  dowser rejudge {} --sense N\n",
             shell_word(config.out));
}

nlohmann::ordered_json senses_json(const RunResult& result) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (size_t i = 0; i < result.senses.size(); ++i) {
    const SenseOfPages& sense = result.senses[i];
    const size_t shown = std::min(sense.urls.size(), kShownPages);
    all.push_back({{"sense", i + 1},
                   {"pages", sense.urls.size()},
                   {"words", sense.words},
                   {"typical", std::vector(sense.urls.begin(), sense.urls.begin() + shown)}});
  }
  return all;
}

}  // namespace dowser
