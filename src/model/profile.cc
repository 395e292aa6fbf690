#include "model/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

#include "base/file.h"
#include "base/nearest.h"

namespace dowser {
namespace {

// One key of a profile: its table, its name, and how its value is read.
struct Key {
  std::string table, name;
  std::function<Status(const toml::node&, Profile&)> read;
};

Status read_list(const Key& key, const toml::node& node, std::vector<std::string>& list) {
  const toml::array* array = node.as_array();
  if (!array) return Error{fmt::format("{} must be a list of strings", key.name)};
  if (array->empty()) {
    return Error{
        fmt::format("{} is an empty list; leave it out if there is no such rule", key.name)};
  }
  list.clear();
  for (const toml::node& element : *array) {
    const auto* text = element.as_string();
    if (!text || text->get().empty()) {
      return Error{fmt::format("{} must be a list of strings that are not empty", key.name)};
    }
    list.push_back(text->get());
  }
  return {};
}

Status read_phrases(const Key& key, const toml::node& node, std::vector<Profile::Phrase>& list) {
  const toml::table* table = node.as_table();
  if (!table || table->empty()) {
    return Error{fmt::format("{} must be a table of phrases with their weights", key.name)};
  }
  list.clear();
  for (const auto& [phrase, weight] : *table) {
    const std::optional<double> number = weight.value<double>();
    if (!number || !(*number > 0)) {
      return Error{
          fmt::format("the weight of '{}' in {} must be a number above 0", phrase.str(), key.name)};
    }
    list.push_back({std::string(phrase.str()), *number});
  }
  return {};
}

template <class Part>
Key list_key(std::string table, std::string name, Part Profile::*part,
             std::vector<std::string> Part::*member) {
  Key key{std::move(table), std::move(name), {}};
  key.read = [key, part, member](const toml::node& node, Profile& profile) {
    return read_list(key, node, profile.*part.*member);
  };
  return key;
}

Key phrases_key(std::string name, std::vector<Profile::Phrase> Profile::Documents::*member) {
  Key key{"documents", std::move(name), {}};
  key.read = [key, member](const toml::node& node, Profile& profile) {
    return read_phrases(key, node, profile.documents.*member);
  };
  return key;
}

template <class Part, class Number>
Key count_key(std::string table, std::string name, Part Profile::*part, Number Part::*member,
              int64_t least = 0) {
  Key key{std::move(table), name, {}};
  key.read = [=](const toml::node& node, Profile& profile) -> Status {
    const auto* number = node.as_integer();
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (!number || number->get() < least || number->get() > kMost) {
      return Error{fmt::format("{} must be a whole number from {} to {}", name, least, kMost)};
    }
    profile.*part.*member = static_cast<Number>(number->get());
    return {};
  };
  return key;
}

template <class Part>
Key share_key(std::string table, std::string name, Part Profile::*part, double Part::*member) {
  Key key{std::move(table), name, {}};
  key.read = [=](const toml::node& node, Profile& profile) -> Status {
    const std::optional<double> number =
        node.is_number() ? node.value<double>() : std::optional<double>();
    if (!number || !(*number >= 0 && *number <= 1)) {
      return Error{fmt::format("{} must be a number from 0 to 1", name)};
    }
    profile.*part.*member = *number;
    return {};
  };
  return key;
}

template <class Part>
Key flag_key(std::string table, std::string name, Part Profile::*part, bool Part::*member) {
  Key key{std::move(table), name, {}};
  key.read = [=](const toml::node& node, Profile& profile) -> Status {
    const auto* flag = node.as_boolean();
    if (!flag) return Error{fmt::format("{} must be true or false", name)};
    profile.*part.*member = flag->get();
    return {};
  };
  return key;
}

const std::vector<Key>& keys() {
  using P = Profile;
  using S = Profile::Statistics;
  static const std::vector<Key> all = {
      list_key("addresses", "host-keywords", &P::addresses, &P::Addresses::host_keywords),
      list_key("addresses", "stop-directories", &P::addresses, &P::Addresses::stop_directories),
      list_key("addresses", "page-formats", &P::addresses, &P::Addresses::page_formats),
      list_key("addresses", "document-formats", &P::addresses, &P::Addresses::document_formats),
      count_key("addresses", "path-levels", &P::addresses, &P::Addresses::path_levels, 1),
      list_key("pages", "domain-keywords", &P::pages, &P::Pages::domain_keywords),
      list_key("pages", "paper-words", &P::pages, &P::Pages::paper_words),
      count_key("pages", "paper-words-needed", &P::pages, &P::Pages::paper_words_needed, 1),
      list_key("anchors", "pruning", &P::anchors, &P::Anchors::pruning),
      list_key("anchors", "extracting", &P::anchors, &P::Anchors::extracting),
      count_key("anchors", "least-support", &P::anchors, &P::Anchors::least_support, 1),
      list_key("documents", "unwelcome-names", &P::documents, &P::Documents::unwelcome_names),
      count_key("documents", "least-pdf-bytes", &P::documents, &P::Documents::least_pdf_bytes),
      phrases_key("thesis", &P::Documents::thesis),
      phrases_key("report", &P::Documents::report),
      phrases_key("faq", &P::Documents::faq),
      phrases_key("paper", &P::Documents::paper),
      list_key("seeds", "categories", &P::seeds, &P::Seeds::categories),
      list_key("seeds", "queries", &P::seeds, &P::Seeds::queries),
      list_key("seeds", "sponsors", &P::seeds, &P::Seeds::sponsors),
      count_key("seeds", "results-per-query", &P::seeds, &P::Seeds::results_per_query, 1),
      count_key("judge", "bayes-from-relevant", &P::judge, &P::Judge::bayes_from_relevant),
      count_key("judge", "bayes-from-other", &P::judge, &P::Judge::bayes_from_other),
      count_key("judge", "retrain-every", &P::judge, &P::Judge::retrain_every, 1),
      count_key("judge", "rdf-above", &P::judge, &P::Judge::rdf_above),
      count_key("layers", "back-link-steps", &P::layers, &P::Layers::back_link_steps, 1),
      share_key("tunnel", "bias", &P::tunnel, &P::Tunnel::bias),
      count_key("tunnel", "new-sites", &P::tunnel, &P::Tunnel::new_sites, 1),
      count_key("sites", "open", &P::sites, &P::Sites::open, 1),
      count_key("statistics", "stop-directory-sites", &P::statistics, &S::stop_directory_sites, 1),
      count_key("statistics", "trap-pages", &P::statistics, &S::trap_pages, 1),
      count_key("statistics", "trap-every", &P::statistics, &S::trap_every, 1),
      share_key("statistics", "trap-prr", &P::statistics, &S::trap_prr),
      count_key("statistics", "least-directory-pages", &P::statistics, &S::least_directory_pages,
                1),
      count_key("statistics", "least-directory-documents", &P::statistics,
                &S::least_directory_documents, 1),
      share_key("statistics", "avoid-prr", &P::statistics, &S::avoid_prr),
      share_key("statistics", "avoid-ddr", &P::statistics, &S::avoid_ddr),
      share_key("statistics", "avoid-adr", &P::statistics, &S::avoid_adr),
      share_key("statistics", "again-prr", &P::statistics, &S::again_prr),
      share_key("statistics", "again-ddr", &P::statistics, &S::again_ddr),
      share_key("statistics", "again-adr", &P::statistics, &S::again_adr),
      flag_key("statistics", "adr-vetoes-prr", &P::statistics, &S::adr_vetoes_prr),
  };
  return all;
}

Error at(std::string_view source, const toml::source_region& place, std::string_view message) {
  return Error{fmt::format("{}, line {}: {}", source, place.begin.line, message)};
}

// The names of tables, or of the keys of a table.
std::vector<std::string> known_names(std::string_view table) {
  std::vector<std::string> names;
  for (const Key& key : keys()) {
    const std::string& name = table.empty() ? key.table : key.name;
    if ((table.empty() || key.table == table) && (names.empty() || names.back() != name)) {
      names.push_back(name);
    }
  }
  if (table.empty()) names.push_back("name");
  return names;
}

Status read_table(const std::string& table, const toml::table& values, std::string_view source,
                  Profile& profile) {
  const auto names = known_names(table);
  for (const auto& [name, node] : values) {
    const auto is_meant = [&, wanted = name.str()](const Key& k) {
      return k.table == table && k.name == wanted;
    };
    const auto key = std::find_if(keys().begin(), keys().end(), is_meant);
    if (key == keys().end()) {
      return at(source, name.source(),
                fmt::format("[{}] has no key '{}'{}: it has {}", table, name.str(),
                            did_you_mean(name.str(), names), fmt::join(names, ", ")));
    }
    if (Status s = key->read(node, profile); !s) {
      return at(source, node.source(), s.error().message);
    }
  }
  return {};
}

// What each value allows but all together do not.
std::optional<std::string> contradiction_in(const Profile& p) {
  for (const std::string& format : p.addresses.page_formats) {
    const auto& others = p.addresses.document_formats;
    if (std::find(others.begin(), others.end(), format) != others.end()) {
      return fmt::format("'{}' is both in page-formats and in document-formats", format);
    }
  }
  for (const std::string& keyword : p.addresses.host_keywords) {
    if (keyword.find_first_of("./ ") != std::string::npos) {
      return fmt::format(
          "'{}' in host-keywords is not a label of a host name: give one name without dots",
          keyword);
    }
  }
  for (const std::string& name : p.addresses.stop_directories) {
    if (name.find('/') != std::string::npos) {
      return fmt::format("'{}' in stop-directories is a path: give names without '/'", name);
    }
  }
  if (!p.pages.paper_words.empty() && p.pages.paper_words_needed > p.pages.paper_words.size()) {
    return fmt::format("paper-words-needed is {}, but paper-words has only {}",
                       p.pages.paper_words_needed, p.pages.paper_words.size());
  }
  return std::nullopt;
}

}  // namespace

Result<Profile> parse_profile(std::string_view toml, std::string_view source) {
  const toml::parse_result result = toml::parse(toml, source);
  if (!result) return at(source, result.error().source(), result.error().description());
  Profile profile;
  const auto tables = known_names("");
  for (const auto& [name, node] : result.table()) {
    if (name.str() == "name") {
      const auto* text = node.as_string();
      if (!text) return at(source, node.source(), "name must be a string");
      profile.name = text->get();
      continue;
    }
    const toml::table* values = node.as_table();
    const std::string table(name.str());
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) {
      return at(source, name.source(),
                fmt::format("a profile has no '{}'{}: it has {}", table,
                            did_you_mean(table, tables), fmt::join(tables, ", ")));
    }
    if (!values) return at(source, node.source(), fmt::format("{} must be a table", table));
    if (Status s = read_table(table, *values, source, profile); !s) return s.error();
  }
  if (const auto wrong = contradiction_in(profile)) {
    return Error{fmt::format("{}: {}", source, *wrong)};
  }
  return profile;
}

Result<std::string> profile_text(const std::string& name_or_file) {
  if (name_or_file.empty()) return std::string();
  std::vector<std::string> names;
  for (const BuiltInProfile& profile : built_in_profiles()) {
    if (profile.name == name_or_file) return std::string(profile.toml);
    names.emplace_back(profile.name);
  }
  const bool is_name = name_or_file.find_first_of("./") == std::string::npos;
  std::error_code failed;
  if (is_name && !std::filesystem::exists(name_or_file, failed)) {
    return Error{fmt::format("there is no profile '{}'{}: give {} or a file", name_or_file,
                             did_you_mean(name_or_file, names), fmt::join(names, ", "))};
  }
  return read_file(name_or_file, kLargestSettings);
}

Result<Profile> load_profile(const std::string& name_or_file) {
  const Result<std::string> text = profile_text(name_or_file);
  if (!text) return text.error();
  return parse_profile(*text, name_or_file);
}

}  // namespace dowser
