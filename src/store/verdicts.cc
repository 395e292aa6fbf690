#include "store/verdicts.h"

#include <fmt/format.h>

#include "store/catalogue.h"
#include "store/catalogue_schema.h"
#include "store/row_sum.h"

namespace dowser {
namespace {

// Places in kPageColumns, from 0.
constexpr size_t kRelevance = 16, kRelevant = 17, kLabel = 18, kReasons = 19, kAtFetch = 30,
                 kRelevantAtFetch = 31;

Cell text_cell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

class VerdictWriter {
 public:
  static Result<VerdictWriter> open(const std::filesystem::path& catalogue) {
    Result<Database> database = Database::open_for_writing(catalogue);
    if (!database) return database.error();
    if (Status s = upgrade_tables(*database); !s) return s.error();
    return VerdictWriter(std::move(*database));
  }

  Status write(const std::function<std::optional<FinalVerdict>(uint32_t)>& verdict_of,
               const std::optional<JudgedBy>& by, std::span<const StoredSense> senses,
               const std::string& configuration) {
    if (Status s = database_.execute("BEGIN IMMEDIATE"); !s) return s;
    Status done = write_pages(verdict_of);
    if (done.ok()) done = write_judged(by);
    if (done.ok()) done = write_senses(database_, senses);
    if (done.ok() && !configuration.empty()) done = write_configuration(configuration);
    if (done.ok()) done = database_.execute(std::string(recount_hosts_sql()).c_str());
    if (done.ok()) done = database_.execute("COMMIT");
    if (!done.ok()) (void)database_.execute("ROLLBACK");
    return done;
  }

 private:
  explicit VerdictWriter(Database database) : database_(std::move(database)) {}

  Status write_pages(const std::function<std::optional<FinalVerdict>(uint32_t)>& verdict_of) {
    Result<Statement> select =
        database_.prepare(fmt::format("SELECT {} FROM pages WHERE id = ?1", kPageColumns));
    if (!select) return select.error();
    Result<Statement> update = database_.prepare(
        "UPDATE pages SET relevance = ?2, relevant = ?3, label = ?4, reasons = ?5, "
        "relevance_at_fetch = ?6, relevant_at_fetch = ?7 WHERE id = ?1");
    if (!update) return update.error();
    // SQLite's own sum would become a real number where it overflows.
    Result<Statement> old_sum = database_.prepare("SELECT sum FROM sums WHERE page = ?1");
    if (!old_sum) return old_sum.error();
    Result<Statement> sum = database_.prepare("UPDATE sums SET sum = ?2 WHERE page = ?1");
    if (!sum) return sum.error();
    Result<std::vector<int64_t>> ids = all_ids();
    if (!ids) return ids.error();
    for (const int64_t id : *ids) {
      const Result<bool> there = select->bind(1, id).step();
      if (!there) return there.error();
      const Row before = row_of(*select);
      select->reset();
      const Row after = judged(before, verdict_of(static_cast<uint32_t>(id)));
      if (after == before) continue;
      update->bind(1, id);
      int index = 2;
      for (const size_t column :
           {kRelevance, kRelevant, kLabel, kReasons, kAtFetch, kRelevantAtFetch}) {
        bind(*update, index++, after[column]);
      }
      if (Status s = update->run(); !s) return s;
      const Result<bool> has_sum = old_sum->bind(1, id).step();
      if (!has_sum) return has_sum.error();
      const auto before_sum = static_cast<uint64_t>(*has_sum ? old_sum->integer(0) : 0);
      old_sum->reset();
      const uint64_t after_sum =
          before_sum + sum_of(after, SummedTable::kPages) - sum_of(before, SummedTable::kPages);
      if (Status s = sum->bind(1, id).bind(2, static_cast<int64_t>(after_sum)).run(); !s) return s;
    }
    return {};
  }

  static Row judged(const Row& before, const std::optional<FinalVerdict>& verdict) {
    Row after = before;
    for (const auto& [now, first] :
         {std::pair(kRelevance, kAtFetch), std::pair(kRelevant, kRelevantAtFetch)}) {
      if (std::holds_alternative<std::monostate>(after[first])) after[first] = before[now];
      after[now] = after[first];
    }
    if (!verdict) return after;
    after[kRelevance] = verdict->relevance;
    after[kRelevant] = int64_t{verdict->relevant};
    after[kLabel] = text_cell(verdict->label);
    after[kReasons] = text_cell(verdict->reasons);
    return after;
  }

  static void bind(Statement& statement, int index, const Cell& cell) {
    statement.bind_null(index);
    if (const auto* integer = std::get_if<int64_t>(&cell)) statement.bind(index, *integer);
    if (const auto* real = std::get_if<double>(&cell)) statement.bind(index, *real);
    if (const auto* text = std::get_if<std::string>(&cell)) statement.bind(index, *text);
  }

  Result<std::vector<int64_t>> all_ids() {
    Result<Statement> rows = database_.prepare("SELECT id FROM pages ORDER BY id");
    if (!rows) return rows.error();
    std::vector<int64_t> ids;
    while (true) {
      const Result<bool> row = rows->step();
      if (!row) return row.error();
      if (!*row) return ids;
      ids.push_back(rows->integer(0));
    }
  }

  Status write_judged(const std::optional<JudgedBy>& by) {
    if (Status s = database_.execute("DELETE FROM judged"); !s) return s;
    if (!by) return {};
    Result<Statement> insert = database_.prepare(
        "INSERT INTO judged (id, judge, threshold, pages) VALUES (0, ?1, ?2, ?3)");
    if (!insert) return insert.error();
    insert->bind(1, by->judge).bind(2, by->threshold).bind(3, int64_t{by->pages});
    return insert->run();
  }

  Status write_configuration(const std::string& configuration) {
    Result<Statement> update = database_.prepare(
        "UPDATE runs SET configuration = ?1 WHERE id = (SELECT MAX(id) FROM runs)");
    if (!update) return update.error();
    if (Status s = update->bind(1, configuration).run(); !s) return s;
    Result<Statement> run =
        database_.prepare(fmt::format("SELECT {} FROM runs ORDER BY id DESC LIMIT 1", kRunColumns));
    if (!run) return run.error();
    const Result<bool> there = run->step();
    if (!there) return there.error();
    if (!*there) return {};
    const int64_t id = run->integer(0);
    const uint64_t sum = sum_of(row_of(*run), SummedTable::kRuns);
    Result<Statement> insert =
        database_.prepare("INSERT OR REPLACE INTO sums (page, sum) VALUES (?1, ?2)");
    if (!insert) return insert.error();
    return insert->bind(1, -id).bind(2, static_cast<int64_t>(sum)).run();
  }

  Database database_;
};

}  // namespace

Status write_verdicts(const std::filesystem::path& catalogue,
                      const std::function<std::optional<FinalVerdict>(uint32_t)>& verdict_of,
                      const std::optional<JudgedBy>& by, std::span<const StoredSense> senses,
                      const std::string& configuration) {
  Result<VerdictWriter> writer = VerdictWriter::open(catalogue);
  if (!writer) return writer.error();
  return writer->write(verdict_of, by, senses, configuration);
}

Result<std::optional<JudgedBy>> judged_by(const std::filesystem::path& catalogue) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return database.error();
  Result<Statement> row = database->prepare("SELECT judge, threshold, pages FROM judged");
  if (!row) return std::optional<JudgedBy>();  // there was no such table in older versions
  const Result<bool> there = row->step();
  if (!there) return there.error();
  if (!*there) return std::optional<JudgedBy>();
  return std::optional(
      JudgedBy{row->text(0), row->real(1), static_cast<uint32_t>(row->integer(2))});
}

}  // namespace dowser
