#include "store/match_score.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>

// FTS5 has a bm25() of its own. This one also says whether all bare words are there, and it takes
// the length of an item from memory: FTS5 looks it up in a table for every match, which costs more
// than all the rest.

namespace dowser {
namespace {

constexpr double kSaturation = 1.2, kLengthWeight = 0.75;  // k1 and b, the usual values
constexpr double kSmallestIdf = 1e-6;  // of a word that is in more than half of the items
// Of title, author, abstract, keywords, text, other, url.
constexpr std::array<double, 7> kColumnWeights = {5, 3, 2, 2, 1, 0.5, 1};

int count_row(const Fts5ExtensionApi*, Fts5Context*, void* count) {
  ++*static_cast<int64_t*>(count);
  return SQLITE_OK;
}

// How many items have each phrase that is wanted, by asking for it once more.
int count_phrases(const Fts5ExtensionApi* api, Fts5Context* fts, MatchScore& score) {
  std::vector<double> counts(score.phrases().size());
  for (size_t i = 0; i < counts.size(); ++i) {
    if (!score.phrases()[i].is_wanted) continue;
    int64_t found = 0;
    const int code = api->xQueryPhrase(fts, static_cast<int>(i), &found, count_row);
    if (code != SQLITE_OK) return code;
    counts[i] = static_cast<double>(found);
  }
  score.set_counts(std::move(counts));
  return SQLITE_OK;
}

// How often the phrase stands in the row, weighted by column.
int frequency(const Fts5ExtensionApi* api, Fts5Context* fts, int phrase, double& sum) {
  Fts5PhraseIter iterator;
  int column = -1, place = 0;
  sum = 0;
  const int code = api->xPhraseFirst(fts, phrase, &iterator, &column, &place);
  if (code != SQLITE_OK) return code;
  while (column >= 0) {
    const auto c = static_cast<size_t>(column);
    sum += c < kColumnWeights.size() ? kColumnWeights[c] : 1;
    api->xPhraseNext(fts, &iterator, &column, &place);
  }
  return SQLITE_OK;
}

void match_score(const Fts5ExtensionApi* api, Fts5Context* fts, sqlite3_context* result, int,
                 sqlite3_value**) {
  MatchScore& score = *static_cast<MatchScore*>(api->xUserData(fts));
  if (score.needs_counts()) {
    if (const int code = count_phrases(api, fts, score); code != SQLITE_OK) {
      return sqlite3_result_error_code(result, code);
    }
  }
  score.begin_match(api->xRowid(fts));
  const auto phrases =
      std::min(score.phrases().size(), static_cast<size_t>(api->xPhraseCount(fts)));
  for (size_t i = 0; i < phrases; ++i) {
    if (!score.phrases()[i].is_wanted) continue;
    double count;
    if (const int code = frequency(api, fts, static_cast<int>(i), count); code != SQLITE_OK) {
      return sqlite3_result_error_code(result, code);
    }
    if (count > 0) score.add_part(i, count);
  }
  sqlite3_result_int(result, 1);
}

// What the connection that this thread is opening shall score with.
thread_local MatchScore* opening = nullptr;

int add_function(sqlite3* db, char**, const sqlite3_api_routines*) {
  if (!opening) return SQLITE_OK;
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  if (!api) return SQLITE_ERROR;
  return api->xCreateFunction(api, "match_score", opening, match_score, nullptr);
}

}  // namespace

void MatchScore::start(const FullText& query) {
  phrases_ = query.phrases;
  counts_itself_ = query.is_any;
  items_with_.assign(counts_itself_ ? phrases_.size() : 0, 0);
  rows_.clear();
  parts_.clear();
}

void MatchScore::begin_match(int64_t id) {
  rows_.push_back({id, parts_.size()});
  const auto i = static_cast<size_t>(id);
  const double length = i < lengths.size() && lengths[i] != kNoItem
                            ? static_cast<double>(lengths[i])
                            : average_length;
  length_norm_ = kSaturation * (1 - kLengthWeight + kLengthWeight * length / average_length);
}

void MatchScore::add_part(size_t phrase, double count) {
  parts_.push_back({static_cast<uint32_t>(phrase),
                    phrases_[phrase].weight * count * (kSaturation + 1) / (count + length_norm_)});
  rows_.back().parts_end = parts_.size();
  if (counts_itself_) ++items_with_[phrase];
}

std::vector<MatchScore::Match> MatchScore::finish(double rows) {
  std::vector<double> rarity(phrases_.size());
  size_t bare = 0;
  for (size_t i = 0; i < phrases_.size(); ++i) {
    const double with = i < items_with_.size() ? items_with_[i] : 0;
    rarity[i] = std::max(kSmallestIdf, std::log((rows - with + 0.5) / (with + 0.5)));
    bare += phrases_[i].is_wanted && phrases_[i].is_bare;
  }
  std::vector<Match> matches;
  matches.reserve(rows_.size());
  size_t at = 0;
  for (const Row& row : rows_) {
    double sum = 0;
    size_t found_bare = 0;
    for (; at < row.parts_end; ++at) {
      sum += parts_[at].share * rarity[parts_[at].phrase];
      found_bare += phrases_[parts_[at].phrase].is_bare;
    }
    matches.push_back({row.id, sum, found_bare == bare});
  }
  return matches;
}

Result<Database> open_with_match_score(const std::filesystem::path& path, MatchScore* score) {
  // SQLite calls add_function() for every connection that is opened from now on, on any thread.
  static const int installed = sqlite3_auto_extension(reinterpret_cast<void (*)()>(add_function));
  if (installed != SQLITE_OK) return Error{"SQLite is out of memory"};
  opening = score;
  Result<Database> database = Database::open(path);
  opening = nullptr;
  return database;
}

}  // namespace dowser
