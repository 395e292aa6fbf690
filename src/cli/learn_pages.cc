#include "cli/learn_pages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "base/file.h"
#include "model/redirects.h"
#include "parse/parse_page.h"
#include "text/terms.h"

namespace dowser {
namespace {

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
  return columns;
}

// The lines of a file but for empty ones and comments, with their numbers.
Result<std::vector<std::pair<size_t, std::vector<std::string>>>> table_of(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  std::vector<std::pair<size_t, std::vector<std::string>>> table;
  std::istringstream in(*text);
  size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    table.emplace_back(number, columns_of(line));
    if (table.back().second.size() < 2) {
      return Error{fmt::format("line {} of {} has no tab", number, file)};
    }
  }
  return table;
}

}  // namespace

Result<LabelFile> LabelFile::read(const std::string& file) {
  auto table = table_of(file);
  if (!table) return table.error();
  LabelFile labels;
  for (auto& [number, columns] : *table) {
    if (number == 1 && !Url::parse(columns[0]).ok()) {
      labels.names = std::move(columns);
    } else {
      labels.lines.push_back({std::move(columns)});
    }
  }
  return labels;
}

Result<size_t> LabelFile::column(const std::string& name) const {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it != names.end()) return static_cast<size_t>(it - names.begin());
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && number > 0) return number - 1;
  return Error{fmt::format("the labels have no column '{}': give its number, starting from 1{}",
                           name,
                           names.empty() ? "" : fmt::format(", or {}", fmt::join(names, ", ")))};
}

Result<LineFilter> LineFilter::parse(const std::string& text, const LabelFile& file) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return Error{fmt::format("'{}' must be COLUMN=VALUE", text)};
  const Result<size_t> column = file.column(text.substr(0, equals));
  if (!column) return column.error();
  LineFilter filter{*column, text.substr(equals + 1)};
  const bool any = std::any_of(file.lines.begin(), file.lines.end(),
                               [&](const LabelLine& line) { return filter.takes(line); });
  if (!any) return Error{fmt::format("no line of the labels has {}", text)};
  return filter;
}

void PagesToLearn::add(const Page& page, uint32_t label) {
  pages.push_back({page.terms, label});
  add_words(page, words);
  const std::string language(analysed_language(page.language));
  const auto place = std::lower_bound(languages.begin(), languages.end(), language);
  if (place == languages.end() || *place != language) languages.insert(place, language);
}

std::optional<Page> page_at(Web& web, const std::string& address) {
  const Result<Url> url = Url::parse(address);
  if (!url) return std::nullopt;
  const Response answer = final_answer(*url, [&](const Url& at) { return web.get(at); });
  if (!answer.ok()) return std::nullopt;
  return parse_page(answer, {});
}

Status add_tree(const std::string& file, std::vector<Model::Class>& classes) {
  const auto table = table_of(file);
  if (!table) return table.error();
  std::map<std::string, Model::Class> all;
  for (const Model::Class& c : classes) all[c.name] = c;
  for (const auto& [number, columns] : *table) {
    Model::Class& child = all[columns[0]];
    if (!child.parent.empty()) {
      return Error{
          fmt::format("line {} of {} gives '{}' a second parent", number, file, columns[0])};
    }
    child.name = columns[0];
    child.parent = columns[1];
    all[columns[1]].name = columns[1];
  }
  classes.clear();
  while (classes.size() < all.size()) {
    const size_t before = classes.size();
    for (const auto& [name, c] : all) {
      const auto there = [&](const std::string& other) {
        return std::any_of(classes.begin(), classes.end(),
                           [&](const Model::Class& placed) { return placed.name == other; });
      };
      if (!there(name) && (c.parent.empty() || there(c.parent))) classes.push_back(c);
    }
    if (classes.size() == before) {
      return Error{fmt::format("the classes of {} form a cycle", file)};
    }
  }
  return {};
}

}  // namespace dowser
