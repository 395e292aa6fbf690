#include "mine/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "mine/log_order.h"
#include "mine/place_names.h"
#include "mine/referrer.h"
#include "mine/site_links.h"
#include "mine/usage_database.h"
#include "store/catalogue_reader.h"
#include "text/printable.h"

namespace dowser {
namespace {

constexpr size_t kMostWaiting = 256 << 20;  // bytes of lines that wait for their turn
constexpr size_t kGuessedFrom = 5000;       // lines, the site where nobody names it
constexpr int64_t kSweepSeconds = 600;      // of the log's time, between two sweeps
constexpr size_t kSweepRequests = 200'000;  // or this many requests

// The names of the site, without "www.", and its address.
struct Site {
  std::vector<std::string> names;
  std::string address;
  bool guessed = false;
};

// "https://example.org/" becomes the scheme and the host.
std::string address_of(std::string_view site) {
  const bool has_scheme = site.starts_with("http://") || site.starts_with("https://");
  std::string address = fmt::format("{}{}", has_scheme ? "" : "http://", site);
  const size_t path = address.find('/', address.find("//") + 2);
  if (path != address.npos) address.resize(path);
  return address;
}

Site given_site(const std::vector<std::string>& sites) {
  Site site;
  for (const std::string& one : sites) {
    const std::string address = address_of(one);
    if (site.address.empty()) site.address = address;
    site.names.push_back(read_referrer(address + "/").site);
  }
  return site;
}

// Own pages refer to each other and are asked for: of the referrers whose path was asked for in the
// same log, the host that comes most often.
Site guessed_site(const OrderedLines& beginning) {
  std::set<std::string, std::less<>> asked;
  std::vector<std::string_view> referrers;
  for (const auto& line : beginning) {
    const LogEntry& entry = line->entry;
    asked.emplace(entry.target.substr(0, entry.target.find('?')));
    if (!entry.referrer.empty()) referrers.push_back(entry.referrer);
  }
  std::map<std::string, size_t> counts;
  std::map<std::string, std::map<std::string, size_t>> addresses;
  for (const std::string_view text : referrers) {
    const Referrer referrer = read_referrer(text);
    if (!referrer.is_address || !referrer.engine.empty()) continue;
    if (!asked.contains(referrer.target.substr(0, referrer.target.find('?')))) continue;
    // "/" is asked for at every site.
    counts[referrer.site] += referrer.target == "/" ? 1 : 10;
    ++addresses[referrer.site][address_of(text)];
  }
  Site site;
  size_t most = 0;
  for (const auto& [name, count] : counts) {
    if (count <= most) continue;
    most = count;
    site.names = {name};
    const auto& forms = addresses[name];
    site.address = std::max_element(forms.begin(), forms.end(), [](const auto& a, const auto& b) {
                     return a.second < b.second;
                   })->first;
  }
  site.guessed = most > 0;
  return site;
}

class UsageMiner {
 public:
  UsageMiner(const UsageOptions& options, const UsageOutput& output, const Watch& watch)
      : options_(options), output_(output), watch_(watch) {}

  Result<std::optional<UsageRun>> run() {
    // A wrong file should be told before an hour of work.
    for (const std::string& path : options_.places) {
      if (Result<PlaceFile> file = PlaceFile::open(path); !file) return file.error();
    }
    Result<LogMerge> logs = LogMerge::open(options_);
    if (!logs) return logs.error();
    const Result<bool> begun = read_beginning(*logs);
    if (!begun) return begun.error();
    if (!*begun) return std::optional<UsageRun>();
    if (Status s = find_site(); !s) return s.error();
    HitCounter hits(options_, site_.names);
    if (Status s = read_links(hits); !s) return s.error();
    std::optional<UsageDatabase> database;
    if (!output_.database.empty()) {
      Result<UsageDatabase> created = UsageDatabase::create(output_.database);
      if (!created) return created.error();
      database.emplace(std::move(*created));
    }
    SessionCounter sessions(
        options_, hits, logs->has_referrers(), link_test(hits, false), !links_.empty(),
        [&](const UsageSession& session) { return keep(session, hits, database); });
    SessionBuilder builder(options_.rules,
                           {!links_.empty(), link_test(hits, false), link_test(hits, true)},
                           [&](UsageSession&& session) { sessions.add(std::move(session)); });
    const Result<bool> read = read_all(*logs, hits, builder, sessions);
    if (!read) return read.error();
    if (!*read) return std::optional<UsageRun>();
    if (hits.all.hits == 0) return no_line(*logs);

    UsageRun run;
    run.result = summarise_usage(options_, *logs, hits, sessions, site_.address, output_.rows);
    run.result.site_guessed = site_.guessed;
    run.result.first = first_;
    run.result.last = last_;
    run.result.split_users = builder.split_users();
    run.result.web_pages = links_.pages();
    run.result.web_links = links_.links();
    if (!options_.crawl.empty()) {
      if (Status s = join(run.result, hits, sessions); !s) return s.error();
    }
    const auto stop = [&] { return !watch_({"finding patterns"}); };
    run.result.patterns =
        find_usage_patterns(sessions.sample.paths(), hits.pages().size(), options_.patterns, stop);
    if (stop()) return std::optional<UsageRun>();
    name_pages(run.result, hits.pages());
    if (database) {
      if (Status s = database->add(run.result, hits, sessions); !s) return s.error();
      if (stop()) return std::optional<UsageRun>();
      if (Status s = database->finish(); !s) return s.error();
    }
    warn(run);
    return std::optional<UsageRun>(std::move(run));
  }

 private:
  static Error no_line(const LogMerge& logs) {
    for (const LogTally& log : logs.tallies()) {
      if (log.broken == 0) continue;
      return {fmt::format("{} has no line in the format '{}' (the first is '{}'); give --format",
                          log.path, log.format, log.first_broken)};
    }
    return {fmt::format("{} has no lines", logs.tallies().front().path)};
  }

  Status find_site() {
    if (!options_.sites.empty()) {
      site_ = given_site(options_.sites);
      return {};
    }
    if (!options_.web.empty()) {
      const Result<std::string> host = most_common_host(options_.web.front());
      if (!host) return host.error();
      if (!host->empty()) site_ = {{*host}, "http://" + *host, true};
      return {};
    }
    site_ = guessed_site(beginning_);
    return {};
  }

  Status read_links(const HitCounter& hits) {
    if (options_.web.empty()) return {};
    watch_({"reading the links of the site"});
    Result<SiteLinks> links = SiteLinks::read(
        options_.web, hits.pages(), [&](std::string_view host) { return hits.site_of(host); });
    if (!links) return links.error();
    links_ = std::move(*links);
    return {};
  }

  LinkTest link_test(const HitCounter& hits, bool frames) const {
    return [this, &hits, frames](uint32_t from, uint32_t to) {
      if (links_.empty() || from == kNoPage || to == kNoPage) return false;
      const std::string_view a = hits.pages().key(from), b = hits.pages().key(to);
      return frames ? links_.has_frame(a, b) : links_.has_link(a, b);
    };
  }

  Status keep(const UsageSession& session, const HitCounter& hits,
              std::optional<UsageDatabase>& database) {
    if (database) {
      const bool told = session.referrer != StringTable::kNone;
      const std::string referrer =
          told ? printable(hits.referrers.text(session.referrer)) : std::string();
      if (Status s = database->add(session, source_of(session, hits), referrer); !s) return s;
    }
    return output_.session ? output_.session(session, hits, site_.address) : Status{};
  }

  // Reads a little, and hands over the lines that are complete. `is_last`: all is read.
  OrderedLines next_lines(LogMerge& logs, bool& is_last) {
    is_last = !logs.read_some([&](std::string_view line, const LogEntry& entry) {
      first_ = first_ == 0 ? entry.time : std::min(first_, entry.time);
      last_ = std::max(last_, entry.time);
      order_.add(line, entry);
    });
    if (is_last) return order_.take_all();
    OrderedLines lines = order_.take_before(logs.complete_until());
    while (order_.bytes() > kMostWaiting) {
      OrderedLines early = order_.take_before(order_.first() + 1);
      std::move(early.begin(), early.end(), std::back_inserter(lines));
    }
    return lines;
  }

  bool go_on(const LogMerge& logs) const {
    return watch_({"MB of logs", logs.bytes_read() >> 20, logs.bytes_total() >> 20});
  }

  // The first lines in the order of time, for guesses. False: stopped.
  Result<bool> read_beginning(LogMerge& logs) {
    for (size_t turn = 0; !is_read_ && beginning_.size() < kGuessedFrom; ++turn) {
      OrderedLines lines = next_lines(logs, is_read_);
      std::move(lines.begin(), lines.end(), std::back_inserter(beginning_));
      if (turn % 16 == 0 && !go_on(logs)) return false;
    }
    return true;
  }

  // True: all was read. False: stopped.
  Result<bool> read_all(LogMerge& logs, HitCounter& hits, SessionBuilder& builder,
                        const SessionCounter& sessions) {
    int64_t swept = INT64_MIN;
    size_t since_sweep = 0;
    const auto use = [&](OrderedLines&& lines) {
      for (const auto& line : lines) {
        const std::optional<PageRequest> request = hits.count(line->entry);
        if (!request) continue;
        builder.add(*request);
        if (swept == INT64_MIN) swept = request->time;
        if (request->time - swept < kSweepSeconds && ++since_sweep < kSweepRequests) continue;
        builder.sweep(request->time);
        swept = request->time;
        since_sweep = 0;
      }
      order_.reuse(std::move(lines));
    };
    use(std::move(beginning_));
    for (size_t turn = 0; !is_read_; ++turn) {
      use(next_lines(logs, is_read_));
      if (!sessions.status()) return sessions.status().error();
      if (turn % 16 == 0 && !go_on(logs)) return false;
    }
    builder.finish();
    if (!sessions.status()) return sessions.status().error();
    return watch_({"MB of logs", logs.bytes_total() >> 20, logs.bytes_total() >> 20});
  }

  // Pages of the log and of a crawl, by what makes two addresses the same page.
  Status join(UsageResult& result, const HitCounter& hits, const SessionCounter& sessions) {
    Result<CatalogueReader> catalogue = CatalogueReader::open(options_.crawl);
    if (!catalogue) return catalogue.error();
    CatalogueJoin join;
    result.catalogue.resize(hits.pages().size());
    const auto seen = [&](uint32_t page) {
      return page < sessions.pages.size() &&
             sessions.pages[page].views + sessions.pages[page].inferred > 0;
    };
    Status read = catalogue->for_each_answer([&](const CataloguePage& row) {
      const Referrer address = read_referrer(row.final_url);
      const auto site = hits.site_of(address.site);
      if (!site) return;
      ++join.pages;
      const uint32_t page = hits.pages().find(*site, address.target);
      if (page == kNoPage || result.catalogue[page]) return;
      join.seen += seen(page);
      result.catalogue[page] = {printable(row.title), row.language, row.label, row.relevance,
                                row.relevant};
    });
    if (!read) return read;
    for (uint32_t page = 0; page < sessions.pages.size(); ++page) {
      if (!seen(page)) continue;
      const auto& entry = result.catalogue[page];
      join.missing += !entry;
      (entry && entry->relevant ? join.relevant_views : join.other_views) +=
          entry ? sessions.pages[page].views : 0;
    }
    result.join = join;
    for (auto* list :
         {&result.pages, &result.entry_pages, &result.exit_pages, &result.single_pages}) {
      for (UsagePage& page : *list) page.catalogue = result.catalogue[page.page];
    }
    return {};
  }

  static void name_pages(UsageResult& result, const SitePages& pages) {
    const auto name = [&](const std::vector<uint32_t>& all) {
      for (const uint32_t page : all) result.page_names.try_emplace(page, pages.name(page));
    };
    const UsagePatterns& patterns = result.patterns;
    for (const FrequentSet& set : patterns.sets) name(set.items);
    for (const SequentialPattern& sequence : patterns.sequences) name(sequence.items);
    for (const SequentialPattern& path : patterns.paths) name(path.items);
    for (const auto* clusters : {&patterns.session_clusters, &patterns.page_clusters}) {
      for (const UsageCluster& cluster : *clusters) name(cluster.pages);
    }
    // The pages of a rule are those of a set.
  }

  void warn(UsageRun& run) const {
    const UsageResult& r = run.result;
    for (const LogTally& log : r.logs) {
      if (!log.problem.empty()) run.warnings.push_back(log.problem);
      if (log.broken > 0) {
        run.warnings.push_back(
            fmt::format("{}: {} of {} lines could not be read; the first begins '{}'", log.path,
                        log.broken, log.lines, log.first_broken));
      }
      if (log.late > 0) {
        run.warnings.push_back(fmt::format(
            "{}: {} lines are out of order by more than {} s; --window TIME sets another limit",
            log.path, log.late, options_.window));
      }
    }
    if (r.tables_full) {
      run.warnings.push_back(
          "the log has more different addresses, agents or visitors than the memory limit allows; "
          "the rarest are counted together, and a visitor who comes back after a long time may be "
          "counted twice; all other totals are right");
    }
    if (r.site.empty()) {
      run.warnings.push_back(
          "the log does not show which site it belongs to: name it with --site HOST, so that "
          "referrers within the site are recognised");
    }
    if (!r.patterns.complete) {
      run.warnings.push_back("there are more patterns than are shown: raise --support");
    }
  }

  const UsageOptions& options_;
  const UsageOutput& output_;
  const Watch& watch_;
  Site site_;
  SiteLinks links_;
  LogOrder order_;
  OrderedLines beginning_;
  bool is_read_ = false;  // all logs, to their ends
  int64_t first_ = 0, last_ = 0;
};

}  // namespace

Result<std::optional<UsageRun>> mine_usage(const UsageOptions& options, const UsageOutput& output,
                                           const Watch& watch) {
  return UsageMiner(options, output, watch).run();
}

}  // namespace dowser
