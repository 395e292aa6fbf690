#include "mine/usage_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/clock.h"
#include "mine/place_names.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Counts = absl::flat_hash_map<std::string, UsageCount>;

void add(Counts& counts, std::string_view name, uint64_t count, uint64_t bytes = 0) {
  if (count == 0) return;
  UsageCount& row = counts[std::string(name)];
  row.count += count;
  row.bytes += bytes;
}

UsageTable table_of(std::string key, std::string title, std::string unit, Counts counts,
                    size_t most) {
  UsageTable table{std::move(key), std::move(title), std::move(unit), {}, counts.size()};
  for (auto& [name, row] : counts) table.rows.push_back({name, row.count, row.bytes});
  std::sort(table.rows.begin(), table.rows.end(), [](const UsageCount& a, const UsageCount& b) {
    return a.count != b.count ? a.count > b.count : a.name < b.name;
  });
  if (table.rows.size() > most) table.rows.resize(most);
  return table;
}

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

class Summary {
 public:
  Summary(const UsageOptions& options, const LogMerge& logs, const HitCounter& hits,
          const SessionCounter& sessions, size_t most)
      : options_(options), hits_(hits), sessions_(sessions), most_(most) {
    result_.logs = logs.tallies();
    result_.rows = most;
  }

  UsageResult take(std::string site) {
    result_.site = std::move(site);
    totals();
    people();
    times();
    answers();
    addresses();
    origins();
    clients();
    places();
    pages();
    return std::move(result_);
  }

 private:
  void table(std::string key, std::string title, std::string unit, Counts counts) {
    result_.tables.push_back(
        table_of(std::move(key), std::move(title), std::move(unit), std::move(counts), most_));
  }

  void totals() {
    UsageResult& r = result_;
    r.all = hits_.all;
    for (size_t status = 0; status < hits_.statuses.size(); ++status) {
      const uint64_t count = hits_.statuses[status].hits;
      if (status >= 200 && status < 300) r.successful += count;
      if (status == 304) r.cached += count;
      if (status >= 300 && status < 400 && status != 304) r.redirected += count;
      if (status >= 400) r.failed += count;
      if (status >= 500) r.server_errors += count;
      if (status == 404 || status == 410) r.not_found += count;
    }
    r.cleaned = hits_.cleaned;
    r.robot_sessions = sessions_.robot_sessions;
    r.robot_views = sessions_.robot_views;
    for (size_t i = 0; i < sessions_.robot_reasons.size(); ++i) {
      if (sessions_.robot_reasons[i] == 0) continue;
      r.robot_reasons.push_back({kRobotReasons[i], sessions_.robot_reasons[i], 0});
    }
    r.sessions = sessions_.sessions;
    r.views = sessions_.views;
    r.inferred = sessions_.inferred;
    r.joined = sessions_.joined;
    r.single = sessions_.single;
    r.lengths = sessions_.lengths;
    const auto sessions = static_cast<double>(r.sessions);
    r.mean_views = ratio(static_cast<double>(r.views), sessions);
    r.mean_path = ratio(static_cast<double>(r.views + r.inferred), sessions);
    r.mean_view_seconds =
        ratio(static_cast<double>(sessions_.seconds), static_cast<double>(sessions_.timed));
    r.mean_session_seconds = ratio(static_cast<double>(sessions_.session_seconds), sessions);
    r.hits_per_day = ratio(static_cast<double>(r.all.hits), static_cast<double>(hits_.days.size()));
    r.hits_per_session = ratio(static_cast<double>(r.all.hits), sessions);
    r.with_cookie = hits_.with_cookie;
    r.sources = sessions_.sources;
    const auto& events = hits_.pages().options().events;
    for (size_t i = 0; i < events.size(); ++i) {
      r.events.push_back({events[i].name, sessions_.events[i]});
    }
    r.patterns_from_one_in = sessions_.sample.one_in();
    r.tables_full = hits_.targets.refused() + hits_.hosts.refused() + hits_.agents.refused() +
                        hits_.referrers.refused() + hits_.forgotten.users >
                    0;
  }

  void people() {
    result_.users = hits_.forgotten.users;
    result_.returning_users = hits_.forgotten.returning;
    result_.identified_users = hits_.forgotten.identified;
    for (const auto& [id, user] : hits_.users) {
      if (user.sessions == 0) continue;
      ++result_.users;
      result_.returning_users += user.sessions > 1;
      result_.identified_users += user.identified;
    }
  }

  void times() {
    for (const auto& [day, tally] : hits_.days) {
      const std::string text = to_iso8601(Time{day * 86'400 * 1'000'000});
      result_.days.push_back({text.substr(0, 10), tally});
    }
    result_.hours.assign(hits_.hours.begin(), hits_.hours.end());
  }

  void answers() {
    Counts statuses, methods, protocols;
    for (size_t status = 0; status < hits_.statuses.size(); ++status) {
      add(statuses, std::to_string(status), hits_.statuses[status].hits,
          hits_.statuses[status].bytes);
    }
    const auto names = [](const StringTable& table, const std::vector<Tally>& tallies,
                          Counts& counts) {
      for (uint32_t i = 0; i < tallies.size(); ++i) {
        add(counts, printable(table.text(i)), tallies[i].hits, tallies[i].bytes);
      }
    };
    names(hits_.methods, hits_.method_tallies, methods);
    names(hits_.protocols, hits_.protocol_tallies, protocols);
    table("statuses", "Status codes", "hits", std::move(statuses));
    table("methods", "Methods", "hits", std::move(methods));
    table("protocols", "Protocols", "hits", std::move(protocols));
  }

  // A list of names that are all different, of which there may be very many: only the rows that are
  // shown become strings. `count` of 0: no row.
  template <class Count, class Name>
  void ranked(std::string key, std::string title, std::string unit, size_t size, const Count& count,
              const Name& name) {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < size; ++i) {
      if (count(i).hits > 0) order.push_back(i);
    }
    const size_t rows = std::min(most_, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(rows), order.end(),
                      [&](uint32_t a, uint32_t b) {
                        const uint64_t x = count(a).hits, y = count(b).hits;
                        return x != y ? x > y : name(a) < name(b);
                      });
    UsageTable table{std::move(key), std::move(title), std::move(unit), {}, order.size()};
    for (size_t i = 0; i < rows; ++i) {
      const Tally tally = count(order[i]);
      table.rows.push_back({printable(name(order[i])), tally.hits, tally.bytes});
    }
    result_.tables.push_back(std::move(table));
  }

  void addresses() {
    const auto& tallies = hits_.target_tallies;
    const auto name = [&](uint32_t t) { return hits_.targets.text(t); };
    ranked(
        "not_found", "Invalid addresses", "hits", tallies.size(),
        [&](uint32_t t) {
          return Tally{tallies[t].not_found, 0};
        },
        name);
    ranked(
        "server_errors", "Addresses with server errors", "hits", tallies.size(),
        [&](uint32_t t) {
          return Tally{tallies[t].server_errors, 0};
        },
        name);
    ranked(
        "unauthorised", "Unauthorised entries: addresses", "hits", tallies.size(),
        [&](uint32_t t) {
          return Tally{tallies[t].unauthorised, 0};
        },
        name);
    ranked(
        "unauthorised_hosts", "Unauthorised entries: who tried", "hits", hits_.host_tallies.size(),
        [&](uint32_t h) {
          return Tally{hits_.host_tallies[h].unauthorised, 0};
        },
        [&](uint32_t h) { return hits_.hosts.text(h); });
    ranked(
        "addresses", "Addresses, assets included", "hits", tallies.size(),
        [&](uint32_t t) { return static_cast<const Tally&>(tallies[t]); }, name);
  }

  void origins() {
    Counts sites, engines, keywords;
    const auto outside = [&](uint32_t r) {
      const Referrer& referrer = hits_.referrer(r);
      return !referrer.is_address || !hits_.site_of(referrer.site);
    };
    for (uint32_t r = 0; r < hits_.referrer_hits.size(); ++r) {
      if (!outside(r)) continue;
      const Referrer& referrer = hits_.referrer(r);
      const uint64_t count = hits_.referrer_hits[r];
      add(sites, referrer.is_address ? printable(referrer.site) : "no address", count);
      add(engines, referrer.engine, referrer.engine.empty() ? 0 : count);
      add(keywords, referrer.keywords, referrer.keywords.empty() ? 0 : count);
    }
    table("referring_sites", "Referring sites", "page requests", std::move(sites));
    ranked(
        "referrers", "Referring pages", "page requests", hits_.referrer_hits.size(),
        [&](uint32_t r) {
          return Tally{outside(r) ? hits_.referrer_hits[r] : 0, 0};
        },
        [&](uint32_t r) { return hits_.referrers.text(r); });
    table("search_engines", "Search engines", "page requests", std::move(engines));
    table("keywords", "Keywords", "page requests", std::move(keywords));
  }

  void clients() {
    Counts browsers, systems, robots;
    for (const auto& [id, user] : hits_.users) {
      if (user.sessions == 0 || user.agent == StringTable::kNone) continue;
      add(browsers, hits_.agent(user.agent).browser, 1);
      add(systems, hits_.agent(user.agent).system, 1);
    }
    for (uint32_t a = 0; a < hits_.forgotten.by_agent.size(); ++a) {
      const uint64_t users = hits_.forgotten.by_agent[a];
      if (users == 0) continue;
      add(browsers, hits_.agent(a).browser, users);
      add(systems, hits_.agent(a).system, users);
    }
    for (uint32_t a = 0; a < hits_.agent_tallies.size(); ++a) {
      const Tally& tally = hits_.agent_tallies[a];
      if (hits_.agent(a).robot) add(robots, hits_.agent(a).browser, tally.hits, tally.bytes);
    }
    table("browsers", "Browsers", "visitors", std::move(browsers));
    table("systems", "Operating systems", "visitors", std::move(systems));
    table("robots", "Robots that identify themselves", "hits", std::move(robots));
    ranked(
        "agents", "Agents", "hits", hits_.agent_tallies.size(),
        [&](uint32_t a) { return hits_.agent_tallies[a]; },
        [&](uint32_t a) {
          return hits_.agents.text(a).empty() ? std::string_view("none") : hits_.agents.text(a);
        });
  }

  void places() {
    std::vector<PlaceFile> files;
    for (const std::string& path : options_.places) {
      if (Result<PlaceFile> file = PlaceFile::open(path)) files.push_back(std::move(*file));
    }
    Counts countries, cities, organisations;
    for (uint32_t h = 0; h < hits_.host_tallies.size(); ++h) {
      const Tally& tally = hits_.host_tallies[h];
      const std::string_view host = hits_.hosts.text(h);
      Place place = place_of_host(host);
      for (const PlaceFile& file : files) {
        const auto found = file.find(host);
        if (!found) continue;
        if (!found->country.empty()) place.country = found->country;
        if (!found->city.empty()) place.city = found->city;
        if (!found->organisation.empty()) place.organisation = found->organisation;
      }
      add(countries, place.country.empty() ? "unknown" : place.country, tally.hits, tally.bytes);
      add(cities, place.city, place.city.empty() ? 0 : tally.hits, tally.bytes);
      add(organisations, place.organisation, place.organisation.empty() ? 0 : tally.hits,
          tally.bytes);
    }
    table("countries", "Countries", "hits", std::move(countries));
    table("cities", "Cities", "hits", std::move(cities));
    table("organisations", "Organisations", "hits", std::move(organisations));
    ranked(
        "hosts", "Hosts", "hits", hits_.host_tallies.size(),
        [&](uint32_t h) { return static_cast<const Tally&>(hits_.host_tallies[h]); },
        [&](uint32_t h) { return hits_.hosts.text(h); });
  }

  void pages() {
    std::vector<Tally> tallies(hits_.pages().size());
    for (uint32_t t = 0; t < hits_.target_tallies.size(); ++t) {
      const uint32_t page = hits_.target(t).page;
      if (page == kNoPage) continue;
      tallies[page].hits += hits_.target_tallies[t].hits;
      tallies[page].bytes += hits_.target_tallies[t].bytes;
    }
    const auto& all = sessions_.pages;
    const auto best = [&](const auto& key) {
      std::vector<uint32_t> order;
      for (uint32_t p = 0; p < all.size(); ++p) {
        if (key(all[p]) > 0) order.push_back(p);
      }
      const size_t rows = std::min(most_, order.size());
      std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(rows), order.end(),
                        [&](uint32_t a, uint32_t b) {
                          const uint64_t x = key(all[a]), y = key(all[b]);
                          return x != y ? x > y : hits_.pages().key(a) < hits_.pages().key(b);
                        });
      std::vector<UsagePage> pages;
      for (size_t i = 0; i < rows; ++i) {
        const uint32_t p = order[i];
        pages.push_back({p, hits_.pages().name(p), page_address(result_.site, hits_.pages(), p),
                         tallies[p].hits, tallies[p].bytes, all[p], std::nullopt});
      }
      return pages;
    };
    result_.pages = best([](const PageTally& p) { return p.views; });
    result_.entry_pages = best([](const PageTally& p) { return p.entries; });
    result_.exit_pages = best([](const PageTally& p) { return p.exits; });
    result_.single_pages = best([](const PageTally& p) { return p.single; });
  }

  const UsageOptions& options_;
  const HitCounter& hits_;
  const SessionCounter& sessions_;
  const size_t most_;
  UsageResult result_;
};

}  // namespace

std::string page_address(const std::string& site, const SitePages& pages, uint32_t page) {
  const std::string_view host = pages.site(page), target = pages.target(page);
  if (!host.empty()) return fmt::format("http://{}{}", host, target);
  return site.empty() ? "" : fmt::format("{}{}", site, target);
}

std::vector<std::pair<std::string, double>> usage_totals(const UsageResult& r) {
  uint64_t lines = 0, cut = 0, broken = 0, too_long = 0, late = 0;
  for (const LogTally& log : r.logs) {
    lines += log.lines;
    cut += log.cut;
    broken += log.broken;
    too_long += log.too_long;
    late += log.late;
  }
  const auto n = [](uint64_t value) { return static_cast<double>(value); };
  return {{"lines", n(lines)},
          {"damaged_lines", n(cut + broken)},
          {"cut_lines", n(cut)},
          {"broken_lines", n(broken)},
          {"too_long_lines", n(too_long)},
          {"late_lines", n(late)},
          {"hits", n(r.all.hits)},
          {"bytes", n(r.all.bytes)},
          {"successful_hits", n(r.successful)},
          {"cached_hits", n(r.cached)},
          {"redirected_hits", n(r.redirected)},
          {"failed_hits", n(r.failed)},
          {"not_found_hits", n(r.not_found)},
          {"server_error_hits", n(r.server_errors)},
          {"hits_per_day", r.hits_per_day},
          {"hits_per_session", r.hits_per_session},
          {"hits_with_cookie", n(r.with_cookie)},
          {"cleaned_robot_agents", n(r.cleaned.robot_agents)},
          {"cleaned_robots_txt", n(r.cleaned.robots_txt)},
          {"cleaned_assets", n(r.cleaned.assets)},
          {"cleaned_errors", n(r.cleaned.errors)},
          {"cleaned_redirects", n(r.cleaned.redirects)},
          {"cleaned_other", n(r.cleaned.other)},
          {"robot_sessions", n(r.robot_sessions)},
          {"robot_views", n(r.robot_views)},
          {"users", n(r.users)},
          {"returning_users", n(r.returning_users)},
          {"identified_users", n(r.identified_users)},
          {"split_users", n(r.split_users)},
          {"sessions", n(r.sessions)},
          {"views", n(r.views)},
          {"joined_requests", n(r.joined)},
          {"inferred_views", n(r.inferred)},
          {"single_view_sessions", n(r.single)},
          {"mean_views", r.mean_views},
          {"mean_path_length", r.mean_path},
          {"mean_view_seconds", r.mean_view_seconds},
          {"mean_session_seconds", r.mean_session_seconds}};
}

UsageResult summarise_usage(const UsageOptions& options, const LogMerge& logs,
                            const HitCounter& hits, const SessionCounter& sessions,
                            std::string site, size_t most) {
  return Summary(options, logs, hits, sessions, most).take(std::move(site));
}

}  // namespace dowser
