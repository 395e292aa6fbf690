#include "library/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "library/full_text.h"
#include "library/match_score.h"

// A query is evaluated part by part, each to the set of items that match it. The items of a phrase
// come with counts, which are added to the scores if the query wants the phrase. Words are looked
// up in the counts of words (store/word_counts.h), all else in FTS5.
//
// What stands behind NOT is never scored. If FTS5 has to search for it, then only among the items
// that match the rest: one by one if they are few, otherwise together with the rarest part that
// must be there, 'heron NOT "of the"'. FTS5 then skips the items without a heron.

namespace dowser {
namespace {

using IdSet = std::vector<bool>;

// So many items are asked for one by one; each takes about 40 µs.
constexpr size_t kFew = 400;

// Whether words have counts of their own, so that the phrase need not be searched for.
bool has_counts(const Query& phrase) {
  return phrase.words.size() == 1 && phrase.field == QueryField::kAny;
}

bool all_have_counts(const Query& query) {
  if (query.kind == Query::Kind::kPhrase) return has_counts(query);
  return query.kind != Query::Kind::kHost &&
         std::all_of(query.parts.begin(), query.parts.end(), all_have_counts);
}

Result<std::vector<CountedItem>> items_with(LibraryReader& library, const Query& phrase) {
  if (!has_counts(phrase)) return library.with_phrase(full_text_of(phrase));
  return phrase.forms.size() > 1 ? library.with_any_word(phrase.forms)
                                 : library.with_word(phrase.words.front(), phrase.is_prefix);
}

// The parts that must all match; a group of such parts within the group is no different.
void collect_all(const Query& query, std::vector<const Query*>& parts) {
  for (const Query& part : query.parts) {
    if (part.kind == Query::Kind::kAll) {
      collect_all(part, parts);
    } else {
      parts.push_back(&part);
    }
  }
}

class Evaluation {
 public:
  Evaluation(LibraryReader& library, Annotations* annotations, MatchScore& score)
      : library_(library),
        annotations_(annotations),
        score_(score),
        end_(library.lengths().size()) {}

  // `is_wanted`: the query does not stand behind a NOT. `is_bare`: it is a bare word.
  Result<IdSet> ids(const Query& query, bool is_wanted = true, bool is_bare = false) {
    switch (query.kind) {
      case Query::Kind::kPhrase:
        return query.field == QueryField::kNote ? with_note(query)
                                                : with_phrase(query, is_wanted, is_bare);
      case Query::Kind::kHost:
        return on_host(query);
      case Query::Kind::kNot: {
        Result<IdSet> set = ids(query.parts.front(), false);
        if (set) set->flip();
        return set;
      }
      case Query::Kind::kSome:
      case Query::Kind::kAny:
        return any_of(query, is_wanted);
      case Query::Kind::kAll:
        break;
    }
    return all_of(query, is_wanted);
  }

 private:
  void add(IdSet& set, int64_t id) const {
    if (static_cast<size_t>(id) < end_) set[static_cast<size_t>(id)] = true;
  }

  Result<IdSet> with_phrase(const Query& query, bool is_wanted, bool is_bare) {
    const Result<std::vector<CountedItem>> items = items_with(library_, query);
    if (!items) return items.error();
    if (is_wanted) score_.add(*items, 1, is_bare);
    IdSet set(end_);
    for (const CountedItem& item : *items) set[item.id] = true;
    return set;
  }

  Result<IdSet> any_of(const Query& query, bool is_wanted) {
    IdSet joined(end_);
    for (const Query& part : query.parts) {
      const Result<IdSet> set = ids(part, is_wanted, query.kind == Query::Kind::kSome);
      if (!set) return set.error();
      for (size_t id = 0; id < end_; ++id) joined[id] = joined[id] || (*set)[id];
    }
    return joined;
  }

  Result<IdSet> all_of(const Query& query, bool is_wanted) {
    std::vector<const Query*> parts;
    collect_all(query, parts);
    IdSet joined(end_, true);
    const Query* rarest = nullptr;
    ptrdiff_t fewest = 0;
    for (const Query* part : parts) {
      if (part->kind == Query::Kind::kNot) continue;
      const Result<IdSet> set = ids(*part, is_wanted);
      if (!set) return set.error();
      intersect(joined, *set);
      if (!is_full_text(*part)) continue;
      const auto count = std::count(set->begin(), set->end(), true);
      if (!rarest || count < fewest) rarest = part, fewest = count;
    }
    for (const Query* part : parts) {
      if (part->kind != Query::Kind::kNot) continue;
      const Query& without = part->parts.front();
      if (rarest && is_full_text(without) && !all_have_counts(without)) {
        if (Status s = take_away(without, *rarest, joined); !s) return s.error();
        continue;
      }
      const Result<IdSet> set = ids(*part, false);
      if (!set) return set.error();
      intersect(joined, *set);
    }
    return joined;
  }

  // Takes what matches `without` out of a set of items that all match `with`.
  Status take_away(const Query& without, const Query& with, IdSet& set) {
    std::vector<int64_t> few;
    for (size_t id = 0; id < end_ && few.size() <= kFew; ++id) {
      if (set[id]) few.push_back(static_cast<int64_t>(id));
    }
    if (few.size() <= kFew) {
      return library_.for_each_match_among(
          few, full_text_of(without), [&](int64_t id) { set[static_cast<size_t>(id)] = false; });
    }
    IdSet rest(end_);
    const Status read = library_.for_each_match(
        fmt::format("({}) NOT ({})", full_text_of(with), full_text_of(without)),
        [&](int64_t id) { add(rest, id); });
    if (!read) return read;
    intersect(set, rest);
    return {};
  }

  void intersect(IdSet& set, const IdSet& other) const {
    for (size_t id = 0; id < end_; ++id) set[id] = set[id] && other[id];
  }

  Result<IdSet> on_host(const Query& query) {
    IdSet set(end_);
    const Status read =
        library_.for_each_on_host(query.words.front(), [&](int64_t id) { add(set, id); });
    if (!read) return read.error();
    return set;
  }

  Result<IdSet> with_note(const Query& query) {
    IdSet set(end_);
    if (!annotations_) return set;
    const Result<std::vector<std::string>> urls =
        annotations_->urls_with(query.words, query.is_prefix);
    if (!urls) return urls.error();
    for (const std::string& url : *urls) {
      const Result<std::optional<LibraryItem>> item = library_.item_at(url);
      if (!item) return item.error();
      if (*item) add(set, (*item)->id);
    }
    return set;
  }

  LibraryReader& library_;
  Annotations* annotations_;
  MatchScore& score_;
  const size_t end_;
};

// Keeps the hits from `offset` on, in their order.
Status order_hits(LibraryReader& library, const SearchOptions& options, LibraryHits& found) {
  std::vector<double> keys;
  if (options.order != SearchOrder::kMatch) {
    const auto order = options.order == SearchOrder::kRelevance ? LibraryReader::Order::kRelevance
                       : options.order == SearchOrder::kReferences
                           ? LibraryReader::Order::kReferences
                           : LibraryReader::Order::kYear;
    Result<std::vector<double>> read = library.keys(order);
    if (!read) return read.error();
    keys = std::move(*read);
  }
  const auto before = [&](const LibraryHit& a, const LibraryHit& b) {
    if (!keys.empty()) {
      const double x = keys[static_cast<size_t>(a.id)], y = keys[static_cast<size_t>(b.id)];
      if (x != y) return x > y;
    }
    if (a.has_all != b.has_all) return a.has_all;
    if (a.score != b.score) return a.score > b.score;
    return a.id < b.id;
  };
  std::vector<LibraryHit>& hits = found.hits;
  const size_t begin = std::min(options.offset, hits.size());
  const size_t end = begin + std::min(options.limit, hits.size() - begin);
  std::partial_sort(hits.begin(), hits.begin() + static_cast<ptrdiff_t>(end), hits.end(), before);
  hits.resize(end);
  hits.erase(hits.begin(), hits.begin() + static_cast<ptrdiff_t>(begin));
  return {};
}

// Of the items that match, those that pass the filter, in their order.
Result<LibraryHits> hits_of(LibraryReader& library, const IdSet& matching, const MatchScore& score,
                            const SearchOptions& options) {
  const Result<IdSet> passing = library.passing(options.filter);
  if (!passing) return passing.error();
  LibraryHits found;
  for (size_t id = 0; id < matching.size(); ++id) {
    if (!matching[id] || !(*passing)[id]) continue;
    found.hits.push_back({static_cast<int64_t>(id), score.score(id), score.has_all(id)});
    found.with_all += found.hits.back().has_all;
  }
  found.total = found.hits.size();
  if (Status s = order_hits(library, options, found); !s) return s.error();
  return found;
}

}  // namespace

Result<LibraryHits> search(LibraryReader& library, Annotations* annotations, const Query& query,
                           const SearchOptions& options) {
  MatchScore score(library);
  const Result<IdSet> matching = Evaluation(library, annotations, score).ids(query);
  if (!matching) return matching.error();
  return hits_of(library, *matching, score, options);
}

Result<LibraryHits> search_any(LibraryReader& library, const std::vector<WeightedPhrase>& phrases,
                               int64_t but, const SearchOptions& options) {
  MatchScore score(library);
  IdSet matching(library.lengths().size());
  for (const WeightedPhrase& phrase : phrases) {
    const Result<std::vector<CountedItem>> items = items_with(library, phrase.phrase);
    if (!items) return items.error();
    score.add(*items, phrase.weight, false);
    for (const CountedItem& item : *items) {
      if (item.id != but) matching[item.id] = true;
    }
  }
  return hits_of(library, matching, score, options);
}

Result<std::vector<MissingWord>> missing_words(LibraryReader& library, const Query& query) {
  std::vector<const Query*> phrases;
  collect_wanted(query, phrases);
  std::vector<MissingWord> missing;
  for (const Query* phrase : phrases) {
    if (phrase->field == QueryField::kNote || phrase->forms.size() > 1) continue;
    for (size_t i = 0; i < phrase->words.size(); ++i) {
      const std::string& word = phrase->words[i];
      if (phrase->is_prefix && i + 1 == phrase->words.size()) continue;
      const Result<uint64_t> count = library.items_with(word);
      if (!count) return count.error();
      if (*count > 0) continue;
      Result<std::string> similar = library.similar_word(word);
      if (!similar) return similar.error();
      missing.push_back({word, std::move(*similar)});
    }
  }
  return missing;
}

}  // namespace dowser
