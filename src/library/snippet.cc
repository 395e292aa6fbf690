#include "library/snippet.h"

#include <algorithm>
#include <bitset>

#include "base/ordered_work.h"
#include "text/char_kind.h"
#include "text/compatibility.h"
#include "text/search_words.h"
#include "text/tokens.h"
#include "text/utf8.h"

namespace dowser {
namespace {

// The words of a text as the search compares them, with their places. They are kept side by side
// in one string: a page may have a hundred thousand.
class PlacedWords {
 public:
  explicit PlacedWords(std::string_view text) : text_(text) {
    places_.reserve(text.size() / 6);
    letters_.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
      if (is_ascii_separator(text[at])) {
        ++at;
        continue;
      }
      const size_t end = ascii_word_end(at);
      at = end > at ? add_ascii(at, end) : add_piece(at);
    }
  }

  size_t size() const { return places_.size(); }
  std::string_view word(size_t i) const {
    const size_t from = places_[i].letters;
    const size_t to = i + 1 < places_.size() ? places_[i + 1].letters : letters_.size();
    return std::string_view(letters_).substr(from, to - from);
  }
  // In bytes of the text.
  size_t begin(size_t i) const { return places_[i].begin; }
  size_t end(size_t i) const { return places_[i].end; }
  // Whether the words from `first` to before `end` stand in one line.
  bool is_one_line(size_t first, size_t end) const {
    const size_t from = begin(first);
    return text_.substr(from, begin(end - 1) - from).find('\n') == text_.npos;
  }

 private:
  struct Place {
    uint32_t begin, end;
    uint32_t letters;  // where the word begins in letters_
  };
  enum class Run { kNone, kWord, kUnspaced };

  static bool is_ascii_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  static bool is_ascii_separator(char c) {
    return static_cast<uint8_t>(c) < 0x80 && c != '\'' && !is_ascii_letter_or_digit(c);
  }

  // The end of the word at `at` if it is all ASCII letters and digits; `at` if it is not.
  size_t ascii_word_end(size_t at) const {
    size_t end = at;
    while (end < text_.size() && is_ascii_letter_or_digit(text_[end])) ++end;
    return end == text_.size() || is_ascii_separator(text_[end]) ? end : at;
  }

  size_t add_ascii(size_t begin, size_t end) {
    note_place(begin, end);
    // Setting bit 0x20 converts letters to lower case and leaves digits alone.
    for (const char c : text_.substr(begin, std::min(end - begin, kLongestToken))) {
      letters_ += static_cast<char>(c | 0x20);
    }
    return end;
  }

  // Adds the words of the smallest piece that can be split into words on its own, and returns its
  // end; or skips a character that belongs to no word.
  size_t add_piece(size_t begin) {
    Run run = Run::kNone;
    size_t at = begin;
    while (at < text_.size()) {
      const CodePoint c = decode_utf8(text_.substr(at));
      const Run now = run_of(c, run);
      if (at > begin && now != run) break;
      run = now;
      at += c.length;
      if (run == Run::kNone) break;
    }
    for_each_search_word(text_.substr(begin, at - begin), [&](std::string_view word) {
      note_place(begin, at);
      letters_ += word;
    });
    return at;
  }

  static Run run_of(const CodePoint& c, Run before) {
    if (!c.well_formed) return Run::kNone;
    if (is_compatibility(c.value)) return Run::kWord;  // it may become a part of the word before it
    if (is_ideograph(c.value)) return Run::kNone;
    switch (char_kind(c.value)) {
      case CharKind::kUnspaced:
        return Run::kUnspaced;
      case CharKind::kMark:
        return before;
      case CharKind::kLetter:
      case CharKind::kDigit:
      case CharKind::kApostrophe:
      case CharKind::kNothing:
        return Run::kWord;
      case CharKind::kSeparator:
      case CharKind::kHyphen:
        break;
    }
    return Run::kNone;
  }

  void note_place(size_t begin, size_t end) {
    places_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                       static_cast<uint32_t>(letters_.size())});
  }

  const std::string_view text_;
  std::vector<Place> places_;
  std::string letters_;
};

struct Found {
  size_t phrase = 0;          // index
  size_t first = 0, end = 0;  // words
};

bool matches_at(const PlacedWords& words, size_t at, const Query& phrase) {
  if (phrase.words.empty() || at + phrase.words.size() > words.size()) return false;
  for (size_t i = 0; i < phrase.words.size(); ++i) {
    const std::string_view word = words.word(at + i);
    if (phrase.any_form &&
        std::find(phrase.forms.begin(), phrase.forms.end(), word) != phrase.forms.end()) {
      continue;
    }
    const bool may_go_on = phrase.is_prefix && i + 1 == phrase.words.size();
    if (may_go_on ? !word.starts_with(phrase.words[i]) : word != phrase.words[i]) return false;
  }
  return true;
}

std::vector<Found> find(const PlacedWords& words, const std::vector<const Query*>& phrases,
                        QueryField field) {
  std::vector<Found> found;
  // A query has no more.
  for (size_t p = 0; p < std::min(phrases.size(), kMostQueryWords); ++p) {
    const QueryField wanted = phrases[p]->field;
    const bool looks_here = wanted == QueryField::kAny || wanted == field ||
                            (field == QueryField::kText &&
                             (wanted == QueryField::kAbstract || wanted == QueryField::kOther));
    if (!looks_here || phrases[p]->kind != Query::Kind::kPhrase) continue;
    for (size_t at = 0; at < words.size(); ++at) {
      if (!matches_at(words, at, *phrases[p])) continue;
      const size_t end = at + phrases[p]->words.size();
      // A line of a text is a block, and no phrase goes across two blocks.
      if (field == QueryField::kText && !words.is_one_line(at, end)) continue;
      found.push_back({p, at, end});
    }
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.first != b.first ? a.first < b.first : a.end < b.end;
  });
  return found;
}

// A piece of the text, in bytes, with what it shows.
struct Piece {
  size_t begin = 0, end = 0;
  std::bitset<kMostQueryWords> shows;  // by phrase
  size_t places = 0;
};

class SnippetMaker {
 public:
  SnippetMaker(std::string_view text, const std::vector<const Query*>& phrases, size_t characters)
      : text_(text),
        words_(text),
        found_(find(words_, phrases, QueryField::kText)),
        bytes_(characters) {}

  MarkedText make() {
    if (found_.empty()) return beginning();
    std::vector<Piece> pieces;
    for (size_t i = 0; i < found_.size(); ++i) pieces.push_back(piece_at(i));
    const Piece* best = best_of(pieces, nullptr);
    if (!best) return beginning();  // each phrase is longer than a snippet
    const Piece* more = best_of(pieces, best);
    MarkedText marked;
    if (more && more->begin < best->begin) std::swap(more, best);
    append(*best, marked);
    if (more) append(*more, marked);
    if (!marked.text.empty() && (more ? more : best)->end < block_end((more ? more : best)->end)) {
      marked.text += " …";
    }
    return marked;
  }

 private:
  size_t block_begin(size_t at) const {
    const size_t line = at == 0 ? text_.npos : text_.rfind('\n', at - 1);
    return line == text_.npos ? 0 : line + 1;
  }
  size_t block_end(size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

  // Around the place `i`, as much of its block as there is room for.
  Piece piece_at(size_t i) const {
    const size_t word_begin = words_.begin(found_[i].first);
    Piece piece;
    // The block, or as much of it as could be shown: some have a megabyte.
    const size_t from = word_begin > bytes_ ? word_begin - bytes_ : 0;
    const size_t line = text_.substr(from, word_begin - from).rfind('\n');
    const size_t low = line == text_.npos ? from : from + line + 1;
    const std::string_view behind = text_.substr(word_begin, 2 * bytes_);
    const size_t high = word_begin + std::min(behind.find('\n'), behind.size());
    const size_t before = bytes_ / 4;
    piece.begin = word_begin - low > before ? word_begin - before : low;
    piece.end = std::min(high, piece.begin + bytes_);
    if (piece.end == high) piece.begin = high - low > bytes_ ? high - bytes_ : low;
    // Whole words only.
    if (piece.begin > low) {
      const size_t blank = text_.find(' ', piece.begin);
      piece.begin = blank < word_begin ? blank + 1 : character_begin(piece.begin);
    }
    if (piece.end < high) {
      const size_t blank = text_.rfind(' ', piece.end);
      piece.end = blank != text_.npos && blank > words_.end(found_[i].end - 1)
                      ? blank
                      : character_begin(piece.end);
      piece.end = std::max(piece.end, std::min(high, words_.end(found_[i].end - 1)));
    }
    for (size_t j = i; j < found_.size() && words_.begin(found_[j].first) < piece.end; ++j) {
      note(j, piece);
    }
    for (size_t j = i; j-- > 0 && words_.begin(found_[j].first) >= piece.begin;) note(j, piece);
    return piece;
  }
  void note(size_t i, Piece& piece) const {
    if (words_.begin(found_[i].first) < piece.begin) return;
    if (words_.end(found_[i].end - 1) > piece.end) return;
    ++piece.places;
    piece.shows.set(found_[i].phrase);
  }
  size_t character_begin(size_t at) const {
    while (at > 0 && at < text_.size() && (static_cast<uint8_t>(text_[at]) & 0xC0) == 0x80) --at;
    return at;
  }

  // The piece that shows the most phrases that `other` does not show; nothing if none does.
  const Piece* best_of(const std::vector<Piece>& pieces, const Piece* other) const {
    const Piece* best = nullptr;
    size_t best_new = 0;
    for (const Piece& piece : pieces) {
      const size_t shows_new = (other ? piece.shows & ~other->shows : piece.shows).count();
      if (other && piece.begin < other->end && other->begin < piece.end) continue;
      if (shows_new == 0 || shows_new < best_new) continue;
      if (best && shows_new == best_new && piece.places <= best->places) continue;
      best = &piece;
      best_new = shows_new;
    }
    return best;
  }

  void append(const Piece& piece, MarkedText& marked) const {
    if (!marked.text.empty()) {
      marked.text += " … ";
    } else if (piece.begin > block_begin(piece.begin)) {
      marked.text += "… ";
    }
    const size_t shift = marked.text.size();
    marked.text += text_.substr(piece.begin, piece.end - piece.begin);
    size_t last = 0;
    for (const Found& f : found_) {
      for (size_t w = f.first; w < f.end; ++w) {
        const size_t begin = std::max(words_.begin(w), last), end = words_.end(w);
        if (begin < piece.begin || end > piece.end || begin >= end) continue;
        marked.marks.emplace_back(begin - piece.begin + shift, end - piece.begin + shift);
        last = end;
      }
    }
  }

  MarkedText beginning() const {
    size_t begin = text_.find_first_not_of(" \n\t\r\f");
    if (begin == text_.npos) return {};
    // The first block that is more than a heading.
    for (size_t at = begin; at < text_.size(); at = block_end(at) + 1) {
      if (block_end(at) - at >= bytes_ / 3) {
        begin = at;
        break;
      }
    }
    const size_t high = block_end(begin);
    size_t end = std::min(high, begin + bytes_);
    if (end < high) {
      const size_t blank = text_.rfind(' ', end);
      end = blank != text_.npos && blank > begin ? blank : character_begin(end);
    }
    MarkedText marked;
    marked.text = text_.substr(begin, end - begin);
    if (end < high) marked.text += " …";
    return marked;
  }

  const std::string_view text_;
  const PlacedWords words_;
  const std::vector<Found> found_;
  const size_t bytes_;
};

}  // namespace

MarkedText snippet(std::string_view text, const std::vector<const Query*>& phrases,
                   size_t characters) {
  // Documents may be as long as books; a person reads the first megabyte at most.
  constexpr size_t kLongest = 1 << 20;
  return SnippetMaker(text.substr(0, kLongest), phrases, characters).make();
}

std::vector<MarkedText> snippets(size_t count,
                                 const std::function<Result<std::string>(size_t)>& text,
                                 const std::vector<const Query*>& phrases) {
  OrderedWork<MarkedText> work(count, [&](size_t i) {
    const Result<std::string> read = text(i);
    return read ? snippet(*read, phrases) : MarkedText{};
  });
  std::vector<MarkedText> made;
  for (size_t i = 0; i < count; ++i) made.push_back(work.next());
  return made;
}

MarkedText marked(std::string_view text, const std::vector<const Query*>& phrases,
                  QueryField field) {
  MarkedText result{std::string(text), {}};
  const PlacedWords words(text);
  size_t last = 0;
  for (const Found& f : find(words, phrases, field)) {
    for (size_t w = f.first; w < f.end; ++w) {
      const size_t begin = std::max(words.begin(w), last);
      if (begin >= words.end(w)) continue;
      result.marks.emplace_back(begin, words.end(w));
      last = words.end(w);
    }
  }
  return result;
}

}  // namespace dowser
