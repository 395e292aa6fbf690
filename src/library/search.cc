#include "library/search.h"

#include <algorithm>

#include "library/full_text.h"

// A query that FTS5 can express is one expression, and its matches are scored in the same pass
// (store/match_score.h). Other queries, which name hosts or notes, are evaluated as sets of items;
// of them too each part that FTS5 can express is one expression. Then the items of the set are
// scored by the phrases that the query wants.

namespace dowser {
namespace {

using IdSet = std::vector<bool>;

class Evaluation {
 public:
  Evaluation(LibraryReader& library, Annotations* annotations, size_t end)
      : library_(library), annotations_(annotations), end_(end) {}

  Result<IdSet> ids(const Query& query) {
    if (is_full_text(query)) {
      IdSet set(end_);
      const Status read = library_.for_each_match(full_text_of(query).expression,
                                                  [&](int64_t id) { add(set, id); });
      if (!read) return read.error();
      return set;
    }
    switch (query.kind) {
      case Query::Kind::kPhrase:
        return with_note(query);
      case Query::Kind::kHost:
        return on_host(query);
      case Query::Kind::kNot: {
        Result<IdSet> set = ids(query.parts.front());
        if (set) set->flip();
        return set;
      }
      case Query::Kind::kSome:
      case Query::Kind::kAny:
      case Query::Kind::kAll:
        break;
    }
    const bool is_all = query.kind == Query::Kind::kAll;
    IdSet joined(end_, is_all);
    for (const Query& part : query.parts) {
      const Result<IdSet> set = ids(part);
      if (!set) return set.error();
      for (size_t id = 0; id < end_; ++id) {
        joined[id] = is_all ? joined[id] && (*set)[id] : joined[id] || (*set)[id];
      }
    }
    return joined;
  }

 private:
  void add(IdSet& set, int64_t id) const {
    if (static_cast<size_t>(id) < end_) set[static_cast<size_t>(id)] = true;
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
  const size_t end_;
};

// Scores the items of a set by the phrases that are wanted.
Status score_set(LibraryReader& library, const Query& query, const IdSet& set,
                 std::vector<LibraryHit>& hits) {
  const FullText wanted = any_wanted_of(query);
  const bool has_bare = std::any_of(wanted.phrases.begin(), wanted.phrases.end(),
                                    [](const FullText::Phrase& p) { return p.is_bare; });
  IdSet rest = set;
  if (!wanted.expression.empty()) {
    const Status read =
        library.for_each_scored(wanted, [&](int64_t id, double score, bool has_all) {
          if (static_cast<size_t>(id) >= set.size() || !set[static_cast<size_t>(id)]) return;
          hits.push_back({id, score, has_all});
          rest[static_cast<size_t>(id)] = false;
        });
    if (!read) return read;
  }
  for (size_t id = 0; id < rest.size(); ++id) {
    if (rest[id]) hits.push_back({static_cast<int64_t>(id), 0, !has_bare});
  }
  return {};
}

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

Status finish(LibraryReader& library, const SearchOptions& options, LibraryHits& found) {
  found.total = found.hits.size();
  for (const LibraryHit& hit : found.hits) found.with_all += hit.has_all;
  return order_hits(library, options, found);
}

}  // namespace

Result<LibraryHits> search_full_text(LibraryReader& library, const FullText& text, int64_t but,
                                     const SearchOptions& options) {
  const Result<IdSet> passing = library.passing(options.filter);
  if (!passing) return passing.error();
  LibraryHits found;
  const Status read = library.for_each_scored(text, [&](int64_t id, double score, bool has_all) {
    const auto i = static_cast<size_t>(id);
    if (id == but || i >= passing->size() || !(*passing)[i]) return;
    found.hits.push_back({id, score, has_all});
  });
  if (!read) return read.error();
  if (Status s = finish(library, options, found); !s) return s.error();
  return found;
}

Result<LibraryHits> search(LibraryReader& library, Annotations* annotations, const Query& query,
                           const SearchOptions& options) {
  if (is_full_text(query)) return search_full_text(library, full_text_of(query), 0, options);
  const Result<IdSet> passing = library.passing(options.filter);
  if (!passing) return passing.error();
  Result<IdSet> set = Evaluation(library, annotations, passing->size()).ids(query);
  if (!set) return set.error();
  for (size_t id = 0; id < set->size(); ++id) (*set)[id] = (*set)[id] && (*passing)[id];
  LibraryHits found;
  if (Status s = score_set(library, query, *set, found.hits); !s) return s.error();
  if (Status s = finish(library, options, found); !s) return s.error();
  return found;
}

Result<std::vector<MissingWord>> missing_words(LibraryReader& library, const Query& query) {
  std::vector<const Query*> phrases;
  collect_wanted(query, phrases);
  std::vector<MissingWord> missing;
  for (const Query* phrase : phrases) {
    if (phrase->field == QueryField::kNote) continue;
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
