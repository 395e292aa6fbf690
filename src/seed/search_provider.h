#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/spec.h"
#include "model/search_query.h"
#include "model/url.h"

// Finds pages that contain given phrases: the full-text index of a collection, or a search engine
// that a person has named. A provider is a plug-in with a text form, such as
// `searx(url=http://127.0.0.1:8888)`; engine/plugins.cc has the list of them.

namespace dowser {

class TextIndex;

struct SearchHit {
  Url url;  // http or https
  std::string title;
};

struct SearchAnswer {
  std::vector<SearchHit> hits;  // the best first
  // How many pages match in all. Nothing if the provider does not report it; a provider that
  // reports 0 although there are results does not know either.
  std::optional<uint64_t> count;
};

class SearchProvider {
 public:
  virtual ~SearchProvider() = default;

  // One page of results; `page` is zero-based. An answer without hits means that there are no
  // further ones. Blocks until the answer has come; the caller may call it as often as it likes,
  // since a provider on the network keeps the pause between two requests itself.
  virtual Result<SearchAnswer> search(const SearchQuery& query, size_t page) = 0;

  // How many pages match; nothing if the provider does not know. By default the count of the
  // first page of results.
  virtual Result<std::optional<uint64_t>> count(const SearchQuery& query) {
    Result<SearchAnswer> answer = search(query, 0);
    if (!answer) return answer.error();
    return answer->count;
  }

  // How many pages would match both queries by chance, given how pages differ in length and how
  // hosts differ in what they are about; nothing if the provider does not know.
  virtual Result<std::optional<double>> expected_both(const SearchQuery&, const SearchQuery&) {
    return std::optional<double>();
  }

  // The number of pages that it searches in. Nothing: those of a web, and their number is unknown.
  virtual std::optional<uint64_t> size() const { return std::nullopt; }

  // Its text form; secrets are not in it.
  virtual Spec spec() const = 0;
};

// What a provider is given when it is made.
struct ProviderContext {
  TextIndex* index = nullptr;             // for `index`; outlives the provider
  std::string user_agent = "Dowser/0.1";  // for those on the network
  // Bounds of one request, which may be changed for tests.
  Duration pause = std::chrono::seconds(1);      // between two requests
  Duration patience = std::chrono::seconds(20);  // until the last byte of an answer
  size_t most_bytes = 4 << 20;                   // of an answer; a longer one is refused
};

using MakeProvider = Result<std::unique_ptr<SearchProvider>>(const Spec&, const ProviderContext&);

MakeProvider make_index_provider;
MakeProvider make_json_provider;
MakeProvider make_searx_provider;

}  // namespace dowser
