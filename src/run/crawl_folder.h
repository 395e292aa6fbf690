#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "base/file.h"
#include "base/set_aside.h"
#include "run/crawl_model.h"
#include "run/crawl_profile.h"
#include "run/recovery.h"
#include "run/saved_crawl.h"
#include "store/store.h"

// The folder of a crawl while it runs: its lock, its state (SavedCrawl) and its archive and
// catalogue (Store). A new crawl calls make() and create(). One that is resumed calls lock(),
// then open_to_resume(), which only looks, then open_for_writing() and, once its strategy and judge
// are as they were, begin_at_mark().

namespace dowser {

class CrawlFolder {
 public:
  // `accept_loss` as in resume_crawl().
  explicit CrawlFolder(std::filesystem::path folder, bool accept_loss = false)
      : folder_(std::move(folder)), accept_loss_(accept_loss) {}

  // Two crawls in one folder would spoil both; and what is not ours is not written to.
  Status lock();

  // Reads the state of the locked folder and decides where to resume. Changes nothing. If the crawl
  // was killed before it had begun, can_resume() is false and create() starts it again in place.
  Result<std::optional<Refusal>> open_to_resume();
  bool can_resume() const { return can_resume_; }

  // The same without a lock, for commands that only read what the crawl has learned.
  Status open_to_look();

  // Creates and locks the folder of a new crawl; refuses a folder that is not empty.
  Status make();
  Status create(const StoreOptions& options, const CrawlModel& model, const CrawlProfile& profile,
                const TopicPages& pages);

  // Opens state, archive and catalogue for writing; nothing is cut yet.
  Status open_for_writing(const StoreOptions& options);
  // Sets aside everything after the mark of recovery(), and begins a new run there. Returns a
  // sentence about what was set aside, or "".
  Result<std::string> begin_at_mark();

  const std::filesystem::path& path() const { return folder_; }
  const Recovery& recovery() const { return recovery_; }
  SavedCrawl& saved() { return *saved_; }
  Store& store() { return *store_; }

 private:
  Result<std::optional<Refusal>> plan(bool accept_loss);
  Status clear();
  Status copy_state_logs();

  const std::filesystem::path folder_;
  const bool accept_loss_;
  bool can_resume_ = false;
  bool exists_ = false;  // and is locked, but the crawl in it had not begun
  std::optional<FolderLock> lock_;
  SetAside set_aside_{folder_, SystemClock().now()};
  Recovery recovery_;
  std::unique_ptr<SavedCrawl> saved_;
  std::unique_ptr<Store> store_;
};

}  // namespace dowser
