#include "mine/topics/topics.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mine/topics/topic_rules.h"
#include "text/number_forms.h"
#include "text/tokens.h"

namespace dowser {
namespace {

// So many addresses are tried for a page that is wanted; a provider may name what nobody can read.
constexpr size_t kMostTries = 10;
// So many questions in a row may fail before the provider is given up.
constexpr size_t kMostFailures = 3;

// Words of which the last occurs in its singular, as far as rules tell: the shorter of two forms.
std::vector<std::string> counted_words(std::string_view phrase) {
  std::vector<std::string> words = tokens(phrase, {.digits = true});
  if (!words.empty()) {
    const std::vector<std::string> forms = number_forms(words.back());
    words.back() = *std::min_element(
        forms.begin(), forms.end(),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  }
  return words;
}

// Also where the phrase occurs in its plural or singular at the end of the text.
bool holds_phrase(std::string_view text, std::string_view phrase) {
  const auto holds = [&](const std::vector<std::string>& words) {
    const std::vector<std::string> part = counted_words(phrase);
    return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
  };
  return holds(counted_words(text)) || holds(tokens(text, {.digits = true}));
}

// The parts of the keyword that pages with the phrase do not have by construction.
std::vector<std::string> parts_beside(const TopicsFound& found, std::string_view phrase) {
  std::vector<std::string> parts;
  for (const std::string& part : found.keyword_parts) {
    if (!holds_phrase(phrase, part)) parts.push_back(part);
  }
  return parts;
}

std::vector<std::string> with(std::vector<std::string> phrases, const std::string& another) {
  phrases.push_back(another);
  return phrases;
}

// Candidates are counted in singular and plural together, so "wildcard" and "wildcards" are one:
// the one with the higher support, which comes first. The keyword itself is none.
std::vector<TopicCandidate> without_other_numbers(std::vector<TopicCandidate> candidates,
                                                  std::string_view keyword) {
  std::vector<TopicCandidate> result;
  std::map<std::vector<std::string>, size_t> places;
  const std::vector<std::string> own = counted_words(keyword);
  for (TopicCandidate& candidate : candidates) {
    std::vector<std::string> words = counted_words(candidate.phrase);
    if (words == own) continue;
    const auto [it, is_new] = places.try_emplace(std::move(words), result.size());
    if (is_new) {
      result.push_back(std::move(candidate));
      continue;
    }
    TopicCandidate& first = result[it->second];
    first.starred |= candidate.starred;
    first.items.insert(first.items.end(), candidate.items.begin(), candidate.items.end());
  }
  return result;
}

class TopicFinder {
 public:
  TopicFinder(std::string_view keyword, const TopicSources& sources, const TopicOptions& options,
              const TopicProgress& progress)
      : sources_(sources),
        options_(options),
        progress_(progress),
        collector_(keyword, options.digits) {
    found_.keyword = keyword;
    if (options.match == KeywordMatch::kWords) {
      found_.keyword_parts = tokens(keyword, {.digits = true});
    }
    if (found_.keyword_parts.empty()) found_.keyword_parts = {found_.keyword};
  }

  Result<std::optional<TopicsFound>> run() {
    if (Status s = gather(); !s) return s.error();
    if (stopped_) return std::optional<TopicsFound>();
    found_.items = collector_.take();
    CandidateOptions options = options_.candidates;
    options.stop = [&] { return !tell("candidates", 0, 0); };
    TopicCandidates candidates = topic_candidates(found_.items, found_.keyword, options);
    if (stopped_) return std::optional<TopicsFound>();
    const TopicRules rules(found_.items, options_.candidates.support);
    for (TopicCandidate& candidate :
         without_other_numbers(std::move(candidates.candidates), found_.keyword)) {
      ScoredTopic topic;
      topic.is_left_out = !options_.as_printed && is_left_out(candidate, rules);
      topic.candidate = std::move(candidate);
      topic.is_in_prose = collector_.is_in_prose(tokens(topic.candidate.phrase, {.digits = true}));
      found_.topics.push_back(std::move(topic));
    }
    if (Status s = count(); !s) return s.error();
    if (stopped_) return std::optional<TopicsFound>();
    drop_what_is_left_out();
    score_topics(found_, options_.candidates.support, options_.types);
    return std::optional<TopicsFound>(std::move(found_));
  }

 private:
  bool tell(std::string_view step, size_t done, size_t of) {
    if (!stopped_ && !progress_(step, done, of)) stopped_ = true;
    return !stopped_;
  }

  // They are counted before, since they say how frequent words are beside the keyword.
  void drop_what_is_left_out() {
    found_.counted = found_.topics.size();
    for (const ScoredTopic& topic : found_.topics) {
      const std::optional<uint64_t>& count = topic.counts.candidate;
      found_.too_frequent += !count || count > found_.keyword_count;
    }
    std::erase_if(found_.topics, [](const ScoredTopic& topic) { return topic.is_left_out; });
  }

  bool is_left_out(const TopicCandidate& candidate, const TopicRules& rules) {
    if (rules.is_row(candidate)) {
      ++found_.rows;
      return true;
    }
    if (rules.is_only_part(candidate) ||
        collector_.is_adjective(tokens(candidate.phrase, {.digits = true}))) {
      ++found_.parts;
      return true;
    }
    if (!collector_.is_name(candidate.phrase)) return false;
    ++found_.names;
    return true;
  }

  SearchQuery query_of(std::vector<std::string> phrases) const {
    return {std::move(phrases), options_.domain, /*any_number=*/true};
  }

  bool has_enough() const {
    return stopped_ || (options_.pages > 0 && found_.usable >= options_.pages) ||
           (options_.lists > 0 && collector_.items().lists >= options_.lists);
  }

  Status gather() {
    if (!sources_.search) return bring(sources_.addresses);
    found_.search = sources_.search->spec().text();
    absl::flat_hash_set<std::string> seen;
    const SearchQuery query = query_of(found_.keyword_parts);
    for (size_t page = 0; !has_enough(); ++page) {
      if (!tell("pages", found_.usable, options_.pages)) break;
      const Result<SearchAnswer> answer = sources_.search->search(query, page);
      if (!answer && page == 0) return answer.error();
      if (!answer) {  // what was found so far is worth something
        found_.warnings.push_back(answer.error().message);
        break;
      }
      std::vector<Url> urls;
      for (const SearchHit& hit : answer->hits) {
        if (seen.insert(std::string(hit.url.href())).second) urls.push_back(hit.url);
      }
      // A provider that repeats itself has come to its end.
      if (urls.empty()) break;
      if (Status s = bring(urls); !s) return s;
      if (options_.pages > 0 && seen.size() >= kMostTries * options_.pages) break;
    }
    return {};
  }

  Status bring(std::span<const Url> urls) {
    return sources_.bring(urls, [&](std::optional<Page> page) {
      if (has_enough()) return false;
      if (!page) {
        ++found_.failed;
      } else {
        collector_.add(*page);
        const ItemPage& entry = collector_.items().pages.back();
        ++found_.usable;
        found_.noisy += entry.noisy;
        found_.repeated += entry.group + 1 < collector_.items().pages.size();
      }
      tell("pages", found_.usable, options_.pages);
      return !has_enough();
    });
  }

  // A question that fails leaves its count unknown; where several fail in a row no more are asked.
  std::optional<uint64_t> ask(std::vector<std::string> phrases) {
    if (failures_ >= kMostFailures) return std::nullopt;
    Result<std::optional<uint64_t>> count = sources_.counts->count(query_of(std::move(phrases)));
    if (count) {
      failures_ = 0;
      return *count;
    }
    last_error_ = count.error().message;
    if (++failures_ == kMostFailures) {
      found_.warnings.push_back(
          fmt::format("the missing counts stay unknown, because {}", last_error_));
    }
    return std::nullopt;
  }

  Status count() {
    SearchProvider& provider = *sources_.counts;
    found_.counts = provider.spec().text();
    found_.collection = provider.size();
    const Result<std::optional<uint64_t>> keyword = provider.count(query_of(found_.keyword_parts));
    if (!keyword) return keyword.error();
    found_.keyword_count = *keyword;
    if (!found_.keyword_count) {
      found_.warnings.push_back(fmt::format(
          "{} does not report how many pages it has found, so every candidate is Type III",
          found_.counts));
      return {};
    }
    for (size_t i = 0; i < found_.topics.size(); ++i) {
      if (!tell("counts", i, found_.topics.size())) return {};
      ScoredTopic& topic = found_.topics[i];
      topic.counts.keyword = found_.keyword_count;
      topic.counts.candidate = ask({topic.candidate.phrase});
      // Nobody needs to know how many pages have both where the candidate is Type III anyway.
      if (!topic.counts.candidate) continue;
      if (*topic.counts.candidate > *found_.keyword_count && !found_.collection) continue;
      topic.counts.both = ask(with(found_.keyword_parts, topic.candidate.phrase));
      std::vector<std::string> parts = parts_beside(found_, topic.candidate.phrase);
      if (parts.empty()) continue;  // it holds the keyword, and cannot be tested
      const auto expected =
          provider.expected_both(query_of(std::move(parts)), query_of({topic.candidate.phrase}));
      if (!expected) return expected.error();
      topic.by_chance = expected->value_or(0);
    }
    return {};
  }

  const TopicSources& sources_;
  const TopicOptions& options_;
  const TopicProgress& progress_;
  ItemCollector collector_;
  TopicsFound found_;
  size_t failures_ = 0;
  std::string last_error_;
  bool stopped_ = false;
};

}  // namespace

size_t TopicsFound::of_type(TopicType type) const {
  return static_cast<size_t>(std::count_if(
      topics.begin(), topics.end(), [&](const ScoredTopic& topic) { return topic.type == type; }));
}

Result<std::optional<TopicsFound>> find_topics(std::string_view keyword,
                                               const TopicSources& sources,
                                               const TopicOptions& options,
                                               const TopicProgress& progress) {
  Result<std::optional<TopicsFound>> by_phrase =
      TopicFinder(keyword, sources, options, progress).run();
  if (options.match != KeywordMatch::kAuto || !by_phrase || !*by_phrase) return by_phrase;
  const TopicsFound& found = **by_phrase;
  const size_t too_frequent = found.too_frequent;
  if (!found.collection || 2 * too_frequent <= found.counted || tokens(keyword).size() < 2) {
    return by_phrase;
  }
  TopicOptions options_of_words = options;
  options_of_words.match = KeywordMatch::kWords;
  Result<std::optional<TopicsFound>> by_words =
      TopicFinder(keyword, sources, options_of_words, progress).run();
  if (by_words && *by_words) {
    (*by_words)->warnings.push_back(fmt::format(
        "{} of {} candidates are more frequent than the phrase \"{}\", so pages with all its words "
        "count as being about it; --match phrase takes pages with the phrase only",
        too_frequent, found.counted, keyword));
  }
  return by_words;
}

void score_topics(TopicsFound& found, size_t support, const TypeRule& rule) {
  found.candidates_tested = 0;
  for (ScoredTopic& topic : found.topics) {
    topic.scores = topic_scores(topic.counts);
    topic.chance.reset();
    if (found.collection) {
      topic.chance = topic_chance(topic.counts, *found.collection, topic.by_chance, support,
                                  parts_beside(found, topic.candidate.phrase).empty());
      topic.chance->is_in_prose = topic.is_in_prose;
    }
    found.candidates_tested +=
        topic_type(topic.counts, topic.scores, std::nullopt, 1, rule) != TopicType::kThree;
  }
  for (ScoredTopic& topic : found.topics) {
    topic.type =
        topic_type(topic.counts, topic.scores, topic.chance, found.candidates_tested, rule);
  }
  std::stable_sort(found.topics.begin(), found.topics.end(),
                   [](const ScoredTopic& a, const ScoredTopic& b) {
                     if (a.type != b.type) return a.type < b.type;
                     if (a.type == TopicType::kTwo && a.is_in_prose != b.is_in_prose) {
                       return a.is_in_prose;
                     }
                     return a.type != TopicType::kThree && a.scores.s1 > b.scores.s1;
                   });
}

}  // namespace dowser
