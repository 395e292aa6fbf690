#include "cli/seeds.h"
#include "cli/output_file.h"
#include "cli/print_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "base/nearest.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "engine/plugins.h"
#include "run/back_links.h"
#include "run/earlier_crawls.h"
#include "seed/directory_dump.h"
#include "seed/seed_collector.h"
#include "seed/sitemap.h"

namespace dowser {
namespace {

struct Given {
  std::vector<std::string> directories, categories, sitemaps, back_links, pages, providers;
  std::string structure, queries, profile, to;
  size_t results = 0;  // of a query; 0: the profile's
  bool json = false;
};

// One source may fail while others answer: what came is kept, and what failed is told.
class SeedsCommand {
 public:
  SeedsCommand(const Given& given, Profile profile)
      : given_(given),
        profile_(std::move(profile)),
        collector_(profile_, [this](const Url& url, std::string_view from) { write(url, from); }) {}

  int run() {
    if (Status s = open(); !s) return fail("seeds", s.error());
    const std::vector<std::string>& categories =
        given_.categories.empty() ? profile_.seeds.categories : given_.categories;
    if (!given_.structure.empty()) check_categories(categories);
    const CategoryFilter filter(categories);
    for (const std::string& file : given_.directories) read_directory_file(file, filter);
    for (const std::string& file : given_.sitemaps) read_sitemap(file);
    if (!given_.back_links.empty()) read_back_links();
    for (const std::string& provider : given_.providers) ask(provider);
    line_.clear();
    if (out_ && std::fclose(out_.release()) != 0) {
      trouble(fmt::format("cannot write {}: {}", given_.to, std::strerror(errno)));
    }
    report();
    if (is_stopped_) return kInterrupted;
    return troubles_.empty() ? kDone : kFailed;
  }

 private:
  Status open() {
    if (given_.to.empty()) return {};
    out_.reset(std::fopen(given_.to.c_str(), "wx"));
    if (out_) return {};
    return Error{errno == EEXIST
                     ? fmt::format("{} exists: name another file, or remove it", given_.to)
                     : fmt::format("cannot write {}: {}", given_.to, std::strerror(errno))};
  }

  bool watch(const Progress& progress) {
    if (!line_.watch(progress)) is_stopped_ = true;
    return !is_stopped_;
  }

  void trouble(std::string sentence) {
    line_.clear();
    print_to_stderr(fmt::format("dowser seeds: {}\n", sentence));
    troubles_.push_back(std::move(sentence));
  }

  // The file is one that --seeds takes: where seeds come from stands in lines with #.
  void write(const Url& url, std::string_view from) {
    FILE* out = out_ ? out_.get() : stdout;
    if (given_.json && !out_) {
      list_.push_back({{"url", url.href()}, {"from", from}});
      return;
    }
    if (from != last_from_) {
      last_from_ = from;
      fmt::print(out, "# {}\n", from);
    }
    fmt::print(out, "{}\n", url.href());
  }

  void check_categories(const std::vector<std::string>& categories) {
    std::vector<uint64_t> found(categories.size());
    std::vector<std::string> names;
    std::vector<CategoryFilter> filters;
    for (const std::string& category : categories) filters.emplace_back(std::span(&category, 1));
    const auto report = read_categories(
        given_.structure,
        [&](std::string_view name) {
          for (size_t i = 0; i < filters.size(); ++i) found[i] += filters[i].takes(name);
          names.emplace_back(name);
        },
        [this](const Progress& p) { return watch(p); });
    if (!report) return trouble(report.error().message);
    if (report->damage) trouble(report->damage->message);
    for (size_t i = 0; i < categories.size(); ++i) {
      if (found[i] == 0) {
        trouble(fmt::format("{} has no category '{}'{}", given_.structure, categories[i],
                            did_you_mean(categories[i], names)));
      }
    }
  }

  void read_directory_file(const std::string& file, const CategoryFilter& filter) {
    if (is_stopped_) return;
    const auto report = read_directory(
        file, filter,
        [&](std::string_view address, std::string_view category) {
          from_ = "directory: ";
          from_ += category;
          collector_.add(address, from_);
        },
        [this](const Progress& p) { return watch(p); });
    if (!report) return trouble(report.error().message);
    entries_ += report->entries;
    if (report->damage) {
      trouble(fmt::format("{}; the {} entries before that are kept", report->damage->message,
                          report->entries));
    }
  }

  void read_sitemap(const std::string& file) {
    if (is_stopped_) return;
    const Result<std::string> bytes = read_file(file);
    if (!bytes) return trouble(bytes.error().message);
    const Result<Sitemap> sitemap = parse_sitemap(*bytes);
    if (!sitemap) return trouble(fmt::format("{}: {}", file, sitemap.error().message));
    for (const Sitemap::Entry& entry : sitemap->pages) {
      collector_.add(entry.url.href(), "sitemap: " + file);
    }
    for (const Sitemap::Entry& entry : sitemap->sitemaps) {
      trouble(fmt::format("{} is a list of sitemaps: fetch {} and name it with --sitemap too", file,
                          entry.url.href()));
    }
    if (sitemap->truncated)
      trouble(fmt::format("{} is cut short; the addresses up to there are kept", file));
  }

  void read_back_links() {
    if (is_stopped_) return;
    constexpr size_t kMost = 100'000;
    const auto files = archive_files(given_.back_links);
    if (!files) return trouble(files.error().message);
    Result<BackLinks> links = BackLinks::read(*files);
    if (!links) return trouble(links.error().message);
    for (const std::string& address : given_.pages) {
      Page page;
      const Result<Url> url = Url::parse(address);
      if (!url) {
        trouble(fmt::format("'{}' is not a valid address: {}", address, url.error().message));
        continue;
      }
      page.url = *url;
      const PageLayers layers = links->layers_around(std::span(&page, 1), 1, kMost);
      if (layers[0].empty()) trouble(fmt::format("no page links to {}", address));
      for (const Page* from : layers[0]) {
        collector_.add(from->url.href(), "links to: " + address);
      }
    }
  }

  Result<std::vector<std::string>> queries() const {
    if (given_.queries.empty()) return profile_.seeds.queries;
    const Result<std::string> text = read_file(given_.queries);
    if (!text) return text.error();
    std::vector<std::string> queries;
    std::istringstream lines(*text);
    for (std::string query; std::getline(lines, query);) {
      if (!query.empty() && query.back() == '\r') query.pop_back();
      if (!query.empty() && query[0] != '#') queries.push_back(query);
    }
    if (queries.empty()) return Error{fmt::format("{} contains no query", given_.queries)};
    return queries;
  }

  // A provider that fails once is asked no more: it would fail for every query.
  void ask(const std::string& text) {
    if (is_stopped_) return;
    const auto provider = make_provider(text, {});
    if (!provider) return trouble(provider.error().message);
    const auto list = queries();
    if (!list) return trouble(list.error().message);
    const size_t wanted = given_.results > 0 ? given_.results : profile_.seeds.results_per_query;
    const std::string name = (*provider)->spec().name;
    for (size_t q = 0; q < list->size(); ++q) {
      if (!watch({"queries", q, list->size()})) return;
      size_t got = 0;
      for (size_t page = 0; got < wanted; ++page) {
        const auto answer = (*provider)->search(SearchQuery{{(*list)[q]}}, page);
        if (!answer) {
          return trouble(fmt::format("{}: {}; {} of {} queries were sent", name,
                                     answer.error().message, q, list->size()));
        }
        if (answer->hits.empty()) break;
        for (const SearchHit& hit : answer->hits) {
          if (got++ == wanted) break;
          collector_.add(hit.url.href(), fmt::format("{}: {}", name, (*list)[q]));
        }
      }
    }
  }

  void report() {
    const SeedCollector::Counts& c = collector_.counts();
    if (given_.json) {
      nlohmann::ordered_json json = {{"offered", c.offered},          {"seeds", c.kept},
                                     {"repeats", c.repeats},          {"documents", c.documents},
                                     {"sponsors", c.sponsors},        {"invalid", c.invalid},
                                     {"directory_entries", entries_}, {"troubles", troubles_}};
      if (!given_.to.empty()) json["to"] = given_.to;
      if (given_.to.empty()) json["list"] = list_;
      print_json(json);
      return;
    }
    print_to_stderr(fmt::format(
        "{} seeds of {} addresses ({} repeats, {} documents, {} of sponsors, {} invalid){}\n",
        c.kept, c.offered, c.repeats, c.documents, c.sponsors, c.invalid,
        given_.to.empty() ? "" : ": " + given_.to));
  }

  struct Close {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  const Given& given_;
  const Profile profile_;
  std::unique_ptr<FILE, Close> out_;
  std::string last_from_, from_;
  nlohmann::ordered_json list_ = nlohmann::json::array();
  SeedCollector collector_;
  ProgressLine line_;
  std::vector<std::string> troubles_;
  uint64_t entries_ = 0;
  bool is_stopped_ = false;
};

Status check(const Given& given, const Profile& profile) {
  if (given.directories.empty() && given.sitemaps.empty() && given.back_links.empty() &&
      given.providers.empty()) {
    return Error{
        "name a source of seeds: --directory FILE, --sitemap FILE, --back-links FILE or --provider "
        "SPEC"};
  }
  if (!given.directories.empty() && given.categories.empty() && profile.seeds.categories.empty()) {
    return Error{"name the categories of the directory with --category Top/… or --profile"};
  }
  if (!given.back_links.empty() && given.pages.empty()) {
    return Error{"name the pages whose back-links you want with --page URL"};
  }
  if (!given.providers.empty() && given.queries.empty() && profile.seeds.queries.empty()) {
    return Error{"give the queries for the provider with --queries FILE or --profile"};
  }
  for (const std::string& provider : given.providers) {
    if (const auto made = make_provider(provider, {}); !made) return made.error();
  }
  return {};
}

}  // namespace

int seeds_command(CommandLine line) {
  Given given;
  Arguments arguments("seeds",
                      "Finds addresses to start from: in dumps of web directories and sitemaps, or "
                      "through back-links and search providers.",
                      "dowser seeds --directory content.rdf.u8.gz --profile computer-science --to "
                      "seeds.txt");
  arguments.list("directory", "FILE",
                 "a dump of a web directory: content.rdf.u8(.gz) of the Open Directory Project, or "
                 "a file of tab-separated fields (.tsv, .tsv.gz)",
                 &given.directories);
  arguments.list("category", "NAME",
                 "take this category of the directory and those below it, such as Top/Computers "
                 "(default: those of the profile)",
                 &given.categories);
  arguments.option(
      "structure", "FILE",
      "structure.rdf.u8(.gz) of the directory, to recognise categories that do not exist",
      &given.structure);
  arguments.list("sitemap", "FILE", "a sitemap or feed", &given.sitemaps);
  arguments.list("back-links", "FILE|DIR",
                 "archives or folders of crawls in which to look for links to --page",
                 &given.back_links);
  arguments.list("page", "URL", "take the pages that link to this one", &given.pages);
  arguments.list("provider", "SPEC",
                 "a search provider, such as 'searx(url=http://127.0.0.1:8888)'", &given.providers);
  arguments.option(
      "queries", "FILE",
      "a file of queries for the providers, one per line (default: those of the profile)",
      &given.queries);
  arguments.option(
      "results", "N",
      "take at most this number of results of a query (default: 200, or the profile's)",
      whole_number(&given.results, "results", 1));
  arguments.option("profile", "NAME|FILE",
                   "categories, queries, formats of documents and sponsors of a subject, such as "
                   "computer-science",
                   &given.profile);
  arguments.option("to", "FILE", "a new file for dowser crawl --seeds (default: standard output)",
                   output_file(&given.to));
  arguments.flag("json", "print one JSON object", &given.json);
  arguments.note(
      "Repeats, documents and hosts of sponsors are left out. A line with # says where the "
      "seeds\nafter it came from. If a source is damaged or does not answer, the seeds found "
      "before that are\nkept and the exit code is 1. Ctrl-C also keeps the seeds found so far.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  Result<Profile> profile = load_profile(given.profile);
  if (!profile) return fail("seeds", profile.error(), kUsage);
  if (Status s = check(given, *profile); !s) return fail("seeds", s.error(), kUsage);
  stop_gently();
  return SeedsCommand(given, std::move(*profile)).run();
}

}  // namespace dowser
