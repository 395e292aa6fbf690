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
#include "store/store.h"

// The state of a crawl in DIR/state: frontier, strategy, guards and counters, and for each visit
// how far the store had come. All that a visit changes is one atomic batch, written after the visit
// is in the store. So after a crash the store may be ahead of the state: it is cut back, and the
// page is fetched again. (Only when the whole machine went down can the state be ahead; then the
// visits that the store has lost wait again.) run/recovery.h decides which visit to go back to.

namespace dowser {

class SavedCrawl {
 public:
  // Of a new crawl, or of one that is to go on.
  static Result<std::unique_ptr<SavedCrawl>> open(const std::filesystem::path& crawl_folder);
  // To look at it: nothing is changed, and nothing can be.
  static Result<std::unique_ptr<SavedCrawl>> open_read_only(
      const std::filesystem::path& crawl_folder);

  StoredLinks& links() { return links_; }

  // All that a visit changed. It is sealed on the thread that thinks, and committed on the one that
  // writes, once the store has the visit.
  class Change {
   public:
    Change(StateBatch batch, StoredLinks::Generation generation, std::string record, uint32_t mark)
        : batch_(std::move(batch)),
          generation_(generation),
          record_(std::move(record)),
          mark_(mark) {}

   private:
    friend class SavedCrawl;
    StateBatch batch_;
    StoredLinks::Generation generation_;
    std::string record_;  // of the visit, as far as it is known
    uint32_t mark_;       // of its candidate
  };
  Change seal(const Outcome& outcome, const CrawlCounters& counters, const Guards& guards,
              const Strategy& strategy, const JudgeInUse& judge);
  Status commit(Change change, const StoreMark& mark);

  // What was committed is on the disk when it returns, and so must the store be when it is called.
  // The mark says so and is for the store.
  Result<SyncMark> sync();
  // The same at the end of a crawl. Nothing may be sealed and not committed. What changed since the
  // last visit is kept as well, or dropped: an archived web brings it about again.
  enum class SinceLastVisit { kKeep, kDrop };
  Result<SyncMark> finish(SinceLastVisit changes = SinceLastVisit::kKeep);

  // For those who check a state: its keys, and what they hold. A visit's is kVisitKey with its
  // number as sortable() bytes.
  static constexpr std::string_view kVisitKey = "p", kCountersKey = "c", kModelKey = "m",
                                    kSyncedKey = "y";
  struct KnownVisit {
    Candidate candidate;
    StoreMark mark;
  };
  static std::optional<KnownVisit> known_visit(uint32_t visit, std::string_view bytes);
  static std::optional<SyncMark> known_mark(std::string_view bytes);

  // The digest of the copy of the model, so that damage is noticed.
  void save_model_digest(std::string_view digest) { state_->put(kModelKey, digest); }

  // Saves the pages that stand for the topic, as they are when the crawl begins. From then on it
  // can be resumed.
  Result<SyncMark> begin(std::span<const Response> examples);
  Result<std::vector<Response>> examples() const;

  bool has_begun() const { return has_begun_ || visits_ > 0; }
  uint32_t visits() const { return visits_; }  // that have a record, without a gap
  std::optional<SyncMark> synced() const { return synced_; }
  // How far the store had come after so many visits.
  Result<StoreMark> mark_of(uint32_t visits) const;
  // The archive files that the visits lie in, in order: how far, and how many visits end there.
  struct ArchivePart {
    ArchiveEnd end;
    uint32_t visits = 0;
  };
  const std::vector<ArchivePart>& archive_parts() const { return files_; }

  // Forgets all later visits. They wait again once requeue() was called, and until finish() nothing
  // is written.
  Status go_back_to(uint32_t visits);
  bool has_lost_visits() const { return !lost_.empty(); }
  Result<CrawlCounters> counters() const;
  void set_counters(const CrawlCounters& counters);  // written by finish()
  Result<std::optional<Time>> last_fetch() const;
  void requeue(Frontier& frontier) const;
  // What was under way at the last visit, where that is known and the visit was not lost.
  Result<std::optional<SavedFlight>> flight() const;

  Status restore(Guards& guards, uint32_t visits) const { return guards.load(*state_, visits); }
  // The page of a visit that is read again gets the template marks that it had.
  Status mark_template(VisitId visit, Page& page) const {
    return Guards::mark_template(*state_, visit, page);
  }

  // Brings a new strategy and a new judge to where the old ones were: what they saved last, and
  // then every visit since, read again from the archive (`begin` and `end` of its records there).
  // Visits that cannot be read are left out.
  using ReadVisit = std::function<Result<Visit>(VisitId, Candidate, const ArchiveEnd& begin,
                                                const ArchiveEnd& end)>;
  Status restore(Strategy& strategy, JudgeInUse& judge, uint32_t visits,
                 const ReadVisit& read_visit) const;

 private:
  struct Record;  // of a visit

  explicit SavedCrawl(std::unique_ptr<State> state) : state_(std::move(state)), links_(*state_) {}
  static Result<std::unique_ptr<SavedCrawl>> load(Result<std::unique_ptr<State>> state);
  Status count_visits();
  Result<Record> record_of(uint32_t visit) const;
  SyncMark next_mark() const;
  static std::string bytes_of(const SyncMark& mark);
  void save_learned(const Strategy& strategy, const JudgeInUse& judge, uint32_t visits);

  std::unique_ptr<State> state_;
  StoredLinks links_;
  std::atomic<StoredLinks::Generation> committed_ = 0;
  bool has_begun_ = false;
  uint32_t visits_ = 0;      // committed
  uint32_t all_visits_ = 0;  // when it was opened, also behind a gap
  std::optional<SyncMark> synced_;
  std::vector<ArchivePart> files_;  // when it was opened
  std::vector<Candidate> lost_;     // visits that the store had not
  uint32_t learned_due_ = 0;        // at so many visits strategy and judge are saved again
};

}  // namespace dowser
