#include "mine/linked_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "archive/archive_index.h"
#include "archive/warc_writer.h"
#include "base/hash.h"
#include "model/registrable_domain.h"
#include "model/url_canonical.h"
#include "parse/parse_page.h"
#include "store/link_rows.h"
#include "text/terms.h"
#include "text/topic_vector.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kMostRemembered = 4'000'000;  // addresses of links, 24 bytes each
constexpr size_t kWatchEvery = 4096;           // links
constexpr int kMostRedirects = 10;

uint64_t key_of(std::string_view address) {
  const Result<Url> url = Url::parse(address);
  return url && url->is_http() ? seen_fingerprint(*url) : 0;
}

Result<std::vector<TopicVector>> topic_vectors(const std::vector<std::string>& topics) {
  std::vector<TopicVector> vectors;
  for (const std::string& words : topics) {
    vectors.emplace_back().add_words(words);
    if (term_ids(words, "en").empty()) {
      return Error{fmt::format("the topic '{}' has only very common words: give others", words)};
    }
  }
  return vectors;
}

Result<std::vector<fs::path>> archives_in(const fs::path& crawl) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(crawl / "archive", failed)) {
    // Other files there are the user's own.
    if (archive_number(entry.path().filename().string())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (!files.empty()) return files;
  return Error{
      fmt::format("{} has no archive, so the words of its pages are not known: leave out --topic",
                  crawl.string())};
}

}  // namespace

class LinkedPagesReader {
 public:
  LinkedPagesReader(const LinkedPagesOptions& options, const WatchWork& watch)
      : options_(options), watch_(watch) {}

  Status read(const std::vector<std::string>& places) {
    Result<std::vector<TopicVector>> vectors = topic_vectors(options_.topics);
    if (!vectors) return vectors.error();
    vectors_ = std::move(*vectors);
    for (const std::string& topic : options_.topics) result_.topics.push_back({topic, {}, false});
    std::error_code failed;
    for (const std::string& place : places) {
      if (!fs::exists(place, failed)) return Error{fmt::format("there is no {}", place)};
      if (!fs::is_directory(place, failed)) continue;
      if (places.size() > 1) return Error{"give the folder of one crawl, or archive files"};
      return read_crawl(place);
    }
    const std::vector<fs::path> files(places.begin(), places.end());
    if (Status s = read_archives(files, false); !s) return s;
    if (!stopped_) resolve_targets();
    return {};
  }

  std::optional<LinkedPages> take() {
    if (!go_on("linking", 0)) return std::nullopt;
    builder_.need_nodes(result_.pages.size());
    result_.graph = builder_.freeze();
    result_.hosts = hosts_.size();
    result_.sites = sites_.size();
    for (LinkedPages::OnTopic& topic : result_.topics) topic.relevance.resize(result_.pages.size());
    return std::move(result_);
  }

  bool stopped() const { return stopped_; }
  size_t pages() const { return result_.pages.size(); }

 private:
  bool go_on(std::string_view phase, double share) {
    stopped_ = stopped_ || !watch_(phase, share);
    return !stopped_;
  }

  // The node of a page; kNone where its address is not a web address. `key` is that of its address.
  uint32_t add_page(const Url& url, uint64_t key, std::string_view title, int64_t id) {
    if (key == 0) return kNone;
    const auto [it, is_new] =
        result_.nodes_.emplace(key, static_cast<uint32_t>(result_.pages.size()));
    if (!is_new) return it->second;
    LinkedPages::Page page{result_.texts_.copy(url.href()), result_.texts_.copy(title), id, 0, 0};
    page.host = number(hosts_, url.host());
    page.site = number(sites_, registrable_domain(url.hostname()));
    result_.pages.push_back(page);
    return it->second;
  }

  static uint32_t number(absl::flat_hash_map<std::string, uint32_t>& numbers,
                         std::string_view name) {
    return numbers.emplace(name, static_cast<uint32_t>(numbers.size())).first->second;
  }

  Status read_crawl(const fs::path& folder) {
    const fs::path catalogue = folder / "catalogue.sqlite";
    std::error_code failed;
    if (!fs::exists(catalogue, failed)) {
      return Error{fmt::format("{} is not the folder of a crawl: it has no catalogue.sqlite",
                               folder.string())};
    }
    result_.of_crawl = true;
    if (Status s = read_catalogue_pages(catalogue); !s) return s;
    if (Status s = read_catalogue_links(catalogue); !s) return s;
    if (stopped_ || options_.topics.empty()) return {};
    const Result<std::vector<fs::path>> files = archives_in(folder);
    if (!files) return files.error();
    return read_archives(*files, true);
  }

  Status read_catalogue_pages(const fs::path& catalogue) {
    const bool own_topic = options_.topics.empty();
    if (own_topic) result_.topics.push_back({"the crawl's own", {}, true});
    return for_each_fetched_page(catalogue, [&](const FetchedPage& row) {
      const Result<Url> url = Url::parse(row.final_url);
      if (!url || !url->is_http()) return true;
      const size_t before = result_.pages.size();
      const uint32_t node = add_page(*url, seen_fingerprint(*url), row.title, row.id);
      if (const uint64_t key = key_of(row.url)) result_.nodes_.emplace(key, node);
      if (static_cast<size_t>(row.id) >= node_of_id_.size()) {
        node_of_id_.resize(static_cast<size_t>(row.id) + 1, kNone);
      }
      node_of_id_[static_cast<size_t>(row.id)] = node;
      if (own_topic && result_.pages.size() > before) {
        result_.topics[0].relevance.push_back(row.relevant ? row.relevance : 0);
      }
      return go_on("reading pages", 0);
    });
  }

  Status read_catalogue_links(const fs::path& catalogue) {
    absl::flat_hash_map<uint64_t, uint32_t> known;  // nodes of addresses as they are written
    return for_each_link(catalogue, [&](const CatalogueLink& row) {
      if (++result_.links_read % kWatchEvery == 0 &&
          !go_on("reading links",
                 static_cast<double>(row.page) / static_cast<double>(node_of_id_.size()))) {
        return false;
      }
      const auto page = static_cast<size_t>(row.page);
      const uint32_t from = page < node_of_id_.size() ? node_of_id_[page] : kNone;
      if (from == kNone || (row.nofollow && !options_.with_nofollow)) return true;
      const std::string_view address = row.url.substr(0, row.url.find('#'));
      const uint64_t text = hash64(address);
      uint32_t to = kNone;
      if (const auto it = known.find(text); it != known.end()) {
        to = it->second;
      } else {
        const auto node = result_.nodes_.find(key_of(address));
        to = node == result_.nodes_.end() ? kNone : node->second;
        if (known.size() < kMostRemembered) known.emplace(text, to);
      }
      if (to != kNone && to != from) builder_.add(from, to);
      return true;
    });
  }

  // With `known_pages` only the relevance of pages that are nodes already is taken.
  Status read_archives(const std::vector<fs::path>& files, bool known_pages) {
    const Result<ArchiveSet> archive = ArchiveSet::open(files);
    if (!archive) return archive.error();
    ParseOptions parsing;
    parsing.detect_language = parsing.count_terms = !vectors_.empty();
    size_t done = 0;
    for (const std::string& address : archive->urls()) {
      if (!go_on(known_pages ? "reading words" : "reading pages",
                 static_cast<double>(done++) / static_cast<double>(archive->urls().size()))) {
        return {};
      }
      const Result<Response> response = archive->load(*archive->find(address));
      if (!response) continue;
      const Result<Url> url = Url::parse(address);
      if (!url || !url->is_http()) continue;
      if (!known_pages && response->is_redirect()) {
        redirects_.emplace(seen_fingerprint(*url), seen_fingerprint(response->redirect_target()));
      }
      if (response->status < 200 || response->status > 299) continue;
      take_archived(parse_page(*response, parsing), *url, known_pages);
    }
    return {};
  }

  void take_archived(const Page& page, const Url& url, bool known_pages) {
    const uint64_t key = seen_fingerprint(url);
    uint32_t node = kNone;
    if (known_pages) {
      const auto it = result_.nodes_.find(key);
      if (it == result_.nodes_.end()) return;
      node = it->second;
    } else {
      node = add_page(url, key, page.title, static_cast<int64_t>(result_.pages.size()));
    }
    for (size_t i = 0; i < vectors_.size(); ++i) {
      std::vector<double>& relevance = result_.topics[i].relevance;
      if (node >= relevance.size()) relevance.resize(result_.pages.size());
      relevance[node] = vectors_[i].similarity(page.terms, page.language);
    }
    if (known_pages) return;
    for (const Link& link : page.links) {
      ++result_.links_read;
      if (!link.url.is_http() || (link.nofollow && !options_.with_nofollow)) continue;
      targets_.push_back({node, seen_fingerprint(link)});
    }
  }

  // The links of archives, whose pages are known only now.
  void resolve_targets() {
    for (const auto& [from, address] : targets_) {
      uint64_t key = address;
      for (int hop = 0; hop < kMostRedirects && !result_.nodes_.contains(key); ++hop) {
        const auto redirect = redirects_.find(key);
        if (redirect == redirects_.end()) break;
        key = redirect->second;
      }
      const auto to = result_.nodes_.find(key);
      if (to != result_.nodes_.end() && to->second != from) builder_.add(from, to->second);
    }
    targets_.clear();
  }

  struct Target {
    uint32_t from;
    uint64_t address;
  };

  const LinkedPagesOptions& options_;
  const WatchWork& watch_;
  bool stopped_ = false;
  std::vector<TopicVector> vectors_;
  LinkedPages result_;
  LinkGraphBuilder builder_;
  absl::flat_hash_map<std::string, uint32_t> hosts_, sites_;
  std::vector<uint32_t> node_of_id_;
  std::vector<Target> targets_;
  absl::flat_hash_map<uint64_t, uint64_t> redirects_;
};

Result<std::optional<LinkedPages>> read_linked_pages(const std::vector<std::string>& places,
                                                     const LinkedPagesOptions& options,
                                                     const WatchWork& watch) {
  LinkedPagesReader reader(options, watch);
  if (Status s = reader.read(places); !s) return s.error();
  if (reader.stopped()) return std::optional<LinkedPages>();
  if (reader.pages() == 0) {
    return Error{
        fmt::format("{} has no fetched page, so there is nothing to rank", places.front())};
  }
  return reader.take();
}

std::vector<uint32_t> LinkedPages::host_numbers() const {
  std::vector<uint32_t> numbers;
  numbers.reserve(pages.size());
  for (const Page& page : pages) numbers.push_back(page.host);
  return numbers;
}

std::vector<uint32_t> LinkedPages::site_numbers() const {
  std::vector<uint32_t> numbers;
  numbers.reserve(pages.size());
  for (const Page& page : pages) numbers.push_back(page.site);
  return numbers;
}

std::optional<uint32_t> LinkedPages::find(std::string_view address) const {
  const auto it = nodes_.find(key_of(address));
  return it == nodes_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace dowser
