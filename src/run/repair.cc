#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "base/new_file.h"
#include "base/set_aside.h"
#include "base/state_reading.h"
#include "run/check_parts.h"
#include "run/config.h"
#include "run/own_places.h"
#include "run/run.h"
#include "store/unsorted_index.h"

namespace dowser {
namespace {

using std::filesystem::path;

class Repair {
 public:
  explicit Repair(const path& folder) : folder_(folder), set_aside_(folder, SystemClock().now()) {}

  Result<RepairReport> run(const CheckReport& found, const Watch& watch) {
    // No crawl may begin while its files are exchanged.
    if (Status s = has_no_links(folder_); !s) return s.error();
    const Result<StateLock> lock = StateLock::take(folder_ / "state");
    if (!lock) return lock.error();
    // The configuration first: the catalogue is made with it.
    if (found.configuration_is_bad) {
      if (Status s = repair_configuration(); !s) return s.error();
    }
    if (found.model_is_bad) {
      if (Status s = repair_model(); !s) return s.error();
    }
    std::error_code failed;
    const bool has_index = std::filesystem::exists(folder_ / "index.cdxj", failed);
    // Without a catalogue nobody knows whether there should be an index.
    if (found.index_is_bad || (found.catalogue_is_bad && !has_index)) {
      if (Status s = repair_index(watch); !s) return s.error();
    }
    if (found.catalogue_is_bad) {
      if (Status s = repair_catalogue(watch); !s) return s.error();
      repair_verdicts();
    }
    return report_;
  }

 private:
  // The original also stands aside from now on; where it was it stays until a new one takes its
  // place, so that there is always one.
  Status keep_original(const std::string& name) {
    std::error_code failed;
    if (!std::filesystem::exists(folder_ / name, failed)) return {};
    const Result<path> place = set_aside_.path_for(name);
    if (!place) return place.error();
    report_.set_aside = set_aside_.folder();
    std::filesystem::create_hard_link(folder_ / name, *place, failed);
    return failed ? set_aside_.copy(folder_ / name) : Status{};
  }

  Status replace_with(const std::string& name, std::string_view content) {
    if (Status s = keep_original(name); !s) return s;
    return replace_own_file(folder_ / name, content);
  }

  // From the newest run of the catalogue, or from the archive.
  Status repair_configuration() {
    std::string text;
    CheckReport unused;
    text = check_catalogue(folder_, unused).configuration;
    const char* source = "the catalogue";
    if (text.empty()) {
      text = configuration_in_archive();
      source = "the archive";
    }
    CrawlConfig config;
    if (text.empty() || !read_config_text(text, "crawl.toml", config)) {
      return Error{
          "crawl.toml cannot be rebuilt: neither the catalogue nor the archive has the "
          "configuration; write it by hand"};
    }
    if (Status s = replace_with("crawl.toml", text); !s) return s;
    report_.done.push_back(fmt::format("crawl.toml: taken from {}", source));
    return {};
  }

  // The first record of a file says with which settings it was begun.
  std::string configuration_in_archive() const {
    const auto names = own_archive_files(folder_ / "archive");
    if (!names || names->empty()) return {};
    Result<WarcReader> reader = WarcReader::open(folder_ / "archive" / names->back());
    if (!reader) return {};
    const auto info = reader->next();
    if (!info || info->type != RecordType::kWarcinfo) return {};
    std::string text;
    constexpr std::string_view kPrefix = "dowser-";
    for (std::string_view rest = info->block; !rest.empty();) {
      const size_t end = std::min(rest.find("\r\n"), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 2, rest.size()));
      const size_t colon = line.find(": ");
      if (!line.starts_with(kPrefix) || colon == line.npos) continue;
      text += fmt::format("{} = {}\n", line.substr(kPrefix.size(), colon - kPrefix.size()),
                          line.substr(colon + 2));
    }
    CrawlConfig config;
    if (text.empty() || !read_config_text(text, "crawl.toml", config)) return {};
    config.out = folder_.string();
    return config_text(config);
  }

  // From where the crawl had copied it.
  Status repair_model() {
    CrawlConfig config;
    CheckReport unused;
    const std::string digest = check_state(folder_, unused).model_digest;
    if (Status s = read_config(folder_ / "crawl.toml", config); !s) return s;
    const Result<std::string> model = read_file(config.model, kLargestData);
    if (!model || sha1_digest(*model) != digest) {
      report_.done.push_back(fmt::format(
          "model.json: not rebuilt, because {} is not the model that the crawl was started with",
          config.model));
      return {};
    }
    if (Status s = replace_with("model.json", *model); !s) return s;
    report_.done.push_back(fmt::format("model.json: copied from {}", config.model));
    return {};
  }

  Status repair_index(const Watch& watch) {
    const path beside = folder_ / ".index.unsorted.repair";
    std::error_code failed;
    std::filesystem::remove(beside, failed);  // of a repair that was interrupted
    Result<UnsortedIndex> unsorted = UnsortedIndex::open(beside, folder_ / "archive");
    if (!unsorted) return unsorted.error();
    std::vector<std::string> lines;
    Status read = for_each_record(folder_ / "archive", watch,
                                  [&](const std::string& name, const WarcRecord& record) {
                                    const auto line = cdx_entry(record, name);
                                    if (line && record.place.addressable()) {
                                      lines.push_back(line->line() + '\n');
                                      unsorted->add(*line);
                                    }
                                    return Status{};
                                  });
    if (!read) {
      std::filesystem::remove(beside, failed);
      return read;
    }
    if (Status s = unsorted->flush(); !s) return s;
    if (Status s = sync_file(beside); !s) return s;
    if (Status s = keep_original("index.unsorted"); !s) return s;
    std::filesystem::rename(beside, folder_ / "index.unsorted", failed);
    if (failed) return Error{fmt::format("cannot write index.unsorted: {}", failed.message())};
    std::sort(lines.begin(), lines.end());
    std::string sorted;
    for (const std::string& line : lines) sorted += line;
    if (Status s = replace_with("index.cdxj", sorted); !s) return s;
    report_.done.push_back(
        fmt::format("index: rebuilt from the archive, {}", counted(lines.size(), "line")));
    return {};
  }

  static void remove_unfinished(const path& catalogue) {
    std::error_code failed;
    for (const char* end : {"", "-wal", "-shm"}) {
      std::filesystem::remove(catalogue.string() + end, failed);
    }
  }

  Status repair_catalogue(const Watch& watch) {
    const std::string name = "catalogue.sqlite";
    const path beside = folder_ / ("." + name + ".repair");
    std::error_code failed;
    remove_unfinished(beside);  // of a repair that was killed
    const Result<Rebuilt> rebuilt = rebuild_catalogue(folder_, beside, watch);
    if (!rebuilt) {
      remove_unfinished(beside);
      return rebuilt.error();
    }
    if (Status s = sync_file(beside); !s) return s;
    if (Status s = keep_original(name); !s) return s;
    // The log of the old one must not be taken for one of the new.
    for (const char* end : {"-wal", "-shm"}) {
      if (Status s = keep_original(name + end); !s) return s;
      std::filesystem::remove(folder_ / (name + end), failed);
    }
    std::filesystem::rename(beside, folder_ / name, failed);
    if (failed) return Error{fmt::format("cannot write {}: {}", name, failed.message())};
    std::string sentence =
        fmt::format("catalogue: rebuilt from the archive, {}", counted(rebuilt->pages, "page"));
    if (rebuilt->taken > 0) {
      sentence += fmt::format(", of which {} were undamaged and have been kept",
                              with_commas(rebuilt->taken));
    }
    if (rebuilt->incomplete > 0) {
      sentence += fmt::format(
          ", of which {} are incomplete because their records are damaged or from an older version",
          with_commas(rebuilt->incomplete));
    }
    report_.done.push_back(std::move(sentence));
    return {};
  }

  // The archive tells what was said when a page came, not what was said at the end.
  void repair_verdicts() {
    const Status restored = restore_verdicts(folder_);
    if (restored.ok()) return;
    report_.done.push_back(
        fmt::format("the pages have the verdicts from when they were fetched ({}): judge them "
                    "again with  dowser rejudge {}",
                    restored.error().message, folder_.string()));
  }

  const path folder_;
  SetAside set_aside_;
  RepairReport report_;
};

}  // namespace

Result<RepairReport> repair_crawl(const path& folder, const CheckReport& report,
                                  const Watch& watch) {
  return Repair(folder).run(report, watch);
}

}  // namespace dowser
