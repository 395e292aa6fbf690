#include "mine/usage_database.h"

#include <algorithm>
#include <filesystem>

#include "base/clock.h"
#include "text/printable.h"

namespace dowser {
namespace {

std::string iso(int64_t seconds) { return to_iso8601(Time{seconds * 1'000'000}); }

// A number of SQLite is signed.
int64_t number(uint64_t value) { return static_cast<int64_t>(value); }

void bind_or_null(Statement& s, int index, std::string_view text) {
  text.empty() ? s.bind_null(index) : s.bind(index, text);
}

}  // namespace

UsageDatabase::UsageDatabase(TableFile file, std::vector<Statement> statements)
    : file_(std::move(file)),
      insert_session_(std::move(statements[0])),
      insert_view_(std::move(statements[1])),
      insert_event_(std::move(statements[2])) {}

Result<UsageDatabase> UsageDatabase::create(const std::filesystem::path& path) {
  Result<TableFile> file = TableFile::create(path, kUsageSchema);
  if (!file) return file.error();
  std::vector<Statement> statements;
  for (const auto& [table, columns] : {std::pair("sessions", 8), {"views", 4}, {"events", 3}}) {
    Result<Statement> statement = file->insert_into(table, columns);
    if (!statement) return statement.error();
    statements.push_back(std::move(*statement));
  }
  return UsageDatabase(std::move(*file), std::move(statements));
}

Status UsageDatabase::add(const UsageSession& session, std::string_view source,
                          std::string_view referrer) {
  const int64_t id = sessions_++;
  int64_t requests = 0, last = session.start();
  for (size_t i = 0; i < session.views.size(); ++i) {
    const SessionView& view = session.views[i];
    const auto position = static_cast<int64_t>(i);
    insert_view_.bind(1, id).bind(2, position).bind(3, int64_t{view.page});
    if (view.inferred) {
      insert_view_.bind_null(4);
    } else {
      insert_view_.bind(4, iso(view.time));
      last = view.time;
      ++requests;
    }
    if (Status s = insert_view_.run(); !s) return file_.about_this_file(s.error());
    for (uint32_t events = view.events, e = 0; events != 0; events >>= 1, ++e) {
      if ((events & 1) == 0) continue;
      insert_event_.bind(1, id).bind(2, position).bind(3, int64_t{e});
      if (Status s = insert_event_.run(); !s) return file_.about_this_file(s.error());
    }
  }
  insert_session_.bind(1, id).bind(2, number(session.user)).bind(3, iso(session.start()));
  insert_session_.bind(4, last - session.start()).bind(5, requests);
  insert_session_.bind(6, static_cast<int64_t>(session.views.size())).bind(7, source);
  bind_or_null(insert_session_, 8, referrer);
  Status s = insert_session_.run();
  return s ? s : file_.about_this_file(s.error());
}

Status UsageDatabase::add_pages(const UsageResult& result, const HitCounter& hits,
                                const SessionCounter& sessions) {
  Result<Statement> insert = file_.insert_into("pages", 18);
  if (!insert) return insert.error();
  std::vector<Tally> tallies(hits.pages().size());
  for (uint32_t t = 0; t < hits.target_tallies.size(); ++t) {
    const uint32_t page = hits.target(t).page;
    if (page == kNoPage) continue;
    tallies[page].hits += hits.target_tallies[t].hits;
    tallies[page].bytes += hits.target_tallies[t].bytes;
  }
  for (uint32_t p = 0; p < tallies.size(); ++p) {
    const PageTally tally = p < sessions.pages.size() ? sessions.pages[p] : PageTally{};
    insert->bind(1, int64_t{p}).bind(2, hits.pages().name(p));
    bind_or_null(*insert, 3, page_address(result.site, hits.pages(), p));
    insert->bind(4, printable(hits.pages().target(p)));
    int column = 5;
    for (const uint64_t value :
         {tallies[p].hits, tallies[p].bytes, tally.views, tally.inferred, tally.entries,
          tally.exits, tally.single, tally.seconds, tally.timed}) {
      insert->bind(column++, number(value));
    }
    if (p < result.catalogue.size() && result.catalogue[p]) {
      const CatalogueEntry& entry = *result.catalogue[p];
      bind_or_null(*insert, 14, entry.title);
      bind_or_null(*insert, 15, entry.language);
      bind_or_null(*insert, 16, entry.label);
      insert->bind(17, entry.relevance).bind(18, int64_t{entry.relevant});
    } else {
      for (column = 14; column <= 18; ++column) insert->bind_null(column);
    }
    if (Status s = insert->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_users(const UsageResult&, const HitCounter& hits) {
  Result<Statement> insert = file_.insert_into("users", 10);
  if (!insert) return insert.error();
  // In the order of their numbers, so that a run repeats.
  std::vector<uint64_t> ids;
  for (const auto& [id, user] : hits.users) {
    if (user.sessions > 0) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end(), [](uint64_t a, uint64_t b) { return number(a) < number(b); });
  for (const uint64_t id : ids) {
    const UserTally& user = hits.users.at(id);
    insert->bind(1, number(id));
    bind_or_null(*insert, 2,
                 user.host == StringTable::kNone ? "" : printable(hits.hosts.text(user.host)));
    const bool known = user.agent != StringTable::kNone;
    bind_or_null(*insert, 3, known ? printable(hits.agents.text(user.agent)) : "");
    bind_or_null(*insert, 4, known ? hits.agent(user.agent).browser : "");
    bind_or_null(*insert, 5, known ? hits.agent(user.agent).system : "");
    insert->bind(6, iso(user.first)).bind(7, iso(user.last)).bind(8, int64_t{user.sessions});
    insert->bind(9, int64_t{user.views}).bind(10, int64_t{user.identified});
    if (Status s = insert->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_counts(const UsageResult& result) {
  Result<Statement> insert = file_.insert_into("counts", 4);
  if (!insert) return insert.error();
  for (const UsageTable& table : result.tables) {
    for (const UsageCount& row : table.rows) {
      insert->bind(1, table.key).bind(2, row.name).bind(3, number(row.count));
      insert->bind(4, number(row.bytes));
      if (Status s = insert->run(); !s) return s;
    }
  }
  Result<Statement> day = file_.insert_into("days", 5);
  if (!day) return day.error();
  for (const UsageDay& one : result.days) {
    day->bind(1, one.day).bind(2, number(one.tally.hits)).bind(3, number(one.tally.bytes));
    day->bind(4, number(one.tally.views)).bind(5, number(one.tally.sessions));
    if (Status s = day->run(); !s) return s;
  }
  Result<Statement> log = file_.insert_into("logs", 8);
  if (!log) return log.error();
  for (const LogTally& one : result.logs) {
    log->bind(1, one.path).bind(2, one.format);
    int column = 3;
    for (const uint64_t value : {one.lines, one.cut, one.broken, one.too_long, one.late}) {
      log->bind(column++, number(value));
    }
    bind_or_null(*log, 8, one.problem);
    if (Status s = log->run(); !s) return s;
  }
  Result<Statement> total = file_.insert_into("totals", 2);
  if (!total) return total.error();
  for (const auto& [name, value] : usage_totals(result)) {
    total->bind(1, name).bind(2, value);
    if (Status s = total->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_pattern(std::string_view kind, const std::vector<uint32_t>& pages,
                                  size_t support, double confidence, double lift) {
  Result<Statement> insert = file_.insert_into("patterns", 5);
  if (!insert) return insert.error();
  const int64_t id = patterns_++;
  insert->bind(1, id).bind(2, kind).bind(3, static_cast<int64_t>(support));
  confidence > 0 ? insert->bind(4, confidence) : insert->bind_null(4);
  lift > 0 ? insert->bind(5, lift) : insert->bind_null(5);
  if (Status s = insert->run(); !s) return s;
  Result<Statement> page = file_.insert_into("pattern_pages", 3);
  if (!page) return page.error();
  for (size_t i = 0; i < pages.size(); ++i) {
    page->bind(1, id).bind(2, static_cast<int64_t>(i)).bind(3, int64_t{pages[i]});
    if (Status s = page->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_clusters(std::string_view kind,
                                   const std::vector<UsageCluster>& clusters) {
  Result<Statement> insert = file_.insert_into("clusters", 3);
  if (!insert) return insert.error();
  Result<Statement> page = file_.insert_into("cluster_pages", 3);
  if (!page) return page.error();
  for (const UsageCluster& cluster : clusters) {
    const int64_t id = clusters_++;
    insert->bind(1, id).bind(2, kind).bind(3, static_cast<int64_t>(cluster.size));
    if (Status s = insert->run(); !s) return s;
    for (size_t i = 0; i < cluster.pages.size(); ++i) {
      page->bind(1, id).bind(2, int64_t{cluster.pages[i]}).bind(3, cluster.strengths[i]);
      if (Status s = page->run(); !s) return s;
    }
  }
  return {};
}

Status UsageDatabase::add_patterns(const UsagePatterns& patterns) {
  for (const FrequentSet& set : patterns.sets) {
    if (Status s = add_pattern("set", set.items, set.support, 0, 0); !s) return s;
  }
  for (const AssociationRule& rule : patterns.rules) {
    std::vector<uint32_t> pages = rule.given;
    pages.push_back(rule.then);  // the last one is what follows
    if (Status s = add_pattern("rule", pages, rule.support, rule.confidence, rule.lift); !s) {
      return s;
    }
  }
  for (const SequentialPattern& sequence : patterns.sequences) {
    if (Status s = add_pattern("sequence", sequence.items, sequence.support, 0, 0); !s) return s;
  }
  for (const SequentialPattern& path : patterns.paths) {
    if (Status s = add_pattern("path", path.items, path.support, 0, 0); !s) return s;
  }
  if (Status s = add_clusters("sessions", patterns.session_clusters); !s) return s;
  return add_clusters("pages", patterns.page_clusters);
}

Status UsageDatabase::add(const UsageResult& result, const HitCounter& hits,
                          const SessionCounter& sessions) {
  Result<Statement> event = file_.insert_into("event_names", 3);
  if (!event) return file_.about_this_file(event.error());
  const auto& events = hits.pages().options().events;
  for (size_t i = 0; i < events.size(); ++i) {
    event->bind(1, static_cast<int64_t>(i)).bind(2, events[i].name).bind(3, events[i].pattern);
    if (Status s = event->run(); !s) return file_.about_this_file(s.error());
  }
  Status s = add_pages(result, hits, sessions);
  if (s) s = add_users(result, hits);
  if (s) s = add_counts(result);
  if (s) s = add_patterns(result.patterns);
  if (!s) return file_.about_this_file(s.error());
  return {};
}

Status UsageDatabase::finish() { return file_.finish(kUsageIndexes); }

}  // namespace dowser
