#include "run/saved_crawl.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "run/kept_terms.h"

namespace dowser {
namespace {

// Keys; those of the frontier and of the guards are theirs.
constexpr std::string_view kCounters = SavedCrawl::kCountersKey;
constexpr std::string_view kExample = "e", kCounterExample = "x";
constexpr std::string_view kVisit = SavedCrawl::kVisitKey;
constexpr std::string_view kLearned = "s";
constexpr std::string_view kClock = "t";
constexpr std::string_view kAdvice = "a";
constexpr std::string_view kTerms = "w";                      // of a page, for the final judgement
constexpr std::string_view kSynced = SavedCrawl::kSyncedKey;  // a SyncMark
constexpr std::string_view kBegun = "b";  // all that the crawl needed to begin is saved
constexpr std::string_view kEnded = "z";  // there is no run that was killed or failed after this
constexpr std::string_view kResumedAt = "r";  // when the last such run was resumed

// What strategy and judge have learned is written whole, so the larger it is the more seldom: on
// average this many bytes a visit at most.
constexpr size_t kLearnedBytesPerVisit = 4096;

std::string key_of(std::string_view prefix, uint64_t number) {
  return std::string(prefix) + sortable(number);
}

std::string clock_bytes(const ClockMark& clock) {
  ByteWriter out;
  out.number(clock.now.micros);
  out.number(clock.wall.micros);
  out.number(clock.since_boot.count());
  out.text(clock.boot);
  return out.bytes();
}

}  // namespace

// What is known about a visit: the link that was followed, the links of which the strategy was
// asked (a bit each), and the store behind it.
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

  // Comes after it.
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

std::optional<SavedCrawl::KnownVisit> SavedCrawl::known_visit(uint32_t visit,
                                                              std::string_view bytes) {
  std::optional<Record> record = Record::loaded(visit, bytes);
  if (!record) return std::nullopt;
  return KnownVisit{std::move(record->candidate), std::move(record->mark)};
}

Result<std::unique_ptr<SavedCrawl>> SavedCrawl::create(const std::filesystem::path& crawl_folder) {
  return load(State::open(crawl_folder / "state"));
}

Result<std::unique_ptr<SavedCrawl>> SavedCrawl::open(const std::filesystem::path& crawl_folder) {
  return load(State::open_existing(crawl_folder / "state"));
}

Result<std::unique_ptr<SavedCrawl>> SavedCrawl::open_read_only(
    const std::filesystem::path& crawl_folder) {
  return load(State::open_read_only(crawl_folder / "state"));
}

Result<std::unique_ptr<SavedCrawl>> SavedCrawl::load(Result<std::unique_ptr<State>> state) {
  if (!state) return state.error();
  std::unique_ptr<SavedCrawl> saved(new SavedCrawl(std::move(*state)));
  const auto synced = saved->state_->get(kSynced);
  if (!synced) return synced.error();
  if (*synced) {
    saved->synced_ = known_mark(**synced);
    if (!saved->synced_) {
      return Error{"the state of the crawl is damaged: its mark cannot be read"};
    }
  }
  const auto begun = saved->state_->get(kBegun);
  if (!begun) return begun.error();
  saved->has_begun_ = begun->has_value();
  if (Status s = saved->count_visits(); !s) return s.error();
  return saved;
}

Status SavedCrawl::count_visits() {
  bool in_order = true, readable = true;
  uint32_t next = 0;
  files_.clear();
  const Status read = state_->scan(kVisit, [&](std::string_view key, std::string_view value) {
    const uint64_t id = from_sortable(key.substr(kVisit.size()));
    all_visits_ = static_cast<uint32_t>(id) + 1;
    in_order = in_order && id == next;
    if (!in_order) return;
    const std::optional<Record> record = Record::loaded(next, value);
    readable = readable && record;
    if (!record) return;
    const ArchiveEnd& end = record->mark.archive;
    if (!end.file.empty()) {
      if (files_.empty() || files_.back().end.file != end.file) files_.push_back({end, 0});
      files_.back().end = end;
      ++files_.back().visits;
    }
    ++next;
  });
  if (!read.ok()) return read;
  if (!readable) {
    return Error{fmt::format("the state of the crawl is damaged: visit {} cannot be read", next)};
  }
  visits_ = next;
  return {};
}

Result<SavedCrawl::Record> SavedCrawl::record_of(uint32_t visit) const {
  const auto bytes = state_->get(key_of(kVisit, visit));
  if (!bytes) return bytes.error();
  std::optional<Record> record = *bytes ? Record::loaded(visit, **bytes) : std::nullopt;
  if (record) return std::move(*record);
  return Error{fmt::format("the state of the crawl is damaged: visit {} cannot be read", visit)};
}

Result<StoreMark> SavedCrawl::mark_of(uint32_t visits) const {
  if (visits == 0) return StoreMark{};
  Result<Record> record = record_of(visits - 1);
  if (!record) return record.error();
  return record->mark;
}

SavedCrawl::Change SavedCrawl::seal(const KeptVisit& kept, const SavedFlight* in_flight,
                                    const CrawlCounters& counters, const Guards& guards,
                                    const Strategy& strategy, const JudgeInUse& judge,
                                    const CrawlStatistics& statistics, const ClockMark& clock) {
  const Visit& visit = kept.visit;
  Record record{visit.candidate, std::string((kept.links.size() + 7) / 8, '\0'), {}};
  for (size_t i = 0; i < kept.links.size(); ++i) {
    if (kept.links[i].refused.empty()) record.asked[i / 8] |= static_cast<char>(1 << (i % 8));
  }
  state_->put(kCounters, counters.saved());
  state_->put(kClock, clock_bytes(clock));
  guards.save(visit, *state_);
  const uint32_t visits = visit.id.value + 1;
  if (visits >= learned_due_) save_learned(strategy, judge, statistics, visits);
  if (in_flight) in_flight->save(*state_);
  links_.committed(committed_);
  return {state_->take_pending(), links_.seal(), record.saved(), visit.candidate.mark};
}

SavedCrawl::Change SavedCrawl::seal_between_visits(const ClockMark& clock) {
  state_->put(kClock, clock_bytes(clock));
  return {state_->take_pending(), links_.seal()};
}

Status SavedCrawl::commit(std::vector<Change> changes, std::span<const KeptVisit> visits,
                          std::span<const StoreMark> marks) {
  StateBatch all;
  size_t i = 0;
  for (const Change& change : changes) {
    all.append(change.batch_);
    if (change.record_.empty()) continue;
    const Visit& visit = visits[i].visit;
    if (kept_fields_ && visit.response.ok() && !visit.page.terms.empty()) {
      all.put(key_of(kTerms, visit.id.value), kept_terms(visit.page, *kept_fields_));
    }
    all.put(key_of(kVisit, marks[i].visits - 1),
            change.record_ + Record::saved(marks[i], change.mark_));
    ++i;
  }
  if (Status s = state_->commit(std::move(all)); !s) return s;
  committed_ = changes.back().generation_;
  if (!marks.empty()) visits_ = marks.back().visits;
  return {};
}

Status SavedCrawl::for_each_kept_terms(
    const std::function<void(VisitId, std::string_view)>& visit) const {
  return state_->scan(kTerms, [&](std::string_view key, std::string_view value) {
    visit(VisitId{static_cast<uint32_t>(from_sortable(key.substr(kTerms.size())))}, value);
  });
}

SyncMark SavedCrawl::next_mark() const { return {visits_, synced_ ? synced_->syncs + 1 : 1}; }

std::optional<SyncMark> SavedCrawl::known_mark(std::string_view bytes) {
  ByteReader in(bytes);
  SyncMark mark;
  mark.visits = in.number<uint32_t>();
  mark.syncs = in.number<uint64_t>();
  return in.ok() ? std::optional(mark) : std::nullopt;
}

std::string SavedCrawl::bytes_of(const SyncMark& mark) {
  ByteWriter out;
  out.number(mark.visits);
  out.number(mark.syncs);
  return out.bytes();
}

// Another thread may be gathering changes, so this has a batch of its own.
Result<SyncMark> SavedCrawl::sync() {
  const SyncMark mark = next_mark();
  StateBatch batch;
  batch.put(kSynced, bytes_of(mark));
  if (Status s = state_->commit(std::move(batch)); !s) return s.error();
  if (Status s = state_->sync(); !s) return s.error();
  synced_ = mark;
  return mark;
}

void SavedCrawl::save_learned(const Strategy& strategy, const JudgeInUse& judge,
                              const CrawlStatistics& statistics, uint32_t visits) {
  // Without SavesState the strategy learns again from all visits, and so must the judge.
  const auto* saves = dynamic_cast<const SavesState*>(&strategy);
  if (!saves) return;
  ByteWriter of_strategy, of_judge, of_statistics, out;
  saves->save(of_strategy);
  judge.save(of_judge);
  statistics.save(of_statistics);
  const size_t size =
      of_strategy.bytes().size() + of_judge.bytes().size() + of_statistics.bytes().size();
  learned_due_ = visits + 1 + static_cast<uint32_t>(size / kLearnedBytesPerVisit);
  if (size == 0) return;
  out.number(visits);
  out.text(of_strategy.bytes());
  out.text(of_judge.bytes());
  out.text(judge.spec().text());
  out.text(of_statistics.bytes());
  state_->put(kLearned, out.bytes());
}

Result<SyncMark> SavedCrawl::finish(SinceLastVisit changes) {
  // Links that wait again because their visits were lost must not be lost with them.
  if (changes == SinceLastVisit::kDrop && lost_.empty()) (void)state_->take_pending();
  if (advice_) {
    ByteWriter out;
    for (const double part :
         {advice_->found, advice_->remaining, advice_->low, advice_->high, advice_->next_thousand,
          advice_->next_low, advice_->next_high, advice_->sites}) {
      out.number(part);
    }
    state_->put(kAdvice, out.bytes());
  }
  const SyncMark mark = next_mark();
  state_->put(kSynced, bytes_of(mark));
  if (Status s = state_->commit(); !s) return s.error();
  links_.committed(links_.seal());
  if (Status s = state_->sync(); !s) return s.error();
  synced_ = mark;
  return mark;
}

void SavedCrawl::note_end(const ClockMark& clock) {
  state_->put(kClock, clock_bytes(clock));
  state_->put(kEnded, "1");
}

Result<std::optional<Time>> SavedCrawl::note_resume(const ClockMark& clock) {
  const auto ended = state_->get(kEnded);
  if (!ended) return ended.error();
  if (!*ended) {
    state_->put(kClock, clock_bytes(clock));
    state_->put(kResumedAt, sortable(static_cast<uint64_t>(clock.now.micros)));
    return std::optional(clock.now);
  }
  state_->erase(kEnded);
  const auto resumed = state_->get(kResumedAt);
  if (!resumed) return resumed.error();
  if (!*resumed) return std::optional<Time>();
  return std::optional(Time{static_cast<int64_t>(from_sortable(**resumed))});
}

void SavedCrawl::save_pages(std::string_view prefix, std::span<const Response> pages) {
  for (size_t i = 0; i < pages.size(); ++i) {
    ByteWriter out;
    out.text(pages[i].url.href());
    out.text(response_head(pages[i]) + pages[i].body);
    state_->put(key_of(prefix, i), out.bytes());
  }
}

Result<std::vector<Response>> SavedCrawl::pages_of(std::string_view prefix) const {
  std::vector<Response> pages;
  const Status read = state_->scan(prefix, [&](std::string_view, std::string_view value) {
    ByteReader in(value);
    const Result<Url> url = Url::parse(in.text());
    Result<Response> response = parse_response(in.text());
    if (!response) return;
    if (url) response->url = *url;
    pages.push_back(std::move(*response));
  });
  if (!read.ok()) return read.error();
  return pages;
}

void SavedCrawl::save_topic_pages(const TopicPages& pages) {
  save_pages(kExample, pages.examples);
  save_pages(kCounterExample, pages.counter_examples);
}

Result<TopicPages> SavedCrawl::topic_pages() const {
  Result<std::vector<Response>> examples = pages_of(kExample);
  if (!examples) return examples.error();
  Result<std::vector<Response>> counter_examples = pages_of(kCounterExample);
  if (!counter_examples) return counter_examples.error();
  return TopicPages{std::move(*examples), std::move(*counter_examples)};
}

Result<SyncMark> SavedCrawl::begin(const TopicPages& pages) {
  save_topic_pages(pages);
  state_->put(kBegun, "1");
  return finish();
}

Status SavedCrawl::go_back_to(uint32_t visits) {
  for (uint32_t n = all_visits_; n > visits; --n) {
    state_->erase(key_of(kVisit, n - 1));
    state_->erase(key_of(kTerms, n - 1));
    if (n > visits_) continue;  // after a gap
    Result<Record> record = record_of(n - 1);
    if (!record) return record.error();
    lost_.push_back(std::move(record->candidate));
  }
  if (all_visits_ > visits) links_.forget_visits_from(VisitId{visits});
  visits_ = all_visits_ = visits;
  return {};
}

Result<CrawlCounters> SavedCrawl::counters() const {
  const auto bytes = state_->get(kCounters);
  if (!bytes) return bytes.error();
  return *bytes ? CrawlCounters::loaded(**bytes) : CrawlCounters{};
}

void SavedCrawl::set_counters(const CrawlCounters& counters) {
  state_->put(kCounters, counters.saved());
}

Result<std::optional<Advice>> SavedCrawl::advice() const {
  const auto bytes = state_->get(kAdvice);
  if (!bytes) return bytes.error();
  if (!*bytes) return std::optional<Advice>();
  ByteReader in(**bytes);
  Advice advice;
  for (double* part : {&advice.found, &advice.remaining, &advice.low, &advice.high,
                       &advice.next_thousand, &advice.next_low, &advice.next_high, &advice.sites}) {
    *part = in.number<double>();
  }
  return in.ok() ? std::optional(advice) : std::nullopt;
}

Result<std::optional<ClockMark>> SavedCrawl::clock() const {
  const auto bytes = state_->get(kClock);
  if (!bytes) return bytes.error();
  if (!*bytes) return std::optional<ClockMark>();
  if ((*bytes)->size() == sizeof(int64_t)) {  // an older crawl: when its last page was fetched
    const Time last{static_cast<int64_t>(from_sortable(**bytes))};
    return std::optional(ClockMark{last, last, {}, {}});
  }
  ByteReader in(**bytes);
  ClockMark clock;
  clock.now.micros = in.number<int64_t>();
  clock.wall.micros = in.number<int64_t>();
  clock.since_boot = Duration(in.number<int64_t>());
  clock.boot = in.text();
  if (!in.ok()) return Error{"the state of the crawl is damaged: its time cannot be read"};
  return std::optional(std::move(clock));
}

void SavedCrawl::requeue(Frontier& frontier) const {
  for (const Candidate& c : lost_) frontier.offer(c.url, c.score, c.trail);
}

Result<std::optional<SavedFlight>> SavedCrawl::flight() const {
  if (!lost_.empty()) return std::optional<SavedFlight>();
  return SavedFlight::load(*state_);
}

Status SavedCrawl::learn_from_all(JudgeInUse& judge, uint32_t visits,
                                  const ReadVisit& read_visit) const {
  ArchiveEnd begin;
  for (uint32_t i = 0; judge.learns() && i < visits; ++i) {
    const Result<Record> record = record_of(i);
    if (!record) return record.error();
    const Result<Visit> visit =
        read_visit(VisitId{i}, record->candidate, begin, record->mark.archive);
    begin = record->mark.archive;
    if (visit) judge.learn(*visit);
  }
  return {};
}

Status SavedCrawl::restore(Strategy& strategy, JudgeInUse& judge, CrawlStatistics& statistics,
                           uint32_t visits, const ReadVisit& read_visit) const {
  uint32_t next = 0;
  auto* saves = dynamic_cast<SavesState*>(&strategy);
  const auto bytes = state_->get(kLearned);
  if (!bytes) return bytes.error();
  if (*bytes) {
    ByteReader in(**bytes);
    next = in.number<uint32_t>();
    const std::string_view of_strategy = in.text(), of_judge = in.text();
    if (!in.ok()) return Error{"the saved state of strategy or judge is cut short"};
    ByteReader strategy_in(of_strategy), judge_in(of_judge);
    if (!saves) return Error{"the state of the crawl belongs to another strategy"};
    if (Status s = of_strategy.empty() ? Status{} : saves->load(strategy_in); !s) return s;
    const bool is_same_judge = in.at_end() || in.text() == judge.spec().text();
    if (is_same_judge) {
      if (Status s = of_judge.empty() ? Status{} : judge.load(judge_in); !s) return s;
    } else {  // a resume may name another judge, which then learns from everything
      if (Status s = learn_from_all(judge, next, read_visit); !s) return s;
    }
    // A crawl that began before there were statistics has none of its first pages.
    const std::string_view of_statistics = in.at_end() ? std::string_view() : in.text();
    ByteReader statistics_in(of_statistics);
    if (Status s = of_statistics.empty() ? Status{} : statistics.load(statistics_in); !s) return s;
  }
  ArchiveEnd begin;
  if (next > 0 && next < visits) {
    Result<StoreMark> before = mark_of(next);
    if (!before) return before.error();
    begin = std::move(before->archive);
  }
  for (; next < visits; ++next) {
    const Result<Record> record = record_of(next);
    if (!record) return record.error();
    const Result<Visit> visit =
        read_visit(VisitId{next}, record->candidate, begin, record->mark.archive);
    begin = record->mark.archive;
    if (!visit) continue;  // the reader counts those that the archive has lost
    judge.learn(*visit);
    statistics.learn(*visit);
    strategy.learn(*visit);
    for (const Link& link : visit->page.links) {
      if (record->was_asked(link.position)) (void)strategy.score(*visit, link);
    }
  }
  return {};
}

}  // namespace dowser
