#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

// The settings of a crawl. Each has one name, the same on the command line (--max-pages), in
// --config FILE.toml and in crawl.toml, which a crawl leaves behind; settings() is the one list of
// them.

namespace dowser {

struct CrawlConfig {
  std::vector<std::string> seeds;         // addresses
  std::string seeds_file;                 // one address a line
  std::string topic;                      // words
  std::vector<std::string> examples;      // addresses in the web, or files
  std::vector<std::string> not_examples;  // the same, for pages that are not on the topic
  std::string strategy = "learned";
  std::string judge;                // empty: the one that suits the strategy
  std::string profile;              // a built-in one, or a file; empty: no profile
  std::string model;                // a file that dowser learn made, for the judge
  std::optional<double> threshold;  // of relevance; nothing: the judge's own
  std::vector<std::string> web;     // archive files; none, or "live": the live web
  std::string missing = "drop";
  int64_t max_pages = 1000;
  int64_t max_relevant = 0;  // 0: no limit
  Duration max_time{0};
  std::optional<double> stop_at_recall, stop_at_harvest;  // by the advice; 0: never
  int64_t max_depth = 0;
  int64_t max_per_host = 0, max_per_site = 0;
  int64_t max_url_length = 2000;
  // Of the live web.
  int64_t max_page_size = 4 << 20;  // bytes
  Duration connect_timeout = std::chrono::seconds(10), answer_timeout = std::chrono::seconds(20),
           timeout = std::chrono::seconds(60);
  int64_t max_waiting = 0;
  std::optional<Duration> delay;       // nothing: 1 s on the live web, 0 on an archived one
  std::optional<int64_t> connections;  // nothing: 32 on the live web, 1 on an archived one
  int64_t host_gap = 0;
  std::optional<int64_t>
      max_per_address;  // nothing: 8 on the live web, no limit on an archived one
  std::vector<std::string> only_hosts, only_domains, only_paths, deny;
  bool documents = false;
  int64_t max_document = 64 << 20;                      // bytes
  int64_t min_pdf = 8 << 10;                            // bytes
  Duration conversion_time = std::chrono::seconds(20);  // of processor time
  std::optional<int64_t> converters;                    // nothing: one per core
  // In file names of documents. None: the usual ones; "none" alone: no name is unwelcome.
  std::vector<std::string> unwelcome_names;
  bool traps = true;
  bool near_duplicates = true;
  bool soft_404 = true;
  bool sitemaps = false;
  std::vector<std::string> previous;    // folders of earlier crawls
  std::vector<std::string> back_links;  // archive files, or folders of earlier crawls
  std::vector<std::string> allow_hosts;
  std::vector<std::string> resolve;  // HOST=ADDRESS:PORT
  std::string user_agent = "Dowser/0.1";
  std::string contact;
  int64_t random_seed = 1;
  std::string metrics;        // address where metrics are served
  std::string metrics_token;  // that a request must carry; empty: a random one
  std::string out;
  // Not a setting: the program that converts documents, which is this one.
  std::filesystem::path converter_program = "/proc/self/exe";
};

bool is_live(const CrawlConfig& config);

enum class SettingKind { kText, kNumber, kList };

struct Setting {
  std::string name;         // "max-pages"
  std::string placeholder;  // "N"
  std::string help;         // one line
  SettingKind kind;
  // Sets one value; a list grows by it.
  std::function<Status(CrawlConfig&, std::string_view)> set;
  std::function<void(CrawlConfig&)> clear;  // a list becomes empty; nothing for others
  // The values as text; none if it is not set, and never those of a secret.
  std::function<std::vector<std::string>(const CrawlConfig&)> get;
};

std::span<const Setting> settings();

// Sets what the file says. Unknown keys are refused with the nearest known one.
Status read_config(const std::filesystem::path& file, CrawlConfig& config);
Status read_config_text(std::string_view toml, std::string_view source, CrawlConfig& config);

// The whole configuration as TOML, without secrets; read_config_text() reads it back. It is written
// to crawl.toml, to the catalogue and to the archive, which users may publish.
std::string config_text(const CrawlConfig& config);

// What is wrong with the settings as a whole, as far as this can be checked without opening files.
Status check_config(const CrawlConfig& config);

}  // namespace dowser
