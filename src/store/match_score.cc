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

int set_idf(const Fts5ExtensionApi* api, Fts5Context* fts, MatchScore& score) {
  sqlite3_int64 rows = 0;
  if (const int code = api->xRowCount(fts, &rows); code != SQLITE_OK) return code;
  for (size_t i = 0; i < score.phrases.size(); ++i) {
    if (!score.phrases[i].is_wanted) continue;
    int64_t found = 0;
    const int code = api->xQueryPhrase(fts, static_cast<int>(i), &found, count_row);
    if (code != SQLITE_OK) return code;
    const double all = static_cast<double>(rows), with = static_cast<double>(found);
    score.phrases[i].idf = std::max(kSmallestIdf, std::log((all - with + 0.5) / (with + 0.5)));
  }
  score.has_idf = true;
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
  if (!score.has_idf) {
    if (const int code = set_idf(api, fts, score); code != SQLITE_OK) {
      return sqlite3_result_error_code(result, code);
    }
  }
  const auto id = static_cast<size_t>(api->xRowid(fts));
  const double length = id < score.lengths.size() && score.lengths[id] != kNoItem
                            ? static_cast<double>(score.lengths[id])
                            : score.average_length;
  const double norm =
      kSaturation * (1 - kLengthWeight + kLengthWeight * length / score.average_length);
  const auto phrases = std::min(score.phrases.size(), static_cast<size_t>(api->xPhraseCount(fts)));
  double sum = 0;
  bool has_all = true;
  for (size_t i = 0; i < phrases; ++i) {
    const MatchScore::Phrase& phrase = score.phrases[i];
    if (!phrase.is_wanted) continue;
    double count;
    if (const int code = frequency(api, fts, static_cast<int>(i), count); code != SQLITE_OK) {
      return sqlite3_result_error_code(result, code);
    }
    if (count == 0) {
      has_all = has_all && !phrase.is_bare;
    } else {
      sum += phrase.weight * phrase.idf * count * (kSaturation + 1) / (count + norm);
    }
  }
  sqlite3_result_double(result, has_all ? sum : -1 - sum);
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

Result<Database> open_with_match_score(const std::filesystem::path& path, MatchScore* score) {
  // SQLite calls add_function() for every connection that is opened from now on, on any thread.
  static const int installed =
      sqlite3_auto_extension(reinterpret_cast<void (*)()>(add_function));
  if (installed != SQLITE_OK) return Error{"SQLite is out of memory"};
  opening = score;
  Result<Database> database = Database::open(path);
  opening = nullptr;
  return database;
}

}  // namespace dowser
