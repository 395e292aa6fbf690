#include <fmt/format.h>

#include "base/hash.h"
#include "run/check_parts.h"
#include "store/catalogue.h"

namespace dowser {
namespace {

constexpr auto kRepair = CheckReport::Remedy::kRepair;

// As Catalogue counts them.
constexpr std::string_view kHosts =
    "SELECT host, COUNT(*), SUM(relevant AND near_duplicate_of IS NULL AND NOT soft_404), "
    "SUM(status IS NULL OR status < 200 OR status >= 300), SUM(bytes) FROM pages GROUP BY host";
constexpr std::string_view kHostsKept = "SELECT host, pages, relevant, failed, bytes FROM hosts";

// What is looked for in a row of pages, by its column in kPageColumns.
enum Column {
  kUrl = 1,
  kFinalUrl = 2,
  kFailure = 5,
  kParent = 11,
  kDigest = 23,
  kFile = 24,
  kOffset = 25,
  kRepeated = 28
};

std::string text_in(const Row& row, Column column) {
  const auto* text = std::get_if<std::string>(&row[column]);
  return text ? *text : "";
}
std::optional<int64_t> number_in(const Row& row, Column column) {
  const auto* number = std::get_if<int64_t>(&row[column]);
  return number ? std::optional(*number) : std::nullopt;
}

class CatalogueCheck {
 public:
  CatalogueCheck(Database& database, Problems& problems, CheckReport& report)
      : database_(database), problems_(problems), report_(report) {}

  // An error: it cannot be read.
  Status run(CheckedCatalogue& out) {
    // One state of it, whatever a crawl writes meanwhile.
    if (Status s = database_.execute("BEGIN"); !s) return s;
    if (Status s = check_integrity(); !s) return s;
    if (Status s = check_schema(); !s) return s;
    if (Status s = check_pages(out); !s) return s;
    if (Status s = check_rest(out.visits); !s) return s;
    if (Status s = read_progress(out); !s) return s;
    return check_runs(out);
  }

  uint64_t links() const { return links_; }

 private:
  Result<std::vector<Row>> query(const std::string& sql) {
    Result<Statement> rows = database_.prepare(sql);
    if (!rows) return rows.error();
    std::vector<Row> all;
    while (true) {
      const Result<bool> row = rows->step();
      if (!row) return row.error();
      if (!*row) return all;
      all.push_back(row_of(*rows));
    }
  }

  Result<int64_t> number(const std::string& sql) {
    const auto rows = query(sql);
    if (!rows) return rows.error();
    const int64_t* value =
        rows->empty() || rows->front().empty() ? nullptr : std::get_if<int64_t>(&rows->front()[0]);
    return value ? *value : 0;
  }

  void add(std::string what) { problems_.add(std::move(what), kRepair); }

  Status check_integrity() {
    const auto rows = query("PRAGMA integrity_check(100)");
    if (!rows) return rows.error();
    for (const Row& row : *rows) {
      const auto* text = std::get_if<std::string>(&row[0]);
      if (text && *text != "ok") add(*text);
    }
    const Result<int64_t> version = number("PRAGMA user_version");
    if (!version) return version.error();
    if (*version != kCatalogueVersion) {
      add(fmt::format("its version is {} and should be {}", *version, kCatalogueVersion));
    }
    return {};
  }

  // Tables, indexes and views are there as they were made; others are not ours.
  Status check_schema() {
    const auto ours = catalogue_schema(), found = schema_of(database_);
    if (!ours) return ours.error();
    if (!found) return found.error();
    for (const auto& [name, sql] : *ours) {
      const auto it = found->find(name);
      const bool may_miss = name == "sums" || name == "progress";  // in those of older versions
      if (it == found->end() ? !may_miss : it->second != sql) {
        add(it == found->end() ? fmt::format("{} is missing", name)
                               : fmt::format("{} is not as it was made", name));
      }
    }
    return {};
  }

  Status check_pages(CheckedCatalogue& out) {
    Result<PageReader> reader = PageReader::open(database_);
    if (!reader) return reader.error();
    const Result<int64_t> last = number("SELECT MAX(id) FROM pages");
    const Result<int64_t> rows = number("SELECT COUNT(*) FROM pages");
    if (!last) return last.error();
    if (!rows) return rows.error();
    out.visits = static_cast<uint32_t>(*rows > 0 ? *last + 1 : 0);
    if (*rows > 0 && *rows != *last + 1) {
      add(fmt::format("its pages are not numbered from 0 without a gap: the last of {} is {}",
                      with_commas(static_cast<uint64_t>(*rows)), *last));
      out.visits = static_cast<uint32_t>(std::min(*rows, std::max<int64_t>(*last + 1, 0)));
    }
    bool summed = false;
    uint64_t without_sum = 0;
    for (uint32_t id = 0; id < out.visits; ++id) {
      const auto page = reader->read(id);
      if (!page) return page.error();
      out.pages.emplace_back();
      if (!*page) continue;
      take_page(id, **page, out);
      links_ += (*page)->links.size();
      const auto sum = reader->stored_sum(id);
      if (!sum) return sum.error();
      summed = summed || *sum;
      without_sum += !*sum;
      if (*sum ? **sum != (*page)->sum() : summed) {
        add(fmt::format("page {} or its links have changed since they were written", id));
      }
    }
    if (without_sum > 0) {
      report_.notes.push_back(fmt::format(
          "the cells of {} of the catalogue cannot be verified: they were written before there "
          "were checksums",
          counted(without_sum, "page")));
    }
    return {};
  }

  void take_page(uint32_t id, const PageRows& rows, CheckedCatalogue& out) {
    const Row& row = rows.page;
    CheckedCatalogue::Page& page = out.pages.back();
    page.address = hash64(text_in(row, kUrl));
    page.final_address = hash64(text_in(row, kFinalUrl));
    page.digest = hash64(text_in(row, kDigest));
    page.file = *out.files.insert(text_in(row, kFile)).first;
    page.offset = static_cast<uint64_t>(number_in(row, kOffset).value_or(0));
    for (const Column column : {kParent, kRepeated}) {
      const auto other = number_in(row, column);
      if (other && (*other < 0 || *other >= id)) {
        add(fmt::format("page {} names {} as its {}, which is no earlier page", id, *other,
                        column == kParent ? "parent" : "original"));
      }
    }
    if (page.file.empty() == text_in(row, kFailure).empty()) {
      add(fmt::format("page {} must have either a failure or a place in the archive", id));
    }
  }

  Status check_rest(uint32_t visits) {
    const Result<int64_t> links =
        number(fmt::format("SELECT COUNT(*) FROM links WHERE page < 0 OR page >= {}", visits));
    if (!links) return links.error();
    if (*links > 0) add(fmt::format("{} of no page", counted(*links, "link is", "links are")));
    const Result<int64_t> hosts = number(fmt::format(
        "SELECT (SELECT COUNT(*) FROM ({0} EXCEPT {1})) + (SELECT COUNT(*) FROM ({1} EXCEPT {0}))",
        kHosts, kHostsKept));
    if (!hosts) return hosts.error();
    if (*hosts > 0) add("the table hosts is not what a recount of the pages gives");
    return {};
  }

  Status read_progress(CheckedCatalogue& out) {
    const auto rows = query("SELECT visits_synced, syncs FROM progress");
    if (!rows || rows->empty()) return {};  // as in catalogues of older versions
    const auto* visits = std::get_if<int64_t>(&rows->front()[0]);
    const auto* syncs = std::get_if<int64_t>(&rows->front()[1]);
    if (!visits || !syncs || *visits < 0 || *visits > out.visits || *syncs < 0) {
      add("the table progress names more pages than there are");
    } else {
      out.synced = {static_cast<uint32_t>(*visits), static_cast<uint64_t>(*syncs)};
    }
    return {};
  }

  Status check_runs(CheckedCatalogue& out) {
    const auto runs = query(fmt::format("SELECT {} FROM runs ORDER BY id", kRunColumns));
    if (!runs) return runs.error();
    const auto sums = query("SELECT page, sum FROM sums WHERE page < 0");
    std::map<int64_t, int64_t> stored;
    if (sums) {
      for (const Row& row : *sums) stored[-std::get<int64_t>(row[0])] = std::get<int64_t>(row[1]);
    }
    if (runs->empty()) add("it has no run");
    for (const Row& run : *runs) {
      const auto sum = stored.find(std::get<int64_t>(run[0]));
      const bool is_newest = &run == &runs->back();
      const bool good = sum != stored.end() &&
                        static_cast<uint64_t>(sum->second) == sum_of(run, SummedTable::kRuns);
      if (sum != stored.end() && !good) {
        add(fmt::format("run {} has changed since it was written", std::get<int64_t>(run[0])));
      }
      stored.erase(std::get<int64_t>(run[0]));
      if (!is_newest) continue;
      out.finished = std::holds_alternative<std::string>(run[2]);
      const auto* text = std::get_if<std::string>(&run[3]);
      if (text && (good || sum == stored.end())) out.configuration = *text;
    }
    if (!stored.empty()) add("a run is missing");
    return {};
  }

  Database& database_;
  Problems& problems_;
  CheckReport& report_;
  uint64_t links_ = 0;
};

}  // namespace

CheckedCatalogue check_catalogue(const std::filesystem::path& folder, CheckReport& report) {
  Problems problems(report, "catalogue");
  CheckedCatalogue catalogue;
  const std::filesystem::path path = folder / "catalogue.sqlite";
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    problems.add("it is missing", kRepair);
    problems.close("missing");
    report.catalogue_is_bad = true;
    return catalogue;
  }
  Result<Database> database = Database::open(path);
  if (!database) {
    problems.add(database.error().message, kRepair);
    problems.close("damaged");
    report.catalogue_is_bad = true;
    return catalogue;
  }
  CatalogueCheck check(*database, problems, report);
  const Status done = check.run(catalogue);
  if (!done) {
    problems.add(done.error().message, kRepair);
  } else {
    catalogue.readable = true;
  }
  report.catalogue_is_bad = !problems.empty();
  problems.close(
      fmt::format("{}, {}", counted(catalogue.visits, "page"), counted(check.links(), "link")));
  return catalogue;
}

}  // namespace dowser
