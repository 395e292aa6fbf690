#include "learn/frequent_sets.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>

// Apriori (Agrawal and Srikant 1994): no set can be frequent unless all of its subsets are. So sets
// are found level by level. Two frequent sets of k - 1 items that differ in their last item only
// make a candidate of k items; it is dropped where one of its other subsets is not frequent; the
// rest are counted.
//
// Example, support 2: {bread, milk}, {bread, milk, egg}, {milk, egg}. All three items are frequent.
// Of the pairs, bread-milk and milk-egg occur twice and bread-egg once. The candidate
// bread-milk-egg needs bread-egg, and is dropped without being counted.
//
// What differs from the paper is how candidates are counted. Pairs are counted in one pass over the
// transactions, in a hash table, because the candidates of that level are the square of the
// frequent items. From then on each frequent set carries the list of the transactions that hold it,
// and a candidate's list is the intersection of its parents' lists (Zaki 2000), which needs no hash
// tree and no further pass.
//
// Cost: the pairs of all transactions, then the lengths of the lists of the candidates' parents.
// Memory: the lists of two levels. tests/learn/frequent_sets_test.cc compares with the enumeration
// of all sets.

namespace dowser {
namespace {

using Items = std::vector<uint32_t>;

// A frequent set and the transactions that hold it, in ascending order.
struct Listed {
  Items items;
  std::vector<uint32_t> transactions;
};

// Counts different groups of a list of transactions; without groups, transactions.
class GroupCounter {
 public:
  explicit GroupCounter(std::span<const uint32_t> groups) : groups_(groups) {
    if (groups.empty()) return;
    last_.resize(size_t{*std::max_element(groups.begin(), groups.end())} + 1);
  }

  size_t count(std::span<const uint32_t> transactions) {
    if (groups_.empty()) return transactions.size();
    ++serial_;
    size_t count = 0;
    for (const uint32_t transaction : transactions) {
      uint64_t& last = last_[groups_[transaction]];
      count += last != serial_;
      last = serial_;
    }
    return count;
  }

 private:
  std::span<const uint32_t> groups_;
  std::vector<uint64_t> last_;  // of a group: in which count it was met last
  uint64_t serial_ = 0;
};

class Apriori {
 public:
  Apriori(std::span<const Items> transactions, const FrequentSetOptions& options,
          std::span<const uint32_t> groups)
      : transactions_(transactions), options_(options), counter_(groups) {}

  FrequentSets run() {
    if (options_.largest == 0 || !items() || options_.largest == 1) return std::move(found_);
    if (!pairs()) return std::move(found_);
    for (size_t size = 3; size <= options_.largest && level_.size() > 1; ++size) {
      if (!next_level()) break;
    }
    return std::move(found_);
  }

 private:
  size_t least() const { return std::max<size_t>(1, options_.support); }

  // False: the search ends here.
  bool go_on() {
    if (found_.sets.size() < options_.most && !(options_.stop && options_.stop())) return true;
    found_.complete = false;
    return false;
  }

  // Frequent items, and the transactions with nothing but those.
  bool items() {
    uint32_t highest = 0;
    for (const Items& transaction : transactions_) {
      for (const uint32_t item : transaction) highest = std::max(highest, item);
    }
    // Most items are rare, and a list for each would fill the memory: so they are counted first.
    std::vector<uint32_t> occurrences(size_t{highest} + 1);
    for (const Items& transaction : transactions_) {
      for (const uint32_t item : transaction) ++occurrences[item];
    }
    std::vector<std::vector<uint32_t>> lists(size_t{highest} + 1);
    for (uint32_t t = 0; t < transactions_.size(); ++t) {
      for (const uint32_t item : transactions_[t]) {
        if (occurrences[item] < least()) continue;
        if (lists[item].empty() || lists[item].back() != t) lists[item].push_back(t);
      }
    }
    kept_.resize(transactions_.size());
    for (uint32_t item = 0; item < lists.size(); ++item) {
      if (lists[item].size() < least()) continue;
      const size_t support = counter_.count(lists[item]);
      if (support < least()) continue;
      found_.sets.push_back({{item}, support});
      for (const uint32_t t : lists[item]) kept_[t].push_back(item);
    }
    return go_on();
  }

  bool pairs() {
    // A pair is one number: the smaller item above, the larger one below.
    absl::flat_hash_map<uint64_t, uint32_t> counts;
    for (size_t t = 0; t < kept_.size(); ++t) {
      if (t % 4096 == 0 && !go_on()) return false;
      for_each_pair(kept_[t], [&](uint64_t pair) { ++counts[pair]; });
    }
    absl::flat_hash_map<uint64_t, std::vector<uint32_t>> lists;
    for (const auto& [pair, count] : counts) {
      if (count >= least()) lists[pair].reserve(count);
    }
    for (uint32_t t = 0; t < kept_.size(); ++t) {
      for_each_pair(kept_[t], [&](uint64_t pair) {
        if (const auto list = lists.find(pair); list != lists.end()) list->second.push_back(t);
      });
    }
    for (auto& [pair, list] : lists) {
      level_.push_back(
          {{static_cast<uint32_t>(pair >> 32), static_cast<uint32_t>(pair)}, std::move(list)});
    }
    return keep_frequent();
  }

  template <class Use>
  static void for_each_pair(const Items& items, const Use& use) {
    for (size_t a = 0; a < items.size(); ++a) {
      for (size_t b = a + 1; b < items.size(); ++b) use(uint64_t{items[a]} << 32 | items[b]);
    }
  }

  // Of the level's candidates those with support become found, and the others go.
  bool keep_frequent() {
    std::sort(level_.begin(), level_.end(),
              [](const Listed& a, const Listed& b) { return a.items < b.items; });
    std::erase_if(level_, [&](const Listed& set) {
      const size_t support = counter_.count(set.transactions);
      if (support >= least()) found_.sets.push_back({set.items, support});
      return support < least();
    });
    return go_on();
  }

  bool next_level() {
    absl::flat_hash_set<Items> frequent;
    for (const Listed& set : level_) frequent.insert(set.items);
    std::vector<Listed> candidates;
    for (size_t a = 0; a < level_.size(); ++a) {
      if (a % 256 == 0 && !go_on()) return false;
      for (size_t b = a + 1; b < level_.size() && same_beginning(level_[a], level_[b]); ++b) {
        Listed candidate{level_[a].items, {}};
        candidate.items.push_back(level_[b].items.back());
        if (!subsets_are_frequent(candidate.items, frequent)) continue;
        std::set_intersection(level_[a].transactions.begin(), level_[a].transactions.end(),
                              level_[b].transactions.begin(), level_[b].transactions.end(),
                              std::back_inserter(candidate.transactions));
        if (candidate.transactions.size() < least()) continue;
        candidates.push_back(std::move(candidate));
        if (found_.sets.size() + candidates.size() >= options_.most) a = level_.size();
      }
    }
    level_ = std::move(candidates);
    return keep_frequent();
  }

  static bool same_beginning(const Listed& a, const Listed& b) {
    return std::equal(a.items.begin(), a.items.end() - 1, b.items.begin());
  }

  // Those that lack one of the items before the last two: the other two are the parents.
  static bool subsets_are_frequent(const Items& items, const absl::flat_hash_set<Items>& frequent) {
    for (size_t without = 0; without + 2 < items.size(); ++without) {
      Items subset = items;
      subset.erase(subset.begin() + static_cast<ptrdiff_t>(without));
      if (!frequent.contains(subset)) return false;
    }
    return true;
  }

  const std::span<const Items> transactions_;
  const FrequentSetOptions& options_;
  GroupCounter counter_;
  std::vector<Items> kept_;
  std::vector<Listed> level_;
  FrequentSets found_;
};

}  // namespace

FrequentSets frequent_sets(std::span<const Items> transactions, const FrequentSetOptions& options,
                           std::span<const uint32_t> groups) {
  return Apriori(transactions, options, groups).run();
}

}  // namespace dowser
