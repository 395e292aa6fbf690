#include "library/full_text.h"

#include <fmt/format.h>

#include <algorithm>

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

class Writer {
 public:
  FullText text;

  void write(const Query& query, bool is_wanted, bool is_bare) {
    switch (query.kind) {
      case Query::Kind::kPhrase:
        text.expression += full_text_phrase(query);
        text.phrases.push_back({is_wanted, is_bare, 1});
        return;
      case Query::Kind::kSome:
      case Query::Kind::kAny:
        return join(query.parts, " OR ", is_wanted, query.kind == Query::Kind::kSome);
      case Query::Kind::kAll:
        return write_all(query, is_wanted);
      case Query::Kind::kHost:
      case Query::Kind::kNot:
        return;  // not full text
    }
  }

 private:
  void join(const std::vector<Query>& parts, std::string_view word, bool is_wanted, bool is_bare) {
    text.expression += '(';
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) text.expression += word;
      write(parts[i], is_wanted, is_bare && is_wanted);
    }
    text.expression += ')';
  }

  void write_all(const Query& query, bool is_wanted) {
    std::vector<Query> with, without;
    for (const Query& part : query.parts) {
      if (part.kind == Query::Kind::kNot) {
        without.push_back(part.parts.front());
      } else {
        with.push_back(part);
      }
    }
    if (!without.empty()) text.expression += '(';
    join(with, " AND ", is_wanted, false);
    if (without.empty()) return;
    text.expression += " NOT ";
    join(without, " OR ", false, false);
    text.expression += ')';
  }
};

// Whether it matches exactly what has one of its phrases.
bool is_any_of_phrases(const Query& query) {
  switch (query.kind) {
    case Query::Kind::kPhrase:
      return true;
    case Query::Kind::kSome:
    case Query::Kind::kAny:
      return std::all_of(query.parts.begin(), query.parts.end(), is_any_of_phrases);
    case Query::Kind::kAll:
    case Query::Kind::kHost:
    case Query::Kind::kNot:
      break;
  }
  return false;
}

void collect_bare(const Query& query, std::vector<std::pair<const Query*, bool>>& phrases,
                  bool is_bare) {
  if (query.kind == Query::Kind::kNot) return;
  if (query.kind == Query::Kind::kPhrase && query.field != QueryField::kNote) {
    phrases.emplace_back(&query, is_bare);
  }
  for (const Query& part : query.parts) {
    collect_bare(part, phrases, query.kind == Query::Kind::kSome);
  }
}

}  // namespace

std::string full_text_phrase(const Query& phrase) {
  // Words are letters and digits, so nothing needs to be escaped.
  return fmt::format("{{{}}} : \"{}\"{}", columns_of(phrase.field), fmt::join(phrase.words, " "),
                     phrase.is_prefix ? " *" : "");
}

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

FullText full_text_of(const Query& query) {
  Writer writer;
  writer.write(query, true, false);
  writer.text.is_any = is_any_of_phrases(query);
  return std::move(writer.text);
}

FullText any_wanted_of(const Query& query) {
  std::vector<std::pair<const Query*, bool>> phrases;
  collect_bare(query, phrases, false);
  FullText text;
  text.is_any = true;
  for (const auto& [phrase, is_bare] : phrases) {
    text.expression += (text.expression.empty() ? "" : " OR ") + full_text_phrase(*phrase);
    text.phrases.push_back({true, is_bare, 1});
  }
  return text;
}

}  // namespace dowser
