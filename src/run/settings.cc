#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "run/config.h"

// The list of all settings of a crawl: names, help, and how each is set and written.

namespace dowser {
namespace {

using Values = std::vector<std::string>;

// clear() of a setting that is not a list.
void keep(CrawlConfig&) {}

Setting text_setting(std::string name, std::string placeholder, std::string help,
                     std::string CrawlConfig::*member, Values choices = {}) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
      return Error{
          fmt::format("{} must be one of {}, not '{}'", name, fmt::join(choices, ", "), value)};
    }
    c.*member = value;
    return {};
  };
  const auto get = [=](const CrawlConfig& c) {
    return (c.*member).empty() ? Values{} : Values{c.*member};
  };
  return {name, placeholder, help, SettingKind::kText, set, keep, get};
}

Setting list_setting(std::string name, std::string placeholder, std::string help,
                     Values CrawlConfig::*member) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    (c.*member).emplace_back(value);
    return {};
  };
  const auto clear = [=](CrawlConfig& c) { (c.*member).clear(); };
  const auto get = [=](const CrawlConfig& c) { return c.*member; };
  return {name, placeholder, help, SettingKind::kList, set, clear, get};
}

// --web a.warc.gz b.warc.gz, or --web a.warc.gz,b.warc.gz
Setting web_setting() {
  Setting setting = list_setting(
      "web", "FILE", "an archived web to crawl: WARC files (default live: the real web)",
      &CrawlConfig::web);
  setting.set = [](CrawlConfig& c, std::string_view value) -> Status {
    for (size_t begin = 0; begin <= value.size();) {
      const size_t end = std::min(value.find(',', begin), value.size());
      if (end > begin) c.web.emplace_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
    return {};
  };
  return setting;
}

Values values_of(int64_t number) { return {std::to_string(number)}; }
Values values_of(Duration time) { return {format_duration(time)}; }
template <class T>
Values values_of(const std::optional<T>& value) {
  return value ? values_of(*value) : Values{};
}

// A whole number; Member is int64_t, or optional where the default depends on the rest.
template <class Member>
Setting count_setting(std::string name, std::string help, Member CrawlConfig::*member,
                      int64_t least = 0) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least) {
      return Error{
          fmt::format("{} must be a whole number of at least {}, not '{}'", name, least, value)};
    }
    c.*member = number;
    return {};
  };
  const auto get = [=](const CrawlConfig& c) { return values_of(c.*member); };
  return {name, "N", help, SettingKind::kNumber, set, keep, get};
}

// Likewise for a Duration.
template <class Member>
Setting time_setting(std::string name, std::string help, Member CrawlConfig::*member) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    const Result<Duration> time = parse_duration(value);
    if (!time) return Error{fmt::format("{}: {}", name, time.error().message)};
    c.*member = *time;
    return {};
  };
  const auto get = [=](const CrawlConfig& c) { return values_of(c.*member); };
  return {name, "TIME", help, SettingKind::kText, set, keep, get};
}

Setting choice_setting(std::string name, std::string help, bool CrawlConfig::*member) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    if (value != "yes" && value != "no") {
      return Error{fmt::format("{} must be yes or no, not '{}'", name, value)};
    }
    c.*member = value == "yes";
    return {};
  };
  const auto get = [=](const CrawlConfig& c) { return Values{c.*member ? "yes" : "no"}; };
  return {name, "yes|no", help, SettingKind::kText, set, keep, get};
}

// A number of bytes, such as 500000, 64MB or 8KB.
Setting size_setting(std::string name, std::string help, int64_t CrawlConfig::*member) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    constexpr std::pair<std::string_view, int64_t> kUnits[] = {
        {"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"", 1}};
    int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const std::string_view unit = value.substr(static_cast<size_t>(end - value.data()));
    for (const auto& [known, factor] : kUnits) {
      if (error == std::errc() && number >= 0 && unit == known && number <= (1LL << 40) / factor) {
        c.*member = number * factor;
        return {};
      }
    }
    return Error{
        fmt::format("{} must be a size such as 500000, 8KB or 64MB, not '{}'", name, value)};
  };
  const auto get = [=](const CrawlConfig& c) {
    const int64_t size = c.*member;
    for (const auto& [unit, factor] : {std::pair("MB", 1 << 20), std::pair("KB", 1 << 10)}) {
      if (size > 0 && size % factor == 0) return Values{fmt::format("{}{}", size / factor, unit)};
    }
    return Values{std::to_string(size)};
  };
  return {name, "SIZE", help, SettingKind::kText, set, keep, get};
}

// A number from 0 to 1.
Setting share_setting(std::string name, std::string help,
                      std::optional<double> CrawlConfig::*member) {
  const auto set = [=](CrawlConfig& c, std::string_view value) -> Status {
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() ||
        !(number >= 0 && number <= 1)) {
      return Error{fmt::format("{} must be a number from 0 to 1, not '{}'", name, value)};
    }
    c.*member = number;
    return {};
  };
  const auto get = [=](const CrawlConfig& c) {
    return c.*member ? Values{fmt::format("{}", *(c.*member))} : Values{};
  };
  return {name, "R", help, SettingKind::kNumber, set, keep, get};
}

Setting threshold_setting() {
  Setting setting = share_setting("threshold",
                                  "relevance from which a page counts as relevant (default auto: "
                                  "chosen from the data)",
                                  &CrawlConfig::threshold);
  setting.placeholder = "R|auto";
  setting.set = [set = setting.set](CrawlConfig& c, std::string_view value) -> Status {
    if (value != "auto") return set(c, value);
    c.threshold.reset();
    return {};
  };
  return setting;
}

// A secret is never written: a crawl's folder may be given away.
Setting metrics_token_setting() {
  Setting setting = text_setting(
      "metrics-token", "TOKEN",
      "the token that a request for metrics must carry (default: a random one, printed at the "
      "start)",
      &CrawlConfig::metrics_token);
  setting.get = [](const CrawlConfig&) { return Values{}; };
  return setting;
}

std::vector<Setting> make_settings() {
  using C = CrawlConfig;
  return {
      list_setting("seed", "URL", "an address to start from", &C::seeds),
      text_setting("seeds", "FILE", "a file of addresses to start from, one per line",
                   &C::seeds_file),
      text_setting("topic", "WORDS", "words that describe the topic", &C::topic),
      list_setting("example", "PAGE", "a page on the topic: an address in the web, or an HTML file",
                   &C::examples),
      list_setting("not-example", "PAGE",
                   "a page that is not on the topic: an address in the web, or an HTML file",
                   &C::not_examples),
      text_setting("strategy", "SPEC", "the order of fetching, one of the strategies below",
                   &C::strategy),
      text_setting("judge", "SPEC",
                   "how the relevance of a page is computed, one of the judges below (default: the "
                   "one that the strategy is meant to be used with)",
                   &C::judge),
      text_setting("model", "FILE",
                   "a model that dowser learn has trained, instead of words and examples",
                   &C::model),
      text_setting("profile", "NAME|FILE",
                   "prior knowledge of the subject: a built-in profile such as computer-science, "
                   "or a TOML file of the same form",
                   &C::profile),
      threshold_setting(),
      web_setting(),
      text_setting("missing", "drop|404",
                   "links to pages that are not in the archive: drop ignores them, 404 fetches "
                   "them and gets a 404",
                   &C::missing, {"drop", "404"}),
      count_setting("max-pages", "stop after this number of fetched pages", &C::max_pages),
      count_setting("max-relevant",
                    "stop when this number of relevant pages has been found (default 0: no limit)",
                    &C::max_relevant),
      time_setting("max-time", "stop after this time, such as 90s, 15m or 2h (default: no limit)",
                   &C::max_time),
      share_setting(
          "stop-at-recall",
          "stop when at least this share of the reachable relevant pages is estimated to be "
          "found, such as 0.9 (0: no such rule)",
          &C::stop_at_recall),
      share_setting("stop-at-harvest",
                    "stop when at most this share of the next thousand fetches is estimated to be "
                    "relevant, such as 0.02 (0: no such rule)",
                    &C::stop_at_harvest),
      count_setting("max-depth", "go at most this number of links away from a seed (0: no limit)",
                    &C::max_depth),
      count_setting("max-per-host", "fetch at most this number of pages from a host (0: no limit)",
                    &C::max_per_host),
      count_setting("max-per-site",
                    "fetch at most this number of pages from all hosts of a registrable domain, "
                    "such as example.co.uk (0: no limit)",
                    &C::max_per_site),
      count_setting("max-url-length",
                    "do not follow addresses with more characters than this (default 2000)",
                    &C::max_url_length, 1),
      count_setting("max-page-size",
                    "bytes of a page that are read, before decompression; the rest is cut off "
                    "(default 4194304; live web only)",
                    &C::max_page_size, 1),
      time_setting("connect-timeout",
                   "give up on a host that has not accepted the connection by then (default 10s; "
                   "live web only)",
                   &C::connect_timeout),
      time_setting(
          "answer-timeout",
          "give up on a page whose answer has not begun by then (default 20s; live web only)",
          &C::answer_timeout),
      time_setting("timeout",
                   "give up on a page that is not complete by then (default 60s; live web only)",
                   &C::timeout),
      count_setting("max-waiting",
                    "keep at most this number of waiting links, the best ones (0: no limit)",
                    &C::max_waiting),
      time_setting(
          "delay",
          "time between two requests to a host (default 1s; 0s on an archived web, where a delay "
          "costs no real time)",
          &C::delay),
      count_setting(
          "connections",
          "pages in flight at a time, at most two per host (default 32; 1 on an archived web)",
          &C::connections, 1),
      count_setting(
          "max-per-address",
          "pages in flight at a time from hosts that share an IP address (default 8; 0: no "
          "limit)",
          &C::max_per_address),
      count_setting(
          "host-gap",
          "fetch from a host at most once in this number of consecutive fetches (0: no such rule)",
          &C::host_gap),
      list_setting("only-host", "HOST", "only follow links to these hosts", &C::only_hosts),
      list_setting("only-domain", "DOMAIN",
                   "only follow links to these domains and their subdomains", &C::only_domains),
      list_setting("only-path", "/PATH", "only follow links whose path begins like this",
                   &C::only_paths),
      list_setting(
          "deny", "PATTERN",
          "addresses not to follow; * stands for any text and ? for one character, such as "
          "'*/login*'",
          &C::deny),
      choice_setting("documents",
                     "fetch PDF, PostScript, Word, OpenDocument, RTF, TeX, XML and text documents "
                     "too, and convert them to text",
                     &C::documents),
      size_setting("max-document", "do not fetch larger documents", &C::max_document),
      size_setting("min-pdf", "do not fetch smaller PDF files (default 8KB, or the profile's)",
                   &C::min_pdf),
      time_setting("conversion-time",
                   "give up on a document if converting it takes more processor time than this",
                   &C::conversion_time),
      count_setting("converters", "documents to convert at a time (default: one per core)",
                    &C::converters, 1),
      list_setting(
          "unwelcome-name", "WORD",
          "do not fetch documents with this word in their file name (default homework, hw, "
          "assignment, syllabus, cv, resume, week, lecture, exercise, or those of the profile; "
          "none: "
          "fetch all)",
          &C::unwelcome_names),
      choice_setting(
          "traps", "stop following addresses that a server invents without end, such as calendars",
          &C::traps),
      choice_setting("near-duplicates",
                     "recognise near duplicates of other pages; they do not count as found",
                     &C::near_duplicates),
      choice_setting("soft-404",
                     "recognise 'not found' pages with status 200 by requesting from each host one "
                     "page that cannot exist (live web only)",
                     &C::soft_404),
      choice_setting(
          "sitemaps",
          "fetch sitemaps that robots.txt names and feeds that pages name, and follow their "
          "links",
          &C::sitemaps),
      list_setting(
          "previous", "DIR",
          "folders of earlier crawls: strategies may use what they found, and on the live web "
          "their pages are fetched again only if they have changed",
          &C::previous),
      list_setting("back-links", "FILE|DIR",
                   "archives or folders of earlier crawls in which to look for links to the "
                   "examples, for strategies that need them",
                   &C::back_links),
      list_setting("allow-host", "HOST", "allow this host to have a private or loopback IP address",
                   &C::allow_hosts),
      list_setting("resolve", "HOST=ADDRESS:PORT",
                   "connect to this address for the host instead of using DNS", &C::resolve),
      text_setting("user-agent", "NAME",
                   "the User-Agent that servers see; its name is looked up in robots.txt",
                   &C::user_agent),
      text_setting(
          "contact", "ADDRESS",
          "e-mail or web address for complaints, sent to every server (required on the live "
          "web)",
          &C::contact),
      count_setting("random-seed", "seed of the random numbers", &C::random_seed),
      text_setting("metrics", "ADDRESS:PORT",
                   "serve the counters of the crawl to Prometheus here, such as 127.0.0.1:9190",
                   &C::metrics),
      metrics_token_setting(),
      text_setting("out", "DIR",
                   "folder for the archive, the catalogue and the report; must be new or empty",
                   &C::out),
  };
}

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> all = make_settings();
  return all;
}

}  // namespace dowser
