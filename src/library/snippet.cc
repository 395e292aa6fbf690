#include "library/snippet.h"

#include <algorithm>

#include "text/char_kind.h"
#include "text/search_words.h"
#include "text/utf8.h"

namespace dowser {
namespace {

// A word of the text as the search compares it, with its place.
struct PlacedWord {
  std::string word;
  size_t begin = 0, end = 0;
};

bool is_in_word(CharKind kind) {
  return kind == CharKind::kLetter || kind == CharKind::kMark || kind == CharKind::kDigit ||
         kind == CharKind::kApostrophe || kind == CharKind::kNothing;
}

// Cuts a text into the smallest pieces that can be split into words on their own.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    size_t begin = 0;
    enum class Run { kNone, kWord, kUnspaced } run = Run::kNone;
    for (size_t at = 0; at < text.size();) {
      const CodePoint c = decode_utf8(text.substr(at));
      const CharKind kind = c.well_formed ? char_kind(c.value) : CharKind::kSeparator;
      const bool ideograph = c.well_formed && is_ideograph(c.value);
      const Run now = ideograph                     ? Run::kNone
                      : kind == CharKind::kUnspaced ? Run::kUnspaced
                      : kind == CharKind::kMark     ? run
                      : is_in_word(kind)            ? Run::kWord
                                                    : Run::kNone;
      if (now != run) {
        if (run != Run::kNone) add(begin, at);
        begin = at;
        run = now;
      }
      at += c.length;
      if (ideograph) add(at - c.length, at);
    }
    if (run != Run::kNone) add(begin, text.size());
  }
  std::vector<PlacedWord> words;

 private:
  void add(size_t begin, size_t end) {
    for_each_search_word(text_.substr(begin, end - begin), [&](std::string_view word) {
      words.push_back({std::string(word), begin, end});
    });
  }
  const std::string_view text_;
};

struct Found {
  size_t phrase = 0;          // index
  size_t first = 0, end = 0;  // words
};

bool matches_at(const std::vector<PlacedWord>& words, size_t at, const Query& phrase) {
  if (phrase.words.empty() || at + phrase.words.size() > words.size()) return false;
  for (size_t i = 0; i < phrase.words.size(); ++i) {
    const std::string& word = words[at + i].word;
    const bool may_go_on = phrase.is_prefix && i + 1 == phrase.words.size();
    if (may_go_on ? !word.starts_with(phrase.words[i]) : word != phrase.words[i]) return false;
  }
  return true;
}

std::vector<Found> find(const std::vector<PlacedWord>& words,
                        const std::vector<const Query*>& phrases, QueryField field) {
  std::vector<Found> found;
  for (size_t p = 0; p < phrases.size(); ++p) {
    const QueryField wanted = phrases[p]->field;
    const bool looks_here = wanted == QueryField::kAny || wanted == field ||
                            (field == QueryField::kText &&
                             (wanted == QueryField::kAbstract || wanted == QueryField::kOther));
    if (!looks_here || phrases[p]->kind != Query::Kind::kPhrase) continue;
    for (size_t at = 0; at < words.size(); ++at) {
      if (matches_at(words, at, *phrases[p])) {
        found.push_back({p, at, at + phrases[p]->words.size()});
      }
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
  std::vector<bool> shows;  // by phrase
  size_t different = 0, places = 0;
};

class SnippetMaker {
 public:
  SnippetMaker(std::string_view text, const std::vector<const Query*>& phrases, size_t characters)
      : text_(text),
        words_(Places(text).words),
        found_(find(words_, phrases, QueryField::kText)),
        phrases_(phrases.size()),
        bytes_(characters) {}

  MarkedText make() {
    if (found_.empty()) return beginning();
    std::vector<Piece> pieces;
    for (size_t i = 0; i < found_.size(); ++i) pieces.push_back(piece_at(i));
    const Piece* best = best_of(pieces, nullptr);
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
    const size_t word_begin = words_[found_[i].first].begin;
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
      piece.end = blank != text_.npos && blank > words_[found_[i].end - 1].end
                      ? blank
                      : character_begin(piece.end);
      piece.end = std::max(piece.end, std::min(high, words_[found_[i].end - 1].end));
    }
    piece.shows.assign(phrases_, false);
    for (size_t j = i; j < found_.size() && words_[found_[j].first].begin < piece.end; ++j) {
      note(j, piece);
    }
    for (size_t j = i; j-- > 0 && words_[found_[j].first].begin >= piece.begin;) note(j, piece);
    return piece;
  }
  void note(size_t i, Piece& piece) const {
    if (words_[found_[i].first].begin < piece.begin) return;
    if (words_[found_[i].end - 1].end > piece.end) return;
    ++piece.places;
    if (piece.shows[found_[i].phrase]) return;
    piece.shows[found_[i].phrase] = true;
    ++piece.different;
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
      size_t shows_new = 0;
      for (size_t p = 0; p < phrases_; ++p) {
        shows_new += piece.shows[p] && !(other && other->shows[p]);
      }
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
        const size_t begin = std::max(words_[w].begin, last), end = words_[w].end;
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
  const std::vector<PlacedWord> words_;
  const std::vector<Found> found_;
  const size_t phrases_;
  const size_t bytes_;
};

}  // namespace

MarkedText snippet(std::string_view text, const std::vector<const Query*>& phrases,
                   size_t characters) {
  // Documents may be as long as books; a person reads the first megabyte at most.
  constexpr size_t kLongest = 1 << 20;
  return SnippetMaker(text.substr(0, kLongest), phrases, characters).make();
}

MarkedText marked(std::string_view text, const std::vector<const Query*>& phrases,
                  QueryField field) {
  MarkedText result{std::string(text), {}};
  const std::vector<PlacedWord> words = Places(text).words;
  size_t last = 0;
  for (const Found& f : find(words, phrases, field)) {
    for (size_t w = f.first; w < f.end; ++w) {
      const size_t begin = std::max(words[w].begin, last);
      if (begin >= words[w].end) continue;
      result.marks.emplace_back(begin, words[w].end);
      last = words[w].end;
    }
  }
  return result;
}

}  // namespace dowser
