#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fetch/web.h"
#include "judge/trained/train_model.h"

// Pages to learn from: those that a file of labels names, or those that a person names.

namespace dowser {

// A line of a file of labels: address, class, and further columns.
struct LabelLine {
  std::vector<std::string> columns;
};

struct LabelFile {
  std::vector<std::string> names;  // of the columns; none if the first line is a label already
  std::vector<LabelLine> lines;

  static Result<LabelFile> read(const std::string& file);
  // The column of "3" or of "site".
  Result<size_t> column(const std::string& name) const;
};

// "3=misc", "site=misc": lines that have this in that column.
struct LineFilter {
  size_t column;
  std::string value;

  static Result<LineFilter> parse(const std::string& text, const LabelFile& file);
  bool takes(const LabelLine& line) const {
    return column < line.columns.size() && line.columns[column] == value;
  }
};

// Pages with everything that a model needs.
struct PagesToLearn {
  std::vector<LabelledPage> pages;
  TermWords words;
  std::vector<std::string> languages;

  void add(const Page& page, uint32_t label);
};

// The page at an address of the archive, after redirects; nothing if there is none.
std::optional<Page> page_at(Web& web, const std::string& address);

// Lines "child TAB parent": gives the classes their parents, adds those that have no pages of their
// own, and puts parents before children.
Status add_tree(const std::string& file, std::vector<Model::Class>& classes);

}  // namespace dowser
