#include "engine/saved_crawl.h"

#include <fmt/format.h>

#include "base/bytes.h"

namespace dowser {
namespace {

// Keys; those of the frontier and of the guards are theirs.
constexpr std::string_view kCounters = "c";
constexpr std::string_view kExample = "e";
constexpr std::string_view kVisit = "p";
constexpr std::string_view kLearned = "s";
constexpr std::string_view kTime = "t";

// What strategy and judge have learned is written whole, so the larger it is the more seldom: on
// average this many bytes a visit at most.
constexpr size_t kLearnedBytesPerVisit = 4096;

std::string key_of(std::string_view prefix, uint64_t number) {
  return std::string(prefix) + sortable(number);
}

}  // namespace

// What is known of a visit: the link that was followed, the links of which the strategy was asked
// (a bit each), and the store behind it.
struct SavedCrawl::Record {
  Candidate candidate;
  std::string asked;
  StoreMark mark;

  bool was_asked(uint32_t position) const {
    return position / 8 < asked.size() && (asked[position / 8] >> (position % 8) & 1);
  }

  std::string saved() const {  // without the mark
    ByteWriter out;
    out.text(candidate.url.href());
    for (const double part : candidate.score.parts()) out.number(part);
    out.number(candidate.trail.parent ? int64_t{candidate.trail.parent->value} : int64_t{-1});
    out.number(candidate.trail.depth);
    out.number(candidate.trail.position);
    out.text(asked);
    return out.bytes();
  }

  // Comes behind it.
  static std::string saved(const StoreMark& mark, uint32_t mark_of_candidate) {
    ByteWriter out;
    out.text(mark.archive.file);
    out.number(mark.archive.offset);
    if (mark_of_candidate != 0) out.number(mark_of_candidate);
    return out.bytes();
  }

  static std::optional<Record> loaded(uint32_t visit, std::string_view bytes) {
    ByteReader in(bytes);
    Record record;
    const Result<Url> url = Url::parse(in.text());
    if (!url) return std::nullopt;
    record.candidate.url = *url;
    double parts[Score::kParts];
    for (double& part : parts) part = in.number<double>();
    record.candidate.score = Score(parts[0], parts[1], parts[2], parts[3]);
    const auto parent = in.number<int64_t>();
    if (parent >= 0) record.candidate.trail.parent = VisitId{static_cast<uint32_t>(parent)};
    record.candidate.trail.depth = in.number<uint32_t>();
    record.candidate.trail.position = in.number<uint32_t>();
    record.asked = in.text();
    record.mark.visits = visit + 1;
    record.mark.archive.file = in.text();
    record.mark.archive.offset = in.number<uint64_t>();
    if (!in.at_end()) record.candidate.mark = in.number<uint32_t>();
    if (!in.ok()) return std::nullopt;
    return record;
  }
};

Result<std::unique_ptr<SavedCrawl>> SavedCrawl::open(const std::filesystem::path& crawl_folder) {
  Result<std::unique_ptr<State>> state = State::open(crawl_folder / "state");
  if (!state) return state.error();
  return std::unique_ptr<SavedCrawl>(new SavedCrawl(std::move(*state)));
}

std::optional<SavedCrawl::Record> SavedCrawl::record_of(uint32_t visit) const {
  const std::optional<std::string> bytes = state_->get(key_of(kVisit, visit));
  return bytes ? Record::loaded(visit, *bytes) : std::nullopt;
}

SavedCrawl::Change SavedCrawl::seal(const Outcome& outcome, const CrawlCounters& counters,
                                    const Guards& guards, const Strategy& strategy,
                                    const JudgeInUse& judge) {
  const Visit& visit = outcome.visit;
  Record record{visit.candidate, std::string((outcome.links.size() + 7) / 8, '\0'), {}};
  for (size_t i = 0; i < outcome.links.size(); ++i) {
    if (outcome.links[i].refused.empty()) record.asked[i / 8] |= static_cast<char>(1 << (i % 8));
  }
  state_->put(kCounters, counters.saved());
  state_->put(kTime, sortable(static_cast<uint64_t>(visit.response.fetched_at.micros)));
  guards.save(visit, outcome.sketch, *state_);
  const uint32_t visits = visit.id.value + 1;
  if (visits >= learned_due_) save_learned(strategy, judge, visits);
  if (outcome.flight) outcome.flight->save(*state_);
  links_.committed(committed_);
  return {state_->take_pending(), links_.seal(), record.saved(), visit.candidate.mark};
}

Status SavedCrawl::commit(Change change, const StoreMark& mark) {
  change.batch_.put(key_of(kVisit, mark.visits - 1),
                    change.record_ + Record::saved(mark, change.mark_));
  if (Status s = state_->commit(std::move(change.batch_)); !s) return s;
  committed_ = change.generation_;
  return {};
}

void SavedCrawl::save_learned(const Strategy& strategy, const JudgeInUse& judge, uint32_t visits) {
  ByteWriter of_strategy, of_judge, out;
  strategy.save(of_strategy);
  judge.save(of_judge);
  const size_t size = of_strategy.bytes().size() + of_judge.bytes().size();
  learned_due_ = visits + 1 + static_cast<uint32_t>(size / kLearnedBytesPerVisit);
  if (size == 0) return;
  out.number(visits);
  out.text(of_strategy.bytes());
  out.text(of_judge.bytes());
  state_->put(kLearned, out.bytes());
}

Status SavedCrawl::finish(SinceLastVisit changes) {
  if (changes == SinceLastVisit::kDrop) (void)state_->take_pending();
  if (Status s = state_->commit(); !s) return s;
  links_.committed(links_.seal());
  return state_->sync();
}

Status SavedCrawl::save_examples(std::span<const Response> examples) {
  for (size_t i = 0; i < examples.size(); ++i) {
    ByteWriter out;
    out.text(examples[i].url.href());
    out.text(response_head(examples[i]) + examples[i].body);
    state_->put(key_of(kExample, i), out.bytes());
  }
  return state_->commit();
}

std::vector<Response> SavedCrawl::examples() const {
  std::vector<Response> examples;
  state_->scan(kExample, [&](std::string_view, std::string_view value) {
    ByteReader in(value);
    const Result<Url> url = Url::parse(in.text());
    Result<Response> response = parse_response(in.text());
    if (!response) return;
    if (url) response->url = *url;
    examples.push_back(std::move(*response));
  });
  return examples;
}

Result<StoreMark> SavedCrawl::newest_kept(const std::filesystem::path& crawl_folder) const {
  for (uint32_t n = visits(); n > 0; --n) {
    const std::optional<Record> record = record_of(n - 1);
    if (!record) return Error{fmt::format("the state of the crawl is broken at visit {}", n - 1)};
    if (Store::reaches(crawl_folder, record->mark)) return record->mark;
  }
  return StoreMark{};
}

Result<StoreMark> SavedCrawl::recover(const std::filesystem::path& crawl_folder) {
  const Result<StoreMark> mark = newest_kept(crawl_folder);
  if (!mark) return mark.error();
  for (uint32_t n = visits(); n > mark->visits; --n) {
    lost_.push_back(record_of(n - 1)->candidate);
    state_->erase(key_of(kVisit, n - 1));
  }
  if (lost_.empty()) return *mark;
  links_.forget_visits_from(VisitId{mark->visits});
  if (Status s = finish(); !s) return s.error();
  return *mark;
}

uint32_t SavedCrawl::visits() const {
  uint32_t visits = 0;
  state_->scan(kVisit, [&](std::string_view, std::string_view) { ++visits; });
  return visits;
}

CrawlCounters SavedCrawl::counters() const {
  const std::optional<std::string> bytes = state_->get(kCounters);
  return bytes ? CrawlCounters::loaded(*bytes) : CrawlCounters{};
}

std::optional<Time> SavedCrawl::last_fetch() const {
  const std::optional<std::string> bytes = state_->get(kTime);
  if (!bytes) return std::nullopt;
  return Time{static_cast<int64_t>(from_sortable(*bytes))};
}

void SavedCrawl::requeue(Frontier& frontier) const {
  for (const Candidate& c : lost_) frontier.offer(c.url, c.score, c.trail);
}

std::optional<SavedFlight> SavedCrawl::flight() const {
  return lost_.empty() ? SavedFlight::load(*state_) : std::nullopt;
}

Status SavedCrawl::restore(Strategy& strategy, JudgeInUse& judge, uint32_t visits,
                           const ReadVisit& read_visit) const {
  uint32_t next = 0;
  if (const std::optional<std::string> bytes = state_->get(kLearned)) {
    ByteReader in(*bytes);
    next = in.number<uint32_t>();
    const std::string_view of_strategy = in.text(), of_judge = in.text();
    if (!in.ok()) return Error{"what the crawl has learned is cut short"};
    ByteReader strategy_in(of_strategy), judge_in(of_judge);
    if (Status s = of_strategy.empty() ? Status{} : strategy.load(strategy_in); !s) return s;
    if (Status s = of_judge.empty() ? Status{} : judge.load(judge_in); !s) return s;
  } else {
    ByteWriter nothing;
    strategy.save(nothing);
    judge.save(nothing);
    if (nothing.bytes().empty()) return {};  // neither has learned anything
  }
  ArchiveEnd begin;
  if (next > 0 && next < visits) {
    const std::optional<Record> before = record_of(next - 1);
    if (!before) {
      return Error{fmt::format("the state of the crawl is broken at visit {}", next - 1)};
    }
    begin = before->mark.archive;
  }
  for (; next < visits; ++next) {
    const std::optional<Record> record = record_of(next);
    if (!record) return Error{fmt::format("the state of the crawl is broken at visit {}", next)};
    const Result<Visit> visit =
        read_visit(VisitId{next}, record->candidate, begin, record->mark.archive);
    if (!visit) return visit.error();
    begin = record->mark.archive;
    judge.learn(*visit);
    strategy.learn(*visit);
    for (const Link& link : visit->page.links) {
      if (record->was_asked(link.position)) (void)strategy.score(*visit, link);
    }
  }
  return {};
}

}  // namespace dowser
