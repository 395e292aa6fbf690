#include <fmt/format.h>

#include "base/hash.h"
#include "run/check_parts.h"
#include "store/catalogue_audit.h"

namespace dowser {
namespace {

constexpr auto kRepair = CheckReport::Remedy::kRepair;

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
  CatalogueCheck(CatalogueAudit& audit, Problems& problems, CheckReport& report)
      : audit_(audit), problems_(problems), report_(report) {}

  // An error: it cannot be read.
  Status run(CheckedCatalogue& out) {
    if (Status s = add_all(audit_.structure_problems()); !s) return s;
    if (Status s = add_all(audit_.schema_problems()); !s) return s;
    if (Status s = check_pages(out); !s) return s;
    if (Status s = check_rest(out.visits); !s) return s;
    read_progress(out);
    return check_runs(out);
  }

  uint64_t links() const { return links_; }

 private:
  void add(std::string what) { problems_.add(std::move(what), kRepair); }

  Status add_all(const Result<std::vector<std::string>>& problems) {
    if (!problems) return problems.error();
    for (const std::string& problem : *problems) add(problem);
    return {};
  }

  Status check_pages(CheckedCatalogue& out) {
    Result<PageReader> reader = audit_.page_reader();
    if (!reader) return reader.error();
    const auto numbering = audit_.numbering();
    if (!numbering) return numbering.error();
    const auto [rows, last] = *numbering;
    out.visits = static_cast<uint32_t>(rows > 0 ? last + 1 : 0);
    if (rows > 0 && rows != last + 1) {
      add(fmt::format("its pages are not numbered from 0 without a gap: the last of {} is {}",
                      with_commas(static_cast<uint64_t>(rows)), last));
      out.visits = static_cast<uint32_t>(std::min(rows, std::max<int64_t>(last + 1, 0)));
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
      report_.notes.push_back(
          fmt::format("{} of the catalogue cannot be verified: they were written by a version "
                      "without checksums",
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
        add(fmt::format("page {} names {} as its {}, which is not an earlier page", id, *other,
                        column == kParent ? "parent" : "original"));
      }
    }
    if (page.file.empty() == text_in(row, kFailure).empty()) {
      add(fmt::format("page {} must have either a failure or a place in the archive", id));
    }
  }

  Status check_rest(uint32_t visits) {
    const Result<int64_t> links = audit_.links_of_no_page(visits);
    if (!links) return links.error();
    if (*links > 0)
      add(fmt::format("{} to no page", counted(*links, "link belongs", "links belong")));
    const Result<int64_t> hosts = audit_.wrong_hosts();
    if (!hosts) return hosts.error();
    if (*hosts > 0) add("the table hosts is not what a recount of the pages gives");
    return {};
  }

  void read_progress(CheckedCatalogue& out) {
    const auto progress = audit_.progress();
    if (!progress) return;
    const auto& [visits, syncs] = *progress;
    if (!visits || !syncs || *visits < 0 || *visits > out.visits || *syncs < 0) {
      add("the table progress names more pages than there are");
    } else {
      out.synced = {static_cast<uint32_t>(*visits), static_cast<uint64_t>(*syncs)};
    }
  }

  Status check_runs(CheckedCatalogue& out) {
    const auto runs = audit_.runs();
    if (!runs) return runs.error();
    std::map<int64_t, int64_t> stored = audit_.run_sums();
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

  CatalogueAudit& audit_;
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
  Result<CatalogueAudit> audit = CatalogueAudit::open(path);
  if (!audit) {
    problems.add(audit.error().message, kRepair);
    problems.close("damaged");
    report.catalogue_is_bad = true;
    return catalogue;
  }
  CatalogueCheck check(*audit, problems, report);
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
