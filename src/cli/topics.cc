#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/crawl_settings.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "engine/plugins.h"
#include "mine/topics/given_counts.h"
#include "mine/topics/topic_map.h"
#include "report/topics_report.h"
#include "run/collection.h"
#include "run/crawl_web.h"
#include "run/fetch_pages.h"

namespace dowser {
namespace {

// Pages of a collection cost nothing, but the last ones hardly mention the keyword.
constexpr size_t kListsOfCollection = 1000;

struct Given {
  std::string keyword, provider, index, counts, csv, html;
  std::string digits = "drop";
  std::vector<std::string> from, patterns;
  TopicMapOptions map;
  GivenSettings settings;
  bool says_limit = false, all = false, json = false;
};

Status set_support_by(SupportBy& by, std::string_view text) {
  if (text == "pages") {
    by = SupportBy::kPages;
  } else if (text == "items") {
    by = SupportBy::kItems;
  } else if (text == "hosts") {
    by = SupportBy::kHosts;
  } else {
    return Error{fmt::format("--by takes pages, items or hosts, not '{}'", text)};
  }
  return {};
}

Status set_match(KeywordMatch& match, std::string_view text) {
  if (text != "phrase" && text != "words") {
    return Error{fmt::format("--match takes phrase or words, not '{}'", text)};
  }
  match = text == "phrase" ? KeywordMatch::kPhrase : KeywordMatch::kWords;
  return {};
}

void declare(Arguments& arguments, Given& given) {
  TopicOptions& topics = given.map.topics;
  arguments.optional_word("KEYWORD", "the topic whose sub-topics are wanted", &given.keyword);
  arguments.list("from", "SOURCE",
                 "where pages come from: a crawl, WARC files, a file of addresses, or a provider "
                 "such as 'searx(url=http://127.0.0.1:8888)' or 'json(file=service.toml)'",
                 &given.from);
  arguments.option(
      "provider", "SPEC",
      "the provider that counts pages (default: that of --from, or an index of the pages)",
      &given.provider);
  arguments.option("index", "FILE",
                   "file for the index of WARC files; the index of a crawl is kept in its folder",
                   library_file_option(&given.index));
  const auto limit = [&](size_t* value, std::string name) {
    return [&given, value, name](std::string_view text) {
      given.says_limit = true;
      return whole_number(value, name, 0)(text);
    };
  };
  arguments.option("pages", "N",
                   "read this number of usable pages; 0: all (default 100 from a provider)",
                   limit(&topics.pages, "pages"));
  arguments.option("lists", "N",
                   "stop when this number of lists has been read; 0: no limit (default 1000 in a "
                   "crawl or archive)",
                   limit(&topics.lists, "lists"));
  arguments.option("match", "phrase|words",
                   "a page is about the keyword if it has the phrase, or if it has all its words "
                   "(default: the phrase, but the words in a collection in which most candidates "
                   "are more frequent than the phrase)",
                   [&](std::string_view text) { return set_match(topics.match, text); });
  arguments.option("domain", "DOMAIN", "only pages of this domain, such as edu or cs.cmu.edu",
                   &topics.domain);
  arguments.option("support", "N",
                   "a candidate must appear in the lists of this number of pages (default 2)",
                   whole_number(&topics.candidates.support, "support", 1));
  arguments.option(
      "by", "pages|items|hosts", "what support counts (default pages)",
      [&](std::string_view text) { return set_support_by(topics.candidates.by, text); });
  arguments.option("digits", "drop|dates|keep",
                   "drop list items with digits, drop those with digits other than dates and "
                   "times, or keep all (default drop)",
                   &given.digits);
  arguments.list("digits-pattern", "REGEX", "keep digits that match this pattern, like dates",
                 &given.patterns);
  arguments.flag("phrases", "whole list items are candidates, instead of sets of their words",
                 &topics.candidates.phrases);
  arguments.flag("stem", "treat words with the same stem as one word (Porter)",
                 &topics.candidates.stem);
  arguments.flag(
      "as-printed",
      "keep candidates that are rows of forms, names of people, or single words that are "
      "adjectives or only parts of items, as the thesis does",
      &topics.as_printed);
  arguments.option("words", "N",
                   "largest number of words of a candidate, without stop words (default 3)",
                   whole_number(&topics.candidates.most_words, "words", 1));
  arguments.option("recursive", "DEPTH",
                   "also look up the topics that were found, to this depth (default 0)",
                   whole_number(&given.map.depth, "recursive", 0));
  arguments.option("budget", "N", "largest number of keywords to look up (default 20)",
                   whole_number(&given.map.keywords, "budget", 1));
  arguments.option(
      "counts", "FILE",
      "score the counts in this tab-separated file: a line of keyword and its number of pages, "
      "then lines of candidate, its number of pages, and the number of pages with both",
      &given.counts);
  static constexpr std::string_view kNames[] = {"web",     "delay",      "allow-host",
                                                "resolve", "user-agent", "contact"};
  given.settings.declare(arguments, kNames);
  arguments.flag("all", "print all candidates of Types II and III, not only the first ten",
                 &given.all);
  arguments.flag("json", "print one JSON object", &given.json);
  arguments.option("csv", "FILE", "write all candidates as csv", output_file(&given.csv));
  arguments.option("html", "FILE", "write a report with the evidence: pages, lists, headings",
                   output_file(&given.html));
  arguments.note(
      "Type I: sub-topics (S1 is at least 0.005; in a collection also more frequent with the "
      "keyword than chance explains). Type II: others. Type III: more frequent than the keyword, "
      "or of unknown frequency. * : a heading or item above it contains the keyword.");
}

Status set_digits(Given& given) {
  using Kind = DigitRule::Kind;
  if (given.digits != "drop" && given.digits != "dates" && given.digits != "keep") {
    return Error{fmt::format("--digits takes drop, dates or keep, not '{}'", given.digits)};
  }
  const bool excepts = given.digits == "dates" || !given.patterns.empty();
  const Kind kind = given.digits == "keep" ? Kind::kKeep
                    : excepts              ? Kind::kDropButDates
                                           : Kind::kDrop;
  const Result<DigitRule> rule = DigitRule::make(kind, given.patterns);
  if (!rule) return rule.error();
  given.map.topics.digits = *rule;
  return {};
}

// What --from names.
struct Sources {
  std::vector<std::string> collection;  // crawls and WARC files
  std::string addresses;                // a file
  std::string provider;
};

bool is_archive(const std::string& place) {
  if (std::filesystem::is_directory(place)) return true;
  if (place.ends_with(".gz") || place.ends_with(".warc") || place.ends_with(".arc")) return true;
  const Result<MappedFile> file = MappedFile::open(place);
  return file && file->bytes().starts_with("WARC/");
}

Result<Sources> sources_of(const Given& given) {
  Sources sources;
  for (const std::string& place : given.from) {
    std::error_code failed;
    if (!std::filesystem::exists(place, failed)) {
      const Result<Spec> spec = Spec::parse(place);
      if (!spec || place.find('(') == place.npos) {
        return Error{fmt::format("--from: there is no file or folder '{}'", place)};
      }
      sources.provider = place;
    } else if (is_archive(place)) {
      sources.collection.push_back(place);
    } else {
      sources.addresses = place;
    }
  }
  const int kinds =
      !sources.collection.empty() + !sources.addresses.empty() + !sources.provider.empty();
  if (kinds > 1) {
    return Error{"--from takes crawls and WARC files, or one file of addresses, or one provider"};
  }
  return sources;
}

Result<std::vector<Url>> read_addresses(const std::string& file) {
  const Result<std::string> text = read_file(file, kLargestDocument);
  if (!text) return text.error();
  std::vector<Url> urls;
  size_t number = 0;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    Result<Url> url = Url::parse(line);
    if (!url || !url->is_http()) {
      return Error{fmt::format("{}, line {}: '{}' is not the address of a page", file, number,
                               line.substr(0, 100))};
    }
    urls.push_back(std::move(*url));
  }
  if (urls.empty()) return Error{fmt::format("{} contains no addresses", file)};
  return urls;
}

class TopicsCommand {
 public:
  explicit TopicsCommand(const Given& given) : given_(given) {}

  int run() {
    if (!given_.counts.empty()) return score_counts();
    const Result<Sources> sources = sources_of(given_);
    if (!sources) return fail("topics", sources.error(), kUsage);
    Status prepared = prepare(*sources);
    if (!prepared) return fail("topics", prepared.error());
    if (stopped_) return stop();
    Result<std::optional<TopicMap>> map =
        map_topics(given_.keyword, sources_, map_, progress_function());
    line_.clear();
    if (!map) return fail("topics", map.error());
    if (!*map) return stop();
    return print(**map);
  }

 private:
  TopicProgress progress_function() {
    return [this](std::string_view step, size_t done, size_t of) { return tell(step, done, of); };
  }

  bool tell(std::string_view step, size_t done, size_t of) {
    if (!line_.watch({step, done, of})) stopped_ = true;
    return !stopped_;
  }

  int stop() {
    line_.clear();
    return fail_or_stop("topics", stopped());
  }

  Status prepare(const Sources& sources) {
    given_.settings.apply(config_);
    ProviderContext context;
    context.user_agent = full_user_agent(config_);
    // An index may count pages that others name.
    const bool counts_web = sources.collection.empty() && given_.provider == "index";
    const std::vector<std::string>& places = counts_web ? config_.web : sources.collection;
    if (!places.empty()) {
      Result<std::optional<Collection>> opened =
          Collection::open(places, given_.index, progress_function());
      if (!opened) return opened.error();
      if (!*opened) return {};
      collection_.emplace(std::move(**opened));
      context.index = &collection_->index();
    }
    if (!sources.collection.empty() && !given_.says_limit) {
      map_.topics.pages = 0;
      map_.topics.lists = kListsOfCollection;
    }
    if (!sources.addresses.empty()) {
      Result<std::vector<Url>> urls = read_addresses(sources.addresses);
      if (!urls) return urls.error();
      sources_.addresses = std::move(*urls);
    }
    const std::string search = !sources.provider.empty()    ? sources.provider
                               : sources.collection.empty() ? ""
                                                            : "index";
    if (!search.empty()) {
      auto made = make_provider(search, context);
      if (!made) return made.error();
      search_ = std::move(*made);
      sources_.search = search_.get();
    }
    if (!given_.provider.empty()) {
      auto made = make_provider(given_.provider, context);
      if (!made) return made.error();
      counts_ = std::move(*made);
    }
    sources_.counts = counts_ ? counts_.get() : search_.get();
    if (!sources_.counts) {
      return Error{
          "with a file of addresses, name a provider that counts pages: --provider SPEC, or "
          "--provider index with --web FILE"};
    }
    return set_bring();
  }

  Status set_bring() {
    if (collection_) {
      sources_.bring = [this](std::span<const Url> urls, const UsePage& use) -> Status {
        for (const Url& url : urls) {
          if (!use(collection_->page(url))) break;
        }
        return {};
      };
      return {};
    }
    Result<PageFetcher> fetcher = PageFetcher::open(config_);
    if (!fetcher) return fetcher.error();
    fetcher_.emplace(std::move(*fetcher));
    sources_.bring = [this](std::span<const Url> urls, const UsePage& use) {
      return fetcher_->fetch(urls, use, [] { return interrupted(); });
    };
    return {};
  }

  int score_counts() {
    const Result<std::string> text = read_file(given_.counts);
    if (!text) return fail("topics", text.error());
    Result<TopicsFound> found = read_counts(*text, given_.counts);
    if (!found) return fail("topics", found.error());
    score_topics(*found, 0, given_.map.topics.types);
    TopicMap map;
    map.nodes.push_back({found->keyword, 0, 0});
    map.found.push_back(std::move(*found));
    return print(map);
  }

  int print(const TopicMap& map) {
    for (const TopicsFound& found : map.found) {
      for (const std::string& warning : found.warnings) {
        fmt::print(stderr, "dowser topics: {}\n", warning);
      }
    }
    if (!given_.csv.empty()) {
      if (Status s = write_file(given_.csv, topics_csv(map)); !s) return fail("topics", s.error());
    }
    if (!given_.html.empty()) {
      if (Status s = write_file(given_.html, topics_html(map)); !s) {
        return fail("topics", s.error());
      }
    }
    fmt::print("{}", given_.json ? topics_json(map) : topics_text(map, given_.all ? SIZE_MAX : 10));
    const TopicsFound& first = map.found.front();
    if (first.topics.empty()) {
      fmt::print(stderr, "dowser topics: {}\n", why_nothing(first));
    }
    return kDone;
  }

  std::string why_nothing(const TopicsFound& found) const {
    if (found.usable == 0) {
      return fmt::format("no page contains \"{}\"; try other words, or another source",
                         found.keyword);
    }
    if (found.items.items.empty()) {
      return fmt::format("the {} pages have no list items that could name a topic; try --pages 0",
                         found.usable);
    }
    return fmt::format(
        "no candidate appears in the lists of {} pages; try --support {}, or more pages",
        given_.map.topics.candidates.support,
        std::max<size_t>(1, given_.map.topics.candidates.support - 1));
  }

  const Given& given_;
  TopicMapOptions map_ = given_.map;
  CrawlConfig config_;
  std::optional<Collection> collection_;
  std::optional<PageFetcher> fetcher_;
  std::unique_ptr<SearchProvider> search_, counts_;
  TopicSources sources_;
  ProgressLine line_;
  bool stopped_ = false;
};

}  // namespace

int topics_command(CommandLine line) {
  Given given;
  Arguments arguments("topics", "Finds the sub-topics of a topic in the lists of pages about it.",
                      "dowser topics \"artificial intelligence\" --from webkb.warc.gz");
  declare(arguments, given);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (given.counts.empty() && given.keyword.empty()) {
    return fail("topics",
                Error{"name the topic: dowser topics \"artificial intelligence\" --from …"},
                kUsage);
  }
  if (given.counts.empty() && given.from.empty()) {
    return fail("topics",
                Error{"name where pages come from: --from DIR, FILE.warc.gz or 'searx(url=…)'"},
                kUsage);
  }
  if (Status s = set_digits(given); !s) return fail("topics", s.error(), kUsage);
  stop_gently();
  return TopicsCommand(given).run();
}

}  // namespace dowser
