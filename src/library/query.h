#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The language in which a library is searched. docs/library.md explains it to users.
//
//   query  = all { "OR" all }
//   all    = run { "AND" run }
//   run    = term { term }
//   term   = [ "NOT" | "-" ] [ field ":" ] ( word [ "*" ] | phrase [ "*" ] | "(" query ")" )
//   phrase = '"' anything but '"' '"'
//
// Of the bare words of a run at least one must be there, and items with all of them come first; its
// phrases, fields and groups must all be there, and what follows NOT must not. Operators are
// written in capitals: "and" is a word. A word that consists of several, as "e-mail" or 東京,
// is a phrase. A word outside of quotation marks stands for all its forms: nest finds nests.

namespace dowser {

enum class QueryField : uint8_t {
  kAny,  // title, author, abstract, keywords or text
  kTitle,
  kAuthor,
  kAbstract,
  kKeywords,
  kText,
  kOther,  // headers, footers, comments, and what most pages of the host have in common
  kUrl,
  kHost,
  kNote,
};
std::string_view name_of(QueryField field);  // "title"

struct Query {
  enum class Kind : uint8_t {
    kPhrase,  // `words` side by side in `field`; the last may be the beginning of a longer one
    kHost,    // on this host or below this domain: `words` has one element
    kSome,    // bare words: at least one of `parts`, items with all of them first
    kAll,     // every one of `parts`
    kAny,     // at least one of `parts`
    kNot,     // not `parts[0]`
  };
  Kind kind = Kind::kPhrase;
  QueryField field = QueryField::kAny;
  std::vector<std::string> words;
  bool is_prefix = false;
  // Of a phrase of one word that was written without quotation marks: it stands for words of the
  // same stem too. `forms` are those that the library has, once they were looked up (word_forms.h).
  bool any_form = false;
  std::vector<std::string> forms;
  std::vector<Query> parts;
};

// Where a query cannot be understood.
struct QueryError {
  std::string message;  // one sentence
  size_t at = 0;        // in bytes; may be the end of the query
};

inline constexpr size_t kLongestQuery = 4096;  // bytes
inline constexpr size_t kMostQueryWords = 200;
inline constexpr size_t kDeepestQuery = 40;  // parentheses in each other

struct ParsedQuery {
  std::optional<Query> query;  // nothing: `error` says why
  QueryError error;
};
ParsedQuery parse_query(std::string_view text);

// The query in a form that parses to the same query; every group has parentheses.
std::string text_of(const Query& query);

// Two lines for a terminal: the query, and a caret under the place. Of a long query the part around
// the place.
std::string caret_lines(std::string_view query, size_t at);

// The phrases that an item should contain: those that do not follow a NOT.
void collect_wanted(const Query& query, std::vector<const Query*>& phrases);

}  // namespace dowser
