#include "seed/search_provider.h"
#include "store/text_index.h"

namespace dowser {
namespace {

constexpr size_t kPageSize = 100;

// The pages that are already held. Its counts are exact.
class IndexProvider final : public SearchProvider {
 public:
  explicit IndexProvider(TextIndex& index) : index_(index) {}

  Result<SearchAnswer> search(const SearchQuery& query, size_t page) override {
    SearchAnswer answer;
    const Result<uint64_t> count = index_.count(query);
    if (!count) return count.error();
    answer.count = *count;
    const auto matches = index_.find(query, page * kPageSize, kPageSize);
    if (!matches) return matches.error();
    for (const TextIndex::Match& match : *matches) {
      if (Result<Url> url = Url::parse(match.url)) {
        answer.hits.push_back({std::move(*url), match.title});
      }
    }
    return answer;
  }

  Result<std::optional<uint64_t>> count(const SearchQuery& query) override {
    const Result<uint64_t> count = index_.count(query);
    if (!count) return count.error();
    return std::optional<uint64_t>(*count);
  }

  Result<std::optional<double>> expected_both(const SearchQuery& a, const SearchQuery& b) override {
    const Result<double> expected = index_.expected_both(a, b);
    if (!expected) return expected.error();
    return std::optional<double>(*expected);
  }

  std::optional<uint64_t> size() const override { return index_.pages(); }
  Spec spec() const override { return {"index", {}}; }

 private:
  TextIndex& index_;
};

}  // namespace

Result<std::unique_ptr<SearchProvider>> make_index_provider(const Spec& spec,
                                                            const ProviderContext& context) {
  Parameters parameters(spec);
  if (auto bad = parameters.finish()) return *bad;
  if (!context.index) {
    return Error{"the provider index searches the pages of a crawl or archive: name one"};
  }
  return std::unique_ptr<SearchProvider>(std::make_unique<IndexProvider>(*context.index));
}

}  // namespace dowser
