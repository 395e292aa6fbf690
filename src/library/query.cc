#include "library/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "text/search_words.h"
#include "text/utf8.h"

// A recursive parser over the bytes of the query. It looks at one character at a time; each
// function begins at a character that is not white space.

namespace dowser {
namespace {

constexpr std::array<std::string_view, 10> kFieldNames = {
    "any", "title", "author", "abstract", "keywords", "text", "other", "url", "host", "note"};
// What users try as fields, but is an option of `dowser search`.
constexpr std::array<std::string_view, 4> kFilters = {"kind", "year", "format", "language"};
constexpr std::array<std::string_view, 3> kOperators = {"AND", "OR", "NOT"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Length of the white space at the start of `text`: ASCII, no-break, and ideographic.
size_t space_length(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<uint8_t>(text[0]) <= 0x20) return 1;
  if (text.starts_with("\u00a0")) return 2;
  return text.starts_with("\u3000") ? 3 : 0;
}

// Length of a quotation mark at the start of `text`, straight or curly.
size_t quote_length(std::string_view text) {
  if (text.starts_with('"')) return 1;
  return text.starts_with("\u201c") || text.starts_with("\u201d") || text.starts_with("\u201e") ? 3
                                                                                                : 0;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ParsedQuery parse() {
    if (text_.size() > kLongestQuery) {
      fail(fmt::format("the query is longer than {} bytes", kLongestQuery), kLongestQuery);
      return {{}, error_};
    }
    std::optional<Query> query = any(QueryField::kAny);
    if (query && !at_end()) {  // only a parenthesis ends it early
      fail("there is no '(' that this ')' would close", at_);
      query.reset();
    }
    return {std::move(query), error_};
  }

 private:
  using Parsed = std::optional<Query>;

  Parsed fail(std::string message, size_t at) {
    if (error_.message.empty()) error_ = {std::move(message), at};
    return std::nullopt;
  }

  std::string_view rest() const { return text_.substr(at_); }
  void skip_space() {
    while (const size_t n = space_length(rest())) at_ += n;
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  bool ends_term() { return at_end() || text_[at_] == ')'; }

  // Where a bare word would end.
  size_t word_end(size_t at) const {
    while (at < text_.size()) {
      const std::string_view here = text_.substr(at);
      if (space_length(here) > 0 || quote_length(here) > 0 || here[0] == '(' || here[0] == ')') {
        break;
      }
      ++at;
    }
    return at;
  }
  bool sees(std::string_view name) {
    skip_space();
    return rest().starts_with(name) && word_end(at_) == at_ + name.size();
  }
  bool take(std::string_view name) {
    if (!sees(name)) return false;
    at_ += name.size();
    return true;
  }
  // An operator where a word must stand.
  std::string_view misplaced_operator() {
    for (const std::string_view name : kOperators) {
      if (sees(name)) return name;
    }
    return {};
  }

  Parsed any(QueryField field) {
    if (++depth_ > kDeepestQuery) {
      return fail(fmt::format("parentheses are nested more than {} deep", kDeepestQuery - 1), at_);
    }
    Query query{Query::Kind::kAny, field};
    do {
      Parsed part = all(field);
      if (!part) return part;
      query.parts.push_back(std::move(*part));
    } while (take("OR"));
    --depth_;
    return one_or(std::move(query));
  }

  Parsed all(QueryField field) {
    Query query{Query::Kind::kAll, field};
    do {
      Parsed part = run(field);
      if (!part) return part;
      query.parts.push_back(std::move(*part));
    } while (take("AND"));
    return one_or(std::move(query));
  }

  static Query one_or(Query query) {
    return query.parts.size() == 1 ? std::move(query.parts.front()) : std::move(query);
  }

  Parsed run(QueryField field) {
    Query bare{Query::Kind::kSome, field};
    Query query{Query::Kind::kAll, field};
    std::optional<size_t> wordless;  // a bare word without letters or digits
    skip_space();
    const size_t begin = at_;
    while (!ends_term() && !sees("AND") && !sees("OR")) {
      const size_t term_begin = at_;
      bool is_bare = true, is_not = take("NOT");
      skip_space();
      if (!is_not && rest().size() > 1 && rest()[0] == '-' && space_length(rest().substr(1)) == 0) {
        is_not = true;
        ++at_;
      }
      if (is_not && (ends_term() || !misplaced_operator().empty())) {
        return fail("a word must follow NOT", at_);
      }
      Parsed part = term(field, is_bare);
      if (!part) return part;
      if (part->kind == Query::Kind::kPhrase && part->words.empty()) {
        if (!is_bare || is_not)
          return fail("there is no letter or digit here to search for", at_of_term_);
        wordless = term_begin;
      } else if (is_not) {
        Query without{Query::Kind::kNot, field};
        without.parts.push_back(std::move(*part));
        query.parts.push_back(std::move(without));
      } else {
        (is_bare ? bare : query).parts.push_back(std::move(*part));
      }
    }
    if (!bare.parts.empty()) {
      query.parts.insert(query.parts.begin(), one_or(std::move(bare)));
    }
    if (!query.parts.empty()) return one_or(std::move(query));
    if (wordless) return fail("there is no letter or digit here to search for", *wordless);
    if (sees("AND") || sees("OR")) {
      return fail(
          fmt::format(
              "a word must come before {}; to search for the word itself, write it in lower case",
              misplaced_operator()),
          at_);
    }
    if (at_ < text_.size()) return fail("a word must come before ')'", at_);
    return fail(begin == 0 || text_.find_first_not_of(" \t\r\n") == text_.npos
                    ? "the query is empty: write the words to search for"
                    : "the query ends where a word is expected",
                text_.size());
  }

  // A word, phrase or group, perhaps of a field.
  Parsed term(QueryField field, bool& is_bare) {
    at_of_term_ = at_;
    if (const Parsed address = web_address()) {
      is_bare = false;
      return address;
    }
    const size_t field_at = at_;
    if (!read_field(field, is_bare)) return std::nullopt;
    if (!is_bare) {
      if (ends_term() || !misplaced_operator().empty()) {
        return fail(fmt::format("a word must follow '{}:'", name_of(field)), at_);
      }
    }
    at_of_term_ = at_;
    if (rest().starts_with('(')) return group(field, is_bare);
    if (quote_length(rest()) > 0) return phrase(field, is_bare);
    const size_t end = word_end(at_);
    std::string_view word = text_.substr(at_, end - at_);
    const bool is_prefix = word.ends_with('*');
    if (is_prefix) word.remove_suffix(1);
    if (const size_t star = word.find('*'); star != word.npos) {
      return fail("'*' can only stand at the end of a word", at_ + star);
    }
    if (is_prefix && field == QueryField::kHost) {
      return fail("a host is written without '*': host:example.org also finds www.example.org",
                  end - 1);
    }
    at_ = end;
    Parsed leaf = leaf_of(word, field, field_at);
    if (leaf && is_prefix && leaf->words.empty()) {
      return fail("a letter or digit must come before '*'", end - 1);
    }
    if (!leaf) return leaf;
    leaf->is_prefix = is_prefix;
    const bool has_forms = field != QueryField::kUrl && field != QueryField::kNote;
    leaf->any_form =
        has_forms && !is_prefix && leaf->kind == Query::Kind::kPhrase && leaf->words.size() == 1;
    return leaf;
  }

  // "http://host/path" as it was copied from a browser.
  Parsed web_address() {
    if (!rest().starts_with("http://") && !rest().starts_with("https://")) return std::nullopt;
    const size_t begin = at_;
    at_ = word_end(at_);
    return leaf_of(text_.substr(begin, at_ - begin), QueryField::kUrl, begin);
  }

  // Reads "title:" if it is there. False: an error.
  bool read_field(QueryField& field, bool& is_bare) {
    size_t colon = at_;
    while (colon < text_.size() && is_letter(text_[colon])) ++colon;
    if (colon == at_ || colon == text_.size() || text_[colon] != ':') return true;
    if (text_.substr(colon).starts_with("::")) return true;  // std::vector
    const std::string name(text_.substr(at_, colon - at_));
    const auto known = std::find(kFieldNames.begin(), kFieldNames.end(), name);
    if (std::find(kFilters.begin(), kFilters.end(), name) != kFilters.end()) {
      fail(fmt::format("{} is an option, not a field: write --{} outside the query", name, name),
           at_);
      return false;
    }
    if (known == kFieldNames.end()) {
      const std::vector<std::string> names(kFieldNames.begin(), kFieldNames.end());
      fail(fmt::format("there is no field '{}'{}: the fields are {}; write words with a colon in "
                       "quotation marks",
                       name, did_you_mean(name, names), fmt::join(names, ", ")),
           at_);
      return false;
    }
    field = static_cast<QueryField>(known - kFieldNames.begin());
    is_bare = false;
    at_ = colon + 1;
    skip_space();
    return true;
  }

  Parsed group(QueryField field, bool& is_bare) {
    const size_t open = at_++;
    is_bare = false;
    if (at_end()) return fail("this '(' is never closed", open);
    if (text_[at_] == ')') return fail("there is nothing between the parentheses", open);
    Parsed inside = any(field);
    if (!inside) return inside;
    if (at_end()) return fail("this '(' is never closed", open);
    ++at_;
    return inside;
  }

  Parsed phrase(QueryField field, bool& is_bare) {
    const size_t open = at_;
    is_bare = false;
    at_ += quote_length(rest());
    const size_t begin = at_;
    while (at_ < text_.size() && quote_length(rest()) == 0) ++at_;
    if (at_ == text_.size()) return fail("this quotation mark is never closed", open);
    const std::string_view inside = text_.substr(begin, at_ - begin);
    at_ += quote_length(rest());
    Parsed leaf = leaf_of(inside, field, open);
    if (!leaf) return leaf;
    if (rest().starts_with('*')) {
      if (field == QueryField::kHost) return fail("a host is written without '*'", at_);
      leaf->is_prefix = true;
      ++at_;
    }
    return leaf;
  }

  Parsed leaf_of(std::string_view text, QueryField field, size_t at) {
    Query leaf{Query::Kind::kPhrase, field};
    if (field == QueryField::kHost) {
      leaf.kind = Query::Kind::kHost;
      while (text.starts_with('.')) text.remove_prefix(1);
      std::string host(text);
      for (char& c : host) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
      }
      const bool is_name = !host.empty() && host.find_first_of("/: \"") == host.npos;
      if (!is_name) return fail("a host is a name like example.org", at);
      leaf.words.push_back(std::move(host));
    } else {
      leaf.words = search_words(text);
    }
    words_ += leaf.words.size();
    if (words_ > kMostQueryWords) {
      return fail(fmt::format("the query has more than {} words", kMostQueryWords), at);
    }
    return leaf;
  }

  const std::string_view text_;
  size_t at_ = 0;
  size_t at_of_term_ = 0;
  size_t depth_ = 0, words_ = 0;
  QueryError error_;
};

size_t width_of(char32_t c) { return c >= 0x1100 && (is_ideograph(c) || c >= 0xFF01) ? 2 : 1; }

}  // namespace

std::string_view name_of(QueryField field) { return kFieldNames[static_cast<size_t>(field)]; }

ParsedQuery parse_query(std::string_view text) { return Parser(text).parse(); }

std::string text_of(const Query& query) {
  switch (query.kind) {
    case Query::Kind::kHost:
      return fmt::format("host:\"{}\"", query.words.front());
    case Query::Kind::kPhrase:
      if (query.any_form) return fmt::format("{}:{}", name_of(query.field), query.words.front());
      return fmt::format("{}:\"{}\"{}", name_of(query.field), fmt::join(query.words, " "),
                         query.is_prefix ? "*" : "");
    case Query::Kind::kNot:
      return fmt::format("(NOT {})", text_of(query.parts.front()));
    case Query::Kind::kSome:
    case Query::Kind::kAll:
    case Query::Kind::kAny:
      break;
  }
  std::vector<std::string> parts;
  for (const Query& part : query.parts) {
    // Bare words stay bare: in quotation marks they would have to be there.
    const bool bare = query.kind == Query::Kind::kSome;
    std::string text =
        bare ? fmt::format("{}{}", fmt::join(part.words, "-"), part.is_prefix ? "*" : "")
             : text_of(part);
    parts.push_back(std::move(text));
  }
  const std::string_view join = query.kind == Query::Kind::kSome  ? " "
                                : query.kind == Query::Kind::kAll ? " AND "
                                                                  : " OR ";
  const bool names_field = query.kind == Query::Kind::kSome && query.field != QueryField::kAny;
  return fmt::format("{}({})", names_field ? fmt::format("{}:", name_of(query.field)) : "",
                     fmt::join(parts, join));
}

std::string caret_lines(std::string_view query, size_t at) {
  constexpr size_t kBefore = 60, kAfter = 15;  // characters
  at = std::min(at, query.size());
  struct Shown {
    std::string text;
    size_t width;
  };
  std::vector<Shown> before, after;
  for (size_t i = 0; i < query.size();) {
    const CodePoint c = decode_utf8(query.substr(i));
    const bool shows = c.well_formed && c.value >= 0x20 && c.value != 0x7F;
    (i < at ? before : after)
        .push_back(
            {shows ? std::string(query.substr(i, c.length)) : " ", shows ? width_of(c.value) : 1});
    i += c.length;
  }
  std::string line, caret;
  const bool cut_before = before.size() > kBefore, cut_after = after.size() > kAfter;
  if (cut_before) line += "…", caret += ' ';
  for (size_t i = cut_before ? before.size() - kBefore : 0; i < before.size(); ++i) {
    line += before[i].text;
    caret.append(before[i].width, ' ');
  }
  for (size_t i = 0; i < std::min(after.size(), kAfter); ++i) line += after[i].text;
  if (cut_after) line += "…";
  return fmt::format("  {}\n  {}^\n", line, caret);
}

void collect_wanted(const Query& query, std::vector<const Query*>& phrases) {
  if (query.kind == Query::Kind::kNot) return;
  if (query.kind == Query::Kind::kPhrase) phrases.push_back(&query);
  for (const Query& part : query.parts) collect_wanted(part, phrases);
}

}  // namespace dowser
