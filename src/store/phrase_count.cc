#include "store/phrase_count.h"

#include <sqlite3.h>

#include "store/word_counts.h"

namespace dowser {
namespace {

void phrase_count(const Fts5ExtensionApi* api, Fts5Context* fts, sqlite3_context* result, int,
                  sqlite3_value**) {
  float sum = 0;
  for (int phrase = 0; phrase < api->xPhraseCount(fts); ++phrase) {
    Fts5PhraseIter iterator;
    int column = -1, place = 0;
    const int code = api->xPhraseFirst(fts, phrase, &iterator, &column, &place);
    if (code != SQLITE_OK) return sqlite3_result_error_code(result, code);
    while (column >= 0) {
      const auto c = static_cast<size_t>(column);
      sum += c < kColumnWeights.size() ? kColumnWeights[c] : 1;
      api->xPhraseNext(fts, &iterator, &column, &place);
    }
  }
  sqlite3_result_double(result, sum);
}

// Whether the connection that this thread is opening shall have the function.
thread_local bool is_wanted = false;

int add_function(sqlite3* db, char**, const sqlite3_api_routines*) {
  if (!is_wanted) return SQLITE_OK;
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  if (!api) return SQLITE_ERROR;
  return api->xCreateFunction(api, "phrase_count", nullptr, phrase_count, nullptr);
}

}  // namespace

Result<Database> open_with_phrase_count(const std::filesystem::path& path) {
  // SQLite calls add_function() for every connection that is opened from now on, on any thread.
  static const int installed = sqlite3_auto_extension(reinterpret_cast<void (*)()>(add_function));
  if (installed != SQLITE_OK) return Error{"SQLite is out of memory"};
  is_wanted = true;
  Result<Database> database = Database::open(path);
  is_wanted = false;
  return database;
}

}  // namespace dowser
