#include "judge/reasons.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kMostWords = 12;
constexpr double kLeastProbability = 1e-12;

bool is_other(std::string_view word) { return word == kOtherWords || word == kWithoutWords; }

// The dozen strongest, the others as one, and then `without`.
template <class Item, class WeightOf, class Before>
std::pair<std::vector<Item>, double> strongest(std::vector<Item> items, WeightOf weight_of,
                                               Before before) {
  const size_t n = std::min(items.size(), kMostWords);
  std::partial_sort(items.begin(), items.begin() + static_cast<ptrdiff_t>(n), items.end(),
                    [&](const Item& a, const Item& b) {
                      const double x = std::abs(weight_of(a)), y = std::abs(weight_of(b));
                      return x != y ? x > y : before(a, b);
                    });
  double rest = 0;
  for (size_t i = n; i < items.size(); ++i) rest += weight_of(items[i]);
  items.resize(n);
  return {std::move(items), rest};
}

void add_others(Reasons& reasons, double other_words, double without_words) {
  if (other_words != 0) reasons.push_back({std::string(kOtherWords), other_words});
  if (without_words != 0) reasons.push_back({std::string(kWithoutWords), without_words});
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// `word` as it is written in `piece`.
std::string as_written(std::string_view piece, std::string word) {
  const auto at = std::search(piece.begin(), piece.end(), word.begin(), word.end(),
                              [](char a, char b) { return lower(a) == b; });
  return at == piece.end() ? word : std::string(at, at + static_cast<ptrdiff_t>(word.size()));
}

// Finds words for terms in texts of the page, the first that has one.
class WordFinder {
 public:
  WordFinder(const Page& page, const std::vector<SparseVector::Entry>& wanted)
      : page_(page), words_(wanted.size()) {
    for (const auto& entry : wanted) terms_.push_back(entry.index);
    left_ = terms_.size();
  }

  std::vector<std::string> find() && {
    for (const PlacedTerm& placed : page_.placed_terms) {
      if (left_ == 0) break;
      if (is_wanted(placed.id)) look_in(piece_at(placed.place));
    }
    if (page_.placed_terms.empty()) look_in(page_.text);
    for (const std::string* text : {&page_.title, &page_.description, &page_.keywords}) {
      if (left_ > 0) look_in(*text);
    }
    return std::move(words_);
  }

 private:
  bool is_wanted(TermId term) const {
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i] == term) return words_[i].empty();
    }
    return false;
  }

  std::string_view piece_at(uint32_t place) const {
    const std::string_view text = page_.text;
    const size_t end = std::min(text.find_first_of(" \n", place), text.size());
    return text.substr(place, end - place);
  }

  void look_in(std::string_view text) {
    for (Term& term : text_terms(text, page_.language)) {
      for (size_t i = 0; i < terms_.size(); ++i) {
        if (terms_[i] != term.id || !words_[i].empty() || term.word.empty()) continue;
        words_[i] = as_written(text, std::move(term.word));
        --left_;
        break;
      }
    }
  }

  const Page& page_;
  std::vector<TermId> terms_;
  std::vector<std::string> words_;  // of terms_
  size_t left_;
};

Reasons reasons_of(const Page& page, const SparseVector& shares, double without,
                   const TermWords* known) {
  std::vector<SparseVector::Entry> entries;
  for (const auto& e : shares.entries()) {
    if (e.value != 0) entries.push_back(e);
  }
  auto [best, rest] = strongest(
      std::move(entries), [](const auto& e) { return e.value; },
      [](const auto& a, const auto& b) { return a.index < b.index; });
  std::vector<std::string> words = WordFinder(page, best).find();
  Reasons reasons;
  for (size_t i = 0; i < best.size(); ++i) {
    if (words[i].empty() && known) {
      if (const auto word = known->find(best[i].index); word != known->end()) {
        words[i] = word->second;
      }
    }
    if (words[i].empty()) {
      rest += best[i].value;
    } else {
      reasons.push_back({std::move(words[i]), best[i].value});
    }
  }
  add_others(reasons, rest, without);
  return reasons;
}

}  // namespace

Reasons reasons_of_shares(const Page& page, const SparseVector& shares, const TermWords* known) {
  return reasons_of(page, shares, 0, known);
}

Reasons reasons_of_log_odds(const Page& page, const SparseVector& parts, double relevance,
                            const TermWords* known, Reasons others) {
  const double p = std::clamp(relevance, kLeastProbability, 1 - kLeastProbability);
  double sum = 0;
  for (const auto& e : parts.entries()) sum += e.value;
  for (const Judgement::Reason& other : others) sum += other.weight;
  const double start = 1 / (1 + std::exp(sum) * (1 - p) / p);
  const double slope = std::abs(sum) > 1e-9 ? (p - start) / sum : p * (1 - p);
  std::vector<SparseVector::Entry> shares;
  for (const auto& e : parts.entries()) shares.push_back({e.index, e.value * slope});
  Reasons reasons = reasons_of(page, SparseVector(std::move(shares)), start, known);
  others = scaled(std::move(others), slope);
  reasons.insert(reasons.end(), others.begin(), others.end());
  return reasons;
}

Reasons scaled(Reasons reasons, double factor) {
  for (Judgement::Reason& reason : reasons) reason.weight *= factor;
  return reasons;
}

Reasons joined(const Reasons& a, const Reasons& b) {
  Reasons words;
  double others = 0, without = 0;
  for (const Reasons* list : {&a, &b}) {
    for (const Judgement::Reason& reason : *list) {
      if (is_other(reason.word)) {
        (reason.word == kOtherWords ? others : without) += reason.weight;
        continue;
      }
      const auto same = std::find_if(words.begin(), words.end(),
                                     [&](const auto& word) { return word.word == reason.word; });
      if (same == words.end()) {
        words.push_back(reason);
      } else {
        same->weight += reason.weight;
      }
    }
  }
  auto [best, rest] = strongest(
      std::move(words), [](const auto& r) { return r.weight; },
      [](const auto& x, const auto& y) { return x.word < y.word; });
  add_others(best, others + rest, without);
  return best;
}

}  // namespace dowser
