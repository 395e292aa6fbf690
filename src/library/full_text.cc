#include "library/full_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace dowser {
namespace {

std::string_view columns_of(QueryField field) {
  switch (field) {
    case QueryField::kTitle:
      return "title";
    case QueryField::kAuthor:
      return "author";
    case QueryField::kAbstract:
      return "abstract";
    case QueryField::kKeywords:
      return "keywords";
    case QueryField::kText:
      return "text";
    case QueryField::kOther:
      return "other";
    case QueryField::kUrl:
      return "url";
    case QueryField::kAny:
    case QueryField::kHost:
    case QueryField::kNote:
      break;
  }
  return "title author abstract keywords text";
}

std::string join(const std::vector<std::string>& parts, std::string_view word) {
  return fmt::format("({})", fmt::join(parts, word));
}

std::string all_of(const Query& query) {
  std::vector<std::string> with, without;
  for (const Query& part : query.parts) {
    const bool is_not = part.kind == Query::Kind::kNot;
    (is_not ? without : with).push_back(full_text_of(is_not ? part.parts.front() : part));
  }
  const std::string all = join(with, " AND ");
  return without.empty() ? all : fmt::format("({} NOT {})", all, join(without, " OR "));
}

}  // namespace

bool is_full_text(const Query& query) {
  switch (query.kind) {
    case Query::Kind::kPhrase:
      return query.field != QueryField::kNote;
    case Query::Kind::kHost:
    case Query::Kind::kNot:
      return false;
    case Query::Kind::kSome:
    case Query::Kind::kAny:
      return std::all_of(query.parts.begin(), query.parts.end(), is_full_text);
    case Query::Kind::kAll:
      break;
  }
  bool has_positive = false;
  for (const Query& part : query.parts) {
    const bool is_not = part.kind == Query::Kind::kNot;
    if (!is_full_text(is_not ? part.parts.front() : part)) return false;
    has_positive = has_positive || !is_not;
  }
  return has_positive;
}

std::string full_text_of(const Query& query) {
  switch (query.kind) {
    case Query::Kind::kPhrase:
      // Words are letters and digits, so nothing needs to be escaped.
      if (query.forms.size() > 1) {
        return fmt::format("{{{}}} : (\"{}\")", columns_of(query.field),
                           fmt::join(query.forms, "\" OR \""));
      }
      return fmt::format("{{{}}} : \"{}\"{}", columns_of(query.field), fmt::join(query.words, " "),
                         query.is_prefix ? " *" : "");
    case Query::Kind::kSome:
    case Query::Kind::kAny: {
      std::vector<std::string> parts;
      for (const Query& part : query.parts) parts.push_back(full_text_of(part));
      return join(parts, " OR ");
    }
    case Query::Kind::kAll:
      return all_of(query);
    case Query::Kind::kHost:
    case Query::Kind::kNot:
      break;  // not full text
  }
  return "";
}

}  // namespace dowser
