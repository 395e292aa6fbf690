#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/state.h"
#include "engine/crawl.h"
#include "frontier/stored_links.h"
#include "model/crawl_statistics.h"
#include "model/field_weights.h"
#include "run/topic_pages.h"
#include "store/store.h"

// The state of a crawl in DIR/state: frontier, strategy, guards and counters, and for each visit
// the position that the store had reached. Everything that a visit changes is one atomic batch,
// which is written after the visit is in the store. So after a crash the store may be ahead of the
// state: then the store is cut back and the page is fetched again. The state can be ahead only
// after a power cut; then the links of the lost visits wait again. run/recovery.h decides which
// visit to go back to.

namespace dowser {

class SavedCrawl {
 public:
  // Of a new crawl.
  static Result<std::unique_ptr<SavedCrawl>> create(const std::filesystem::path& crawl_folder);
  // Of one that is resumed.
  static Result<std::unique_ptr<SavedCrawl>> open(const std::filesystem::path& crawl_folder);
  // For reading only.
  static Result<std::unique_ptr<SavedCrawl>> open_read_only(
      const std::filesystem::path& crawl_folder);

  StoredLinks& links() { return links_; }

  // Everything that a visit changed. seal() is called on the thread of the crawl, commit() on the
  // thread that writes, once the store has the visit.
  class Change {
   public:
    Change(StateBatch batch, StoredLinks::Generation generation, std::string record, uint32_t mark)
        : batch_(std::move(batch)),
          generation_(generation),
          record_(std::move(record)),
          mark_(mark) {}
    Change(StateBatch batch, StoredLinks::Generation generation)
        : Change(std::move(batch), generation, {}, 0) {}

   private:
    friend class SavedCrawl;
    StateBatch batch_;
    StoredLinks::Generation generation_;
    std::string record_;  // of the visit, without the position of the store; empty: no visit
    uint32_t mark_;       // of its candidate
  };
  Change seal(const KeptVisit& kept, const SavedFlight* in_flight, const CrawlCounters& counters,
              const Guards& guards, const Strategy& strategy, const JudgeInUse& judge,
              const CrawlStatistics& statistics, const ClockMark& clock);
  // What has changed since the last visit, on the live web.
  Change seal_between_visits(const ClockMark& clock);
  // Commits changes, all or none. `visits` are those of the changes that belong to one, in order;
  // the store has kept them together, with a mark for each.
  Status commit(std::vector<Change> changes, std::span<const KeptVisit> visits,
                std::span<const StoreMark> marks);

  // What was known at the end of what is left; finish() writes it.
  void set_advice(const std::optional<Advice>& advice) { advice_ = advice; }
  Result<std::optional<Advice>> advice() const;

  // From now on the terms of pages are kept for the final judgement (run/kept_terms.h).
  void keep_terms(const FieldWeights& fields) { kept_fields_ = fields; }
  // Calls back with those of each page that has some, in the order of visits.
  Status for_each_kept_terms(const std::function<void(VisitId, std::string_view)>& visit) const;

  // Syncs what was committed to the disk. The store must have been synced before. Returns the mark
  // to put into the store.
  Result<SyncMark> sync();
  // The same at the end of a crawl, when every sealed change is committed. What changed since the
  // last visit is kept as well, or dropped: a crawl of an archived web repeats it.
  enum class SinceLastVisit { kKeep, kDrop };
  Result<SyncMark> finish(SinceLastVisit changes = SinceLastVisit::kKeep);

  // A live crawl ends in order: everything that it sent is known here. finish() writes it.
  void note_end(const ClockMark& clock);
  // A live crawl is resumed; finish() writes it. If an earlier run was killed or failed, its last
  // requests are not known here. Returns the time of the first resume after that: no host may be
  // asked before its delay has passed since then.
  Result<std::optional<Time>> note_resume(const ClockMark& clock);

  // For `dowser check`: the keys of a state, and what they hold. The key of a visit is kVisitKey
  // and its number as sortable() bytes.
  static constexpr std::string_view kVisitKey = "p", kCountersKey = "c", kModelKey = "m",
                                    kSyncedKey = "y";
  struct KnownVisit {
    Candidate candidate;
    StoreMark mark;
  };
  static std::optional<KnownVisit> known_visit(uint32_t visit, std::string_view bytes);
  static std::optional<SyncMark> known_mark(std::string_view bytes);

  // The digest of the crawl's copy of the model, so that damage is noticed.
  void save_model_digest(std::string_view digest) { state_->put(kModelKey, digest); }

  // Saves the pages that stand for the topic, as they are when the crawl begins. From then on it
  // can be resumed.
  Result<SyncMark> begin(const TopicPages& pages);
  Result<TopicPages> topic_pages() const;
  // Written by finish(), like all changes that belong to no visit.
  void save_topic_pages(const TopicPages& pages);

  bool has_begun() const { return has_begun_ || visits_ > 0; }
  uint32_t visits() const { return visits_; }  // with a record, counted up to the first gap
  std::optional<SyncMark> synced() const { return synced_; }
  // The position of the store after this number of visits.
  Result<StoreMark> mark_of(uint32_t visits) const;
  // The archive files of the visits in order: up to where, and how many visits end in each.
  struct ArchivePart {
    ArchiveEnd end;
    uint32_t visits = 0;
  };
  const std::vector<ArchivePart>& archive_parts() const { return files_; }

  // Forgets all later visits. requeue() makes them wait again. Nothing is written before finish().
  Status go_back_to(uint32_t visits);
  bool has_lost_visits() const { return !lost_.empty(); }
  Result<CrawlCounters> counters() const;
  void set_counters(const CrawlCounters& counters);  // written by finish()
  // Where the clock of the crawl stood at its last visit. All times in the state are by that clock.
  Result<std::optional<ClockMark>> clock() const;
  void requeue(Frontier& frontier) const;
  // What was in flight at the last visit, if that is known and the visit was not lost.
  Result<std::optional<SavedFlight>> flight() const;

  Status restore(Guards& guards, uint32_t visits) const { return guards.load(*state_, visits); }
  Status restore(HostTemplates& templates) const {
    return Guards::load_templates(*state_, visits_, templates);
  }
  // The page of a visit that is read again gets the template marks that it had.
  Status mark_template(VisitId visit, Page& page) const {
    return Guards::mark_template(*state_, visit, page);
  }

  // Gives a new strategy, judge and statistics the knowledge of the old ones: they load what was
  // saved last and learn from every visit since, read from the archive between `begin` and `end` of
  // its records. Visits that cannot be read are skipped.
  using ReadVisit = std::function<Result<Visit>(VisitId, Candidate, const ArchiveEnd& begin,
                                                const ArchiveEnd& end)>;
  Status restore(Strategy& strategy, JudgeInUse& judge, CrawlStatistics& statistics,
                 uint32_t visits, const ReadVisit& read_visit) const;

 private:
  struct Record;  // of a visit

  explicit SavedCrawl(std::unique_ptr<State> state) : state_(std::move(state)), links_(*state_) {}
  static Result<std::unique_ptr<SavedCrawl>> load(Result<std::unique_ptr<State>> state);
  Status count_visits();
  Result<Record> record_of(uint32_t visit) const;
  SyncMark next_mark() const;
  static std::string bytes_of(const SyncMark& mark);
  Status learn_from_all(JudgeInUse& judge, uint32_t visits, const ReadVisit& read_visit) const;
  void save_pages(std::string_view prefix, std::span<const Response> pages);
  Result<std::vector<Response>> pages_of(std::string_view prefix) const;
  void save_learned(const Strategy& strategy, const JudgeInUse& judge,
                    const CrawlStatistics& statistics, uint32_t visits);

  std::unique_ptr<State> state_;
  StoredLinks links_;
  std::atomic<StoredLinks::Generation> committed_ = 0;
  bool has_begun_ = false;
  uint32_t visits_ = 0;      // committed
  uint32_t all_visits_ = 0;  // when it was opened, also after a gap
  std::optional<SyncMark> synced_;
  std::vector<ArchivePart> files_;  // when it was opened
  std::vector<Candidate> lost_;     // visits that the store does not have
  std::optional<Advice> advice_;
  std::optional<FieldWeights> kept_fields_;  // if terms are kept: the weights that counted them
  uint32_t learned_due_ = 0;  // number of visits at which strategy and judge are saved again
};

}  // namespace dowser
