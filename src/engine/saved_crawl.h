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
// visits that the store has lost wait again.)

namespace dowser {

class SavedCrawl {
 public:
  // Of a new crawl, or of one that is to go on.
  static Result<std::unique_ptr<SavedCrawl>> open(const std::filesystem::path& crawl_folder);

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

  // The end of a crawl: all reaches the disk. Nothing may be sealed and not committed. What changed
  // since the last visit lasts too, or is dropped: an archived web brings it about again.
  enum class SinceLastVisit { kKeep, kDrop };
  Status finish(SinceLastVisit changes = SinceLastVisit::kKeep);
  Status sync() { return state_->sync(); }

  // The pages that stand for the topic, as they were when the crawl began.
  Status save_examples(std::span<const Response> examples);
  std::vector<Response> examples() const;

  // Where to go on: the newest visit that the store reaches to. Later ones wait again, once
  // requeue() was called.
  Result<StoreMark> recover(const std::filesystem::path& crawl_folder);
  // How many visits the store reaches to. Changes nothing.
  Result<StoreMark> newest_kept(const std::filesystem::path& crawl_folder) const;
  CrawlCounters counters() const;
  std::optional<Time> last_fetch() const;
  void requeue(Frontier& frontier) const;
  // What was under way at the last visit, where that is known and the visit was not lost.
  std::optional<SavedFlight> flight() const;

  void restore(Guards& guards, uint32_t visits) const { guards.load(*state_, visits); }

  // Brings a new strategy and a new judge to where the old ones were: what they saved last, and
  // then every visit since, read again from the archive.
  // `begin` and `end` of the visit's records in the archive.
  using ReadVisit = std::function<Result<Visit>(VisitId, Candidate, const ArchiveEnd& begin,
                                                const ArchiveEnd& end)>;
  Status restore(Strategy& strategy, JudgeInUse& judge, uint32_t visits,
                 const ReadVisit& read_visit) const;

 private:
  struct Record;  // of a visit

  explicit SavedCrawl(std::unique_ptr<State> state) : state_(std::move(state)), links_(*state_) {}
  uint32_t visits() const;  // that have a record
  std::optional<Record> record_of(uint32_t visit) const;
  void save_learned(const Strategy& strategy, const JudgeInUse& judge, uint32_t visits);

  std::unique_ptr<State> state_;
  StoredLinks links_;
  std::atomic<StoredLinks::Generation> committed_ = 0;
  std::vector<Candidate> lost_;  // visits that the store had not
  uint32_t learned_due_ = 0;     // at so many visits strategy and judge are saved again
};

}  // namespace dowser
