#include "run/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "base/file.h"
#include "base/nearest.h"
#include "parse/parse_page.h"

namespace dowser {
namespace {

using Values = std::vector<std::string>;

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

constexpr size_t kLongestAddress = ParseOptions().max_address;

// clear() of a setting that is no list.
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
          fmt::format("{} must be a whole number from {} on, not '{}'", name, least, value)};
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

// A secret is never written: a crawl's folder may be given away.
Setting metrics_token_setting() {
  Setting setting = text_setting(
      "metrics-token", "TOKEN",
      "what Prometheus must show to be answered (default: a random one, shown at the start)",
      &CrawlConfig::metrics_token);
  setting.get = [](const CrawlConfig&) { return Values{}; };
  return setting;
}

std::vector<Setting> make_settings() {
  using C = CrawlConfig;
  return {
      list_setting("seed", "URL", "start here", &C::seeds),
      text_setting("seeds", "FILE", "start at these addresses, one a line", &C::seeds_file),
      text_setting("topic", "WORDS", "words that describe what to find", &C::topic),
      list_setting("example", "PAGE", "a page on the topic: an address in the web, or an HTML file",
                   &C::examples),
      text_setting("strategy", "SPEC", "what to fetch next", &C::strategy),
      text_setting("judge", "SPEC", "what counts as relevant (default: that of the strategy)",
                   &C::judge),
      text_setting("model", "FILE", "a judge that dowser learn has trained", &C::model),
      share_setting("threshold",
                    "relevance from which a page counts as relevant (default: the judge's own)",
                    &C::threshold),
      web_setting(),
      text_setting("missing", "drop|404",
                   "links that the archive does not hold: not followed, or a 404", &C::missing,
                   {"drop", "404"}),
      count_setting("max-pages", "stop after so many fetches", &C::max_pages),
      time_setting("max-time", "stop after that time, as 90s, 15m, 2h (default: no limit)",
                   &C::max_time),
      share_setting("stop-at-recall",
                    "stop when surely this share of the relevant pages that can be reached is "
                    "found, as 0.9 (0: no such rule)",
                    &C::stop_at_recall),
      share_setting("stop-at-harvest",
                    "stop when surely no more than this share of the next thousand fetches will be "
                    "relevant, as 0.02 (0: no such rule)",
                    &C::stop_at_harvest),
      count_setting("max-depth", "follow so many links from a seed at most (0: no limit)",
                    &C::max_depth),
      count_setting("max-per-host", "fetch so many pages of a host at most (0: no limit)",
                    &C::max_per_host),
      count_setting("max-url-length", "follow no address of more characters (default 2000)",
                    &C::max_url_length, 1),
      count_setting("max-page-size",
                    "bytes of a page that are read, as they come; the rest is cut off (default "
                    "4194304; live web only)",
                    &C::max_page_size, 1),
      time_setting("connect-timeout",
                   "give up a host that does not take the connection (default 10s; live web only)",
                   &C::connect_timeout),
      time_setting("answer-timeout",
                   "give up a page whose answer does not begin (default 20s; live web only)",
                   &C::answer_timeout),
      time_setting("timeout",
                   "give up a page that is not there by then (default 60s; live web only)",
                   &C::timeout),
      count_setting("max-waiting", "keep the best so many waiting links (0: no limit)",
                    &C::max_waiting),
      time_setting(
          "delay",
          "time between two requests to a host (default 1s; 0s on an archived web, where it only "
          "moves the pretended clock)",
          &C::delay),
      count_setting(
          "connections",
          "pages on their way at a time, two of a host at most (default 32; 1 on an archived "
          "web)",
          &C::connections, 1),
      count_setting("max-per-address",
                    "pages on their way at a time from hosts that share an address (default 8; 0: "
                    "no limit)",
                    &C::max_per_address),
      count_setting("host-gap", "fetch no host twice within so many fetches (0: no such rule)",
                    &C::host_gap),
      list_setting("only-host", "HOST", "stay on these hosts", &C::only_hosts),
      list_setting("only-domain", "DOMAIN", "stay on these domains and the names below them",
                   &C::only_domains),
      list_setting("only-path", "/PATH", "stay below these paths", &C::only_paths),
      list_setting("deny", "PATTERN",
                   "addresses not to follow: * is anything, ? one character, as '*/login*'",
                   &C::deny),
      choice_setting("documents", "follow links to PDF, PostScript, Word and the like",
                     &C::documents),
      choice_setting("traps", "leave places where a server makes up addresses for ever", &C::traps),
      choice_setting("near-duplicates", "notice pages that repeat others", &C::near_duplicates),
      choice_setting("soft-404",
                     "ask each host of more than a few pages once for one that cannot "
                     "exist, to know its 'not found' pages (live web only)",
                     &C::soft_404),
      choice_setting("sitemaps", "fetch the sitemaps that robots.txt names, and read feeds",
                     &C::sitemaps),
      list_setting("previous", "DIR",
                   "earlier crawls: strategies may use what they found; on the live web a page "
                   "that they have is sent by its server only if it has changed",
                   &C::previous),
      list_setting("back-links", "FILE|DIR",
                   "archives, or earlier crawls, that tell which pages link to the examples",
                   &C::back_links),
      list_setting("allow-host", "HOST", "a host that may be at a private address",
                   &C::allow_hosts),
      list_setting("resolve", "HOST=ADDRESS:PORT", "where to find a host, instead of asking DNS",
                   &C::resolve),
      text_setting("user-agent", "NAME", "how to introduce ourselves; robots.txt is read for it",
                   &C::user_agent),
      text_setting("contact", "ADDRESS", "whom to write to about this crawl", &C::contact),
      count_setting("random-seed", "where random numbers start", &C::random_seed),
      text_setting("metrics", "ADDRESS:PORT",
                   "let Prometheus ask here how the crawl goes, as 127.0.0.1:9190", &C::metrics),
      metrics_token_setting(),
      text_setting("out", "DIR",
                   "the folder for archive, catalogue and report; must be new or empty", &C::out),
  };
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& s : settings()) names.push_back(s.name);
  return names;
}

// The text of a TOML value that a setting can take; nothing for tables, dates and the like.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  return std::nullopt;
}

Status set_from(const Setting& setting, const toml::node& node, CrawlConfig& config) {
  if (const toml::array* list = node.as_array(); list && setting.kind == SettingKind::kList) {
    for (const toml::node& element : *list) {
      const auto text = value_text(element);
      if (!text) return Error{fmt::format("{} must be a list of strings", setting.name)};
      if (Status s = setting.set(config, *text); !s) return s;
    }
    return {};
  }
  const auto text = value_text(node);
  if (!text) return Error{fmt::format("{} has a value of the wrong kind", setting.name)};
  return setting.set(config, *text);
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

bool is_live(const CrawlConfig& config) {
  return config.web.empty() || config.web.front() == "live";
}

std::span<const Setting> settings() {
  static const std::vector<Setting> all = make_settings();
  return all;
}

Status read_config_text(std::string_view text, std::string_view source, CrawlConfig& config) {
  const toml::parse_result table = toml::parse(text, source);
  if (!table) {
    return Error{fmt::format("{}, line {}: {}", source, table.error().source().begin.line,
                             table.error().description())};
  }
  for (const auto& [key, node] : table.table()) {
    const std::string name(key.str());
    const auto all = settings();
    const auto setting =
        std::find_if(all.begin(), all.end(), [&](const Setting& s) { return s.name == name; });
    if (setting == all.end()) {
      return Error{fmt::format("{}, line {}: there is no setting '{}'{}", source,
                               key.source().begin.line, name, did_you_mean(name, setting_names()))};
    }
    if (Status s = set_from(*setting, node, config); !s) {
      return Error{
          fmt::format("{}, line {}: {}", source, node.source().begin.line, s.error().message)};
    }
  }
  return {};
}

Status read_config(const std::filesystem::path& file, CrawlConfig& config) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return read_config_text(*text, file.string(), config);
}

std::string config_text(const CrawlConfig& config) {
  std::string out;
  for (const Setting& setting : settings()) {
    std::vector<std::string> values = setting.get(config);
    if (values.empty()) continue;
    if (setting.kind != SettingKind::kNumber) {
      for (std::string& value : values) value = toml_string(value);
    }
    if (setting.kind == SettingKind::kList) {
      out += fmt::format("{} = [{}]\n", setting.name, fmt::join(values, ", "));
    } else {
      out += fmt::format("{} = {}\n", setting.name, values.front());
    }
  }
  return out;
}

Status check_config(const CrawlConfig& config) {
  if (config.max_url_length > static_cast<int64_t>(kLongestAddress)) {
    return Error{fmt::format("max-url-length can be {} at most: longer addresses are not read",
                             kLongestAddress)};
  }
  for (const auto& [name, time] :
       {std::pair("connect-timeout", config.connect_timeout),
        std::pair("answer-timeout", config.answer_timeout), std::pair("timeout", config.timeout)}) {
    if (time <= Duration(0)) return Error{fmt::format("{} must be above 0s", name)};
  }
  if (config.seeds.empty() && config.seeds_file.empty()) {
    return Error{"say where to start with --seed URL or --seeds FILE"};
  }
  if (config.topic.empty() && config.examples.empty() && config.model.empty()) {
    return Error{"name the topic with --topic \"words\", --example PAGE or --model FILE"};
  }
  if (config.out.empty()) return Error{"say where to put the result with --out DIR"};
  for (const std::string& pair : config.resolve) {
    if (pair.find('=') == std::string::npos) {
      return Error{fmt::format("resolve must be HOST=ADDRESS:PORT, not '{}'", pair)};
    }
  }
  // So that it can stand in an address as it is. It is not repeated: messages come into logs.
  if (config.metrics_token.find_first_not_of(kPlain) != std::string::npos) {
    return Error{"metrics-token must be of letters, digits, '-', '.', '_' and '~'"};
  }
  const bool among_friends = !config.allow_hosts.empty() || !config.resolve.empty();
  if (is_live(config) && config.contact.empty() && !among_friends) {
    return Error{"say whom an administrator may write to about this crawl with --contact ADDRESS"};
  }
  return {};
}

}  // namespace dowser
