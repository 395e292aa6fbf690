#include "run/crawl_folder.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/new_file.h"
#include "run/crawl_error.h"
#include "run/own_places.h"
#include "store/configuration.h"

namespace dowser {

Status CrawlFolder::lock() {
  Result<FolderLock> lock = FolderLock::take(folder_);
  if (!lock) return lock.error();
  lock_ = std::move(*lock);
  if (Status s = may_write_into(folder_); !s) return s;
  return settle_configuration(folder_);
}

Result<std::optional<Refusal>> CrawlFolder::open_to_resume() {
  const Result<bool> is_new = never_began(folder_, saved_);
  if (!is_new) return is_new.error();
  exists_ = *is_new;
  can_resume_ = !*is_new;
  return can_resume_ ? plan(accept_loss_) : std::optional<Refusal>();
}

Status CrawlFolder::open_to_look() {
  const Result<std::optional<Refusal>> refusal = plan(true);
  if (!refusal) return nothing_changed(refusal.error(), folder_);
  return *refusal ? Status(error_of(**refusal)) : Status();
}

Result<std::optional<Refusal>> CrawlFolder::plan(bool accept_loss) {
  if (!saved_) {
    Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open_read_only(folder_);
    if (!saved) return std::optional(state_is_lost(folder_, saved.error()));
    saved_ = std::move(*saved);
  }
  const Result<RecoveryPlan> plan = plan_recovery(folder_, *saved_, accept_loss);
  if (!plan) return plan.error();
  if (const Refusal* refusal = std::get_if<Refusal>(&*plan)) return std::optional(*refusal);
  recovery_ = std::get<Recovery>(*plan);
  return std::optional<Refusal>();
}

Status CrawlFolder::make() {
  if (exists_) return {};
  if (Status s = Store::make_folder(folder_); !s) return s;
  if (Status s = lock(); !s) return Error{s.error().message + ": name another folder with --out"};
  return {};
}

Status CrawlFolder::create(const StoreOptions& options, const CrawlModel& model,
                           const CrawlProfile& profile, const TopicPages& pages) {
  saved_.reset();
  if (exists_) {
    if (Status s = clear(); !s) return s;
  }
  auto store = Store::create(options, true);
  if (!store) return store.error();
  store_ = std::move(*store);
  // Before the state says that the crawl has begun.
  if (Status s = store_->sync(); !s) return s;
  Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::create(folder_);
  if (!saved) return saved.error();
  saved_ = std::move(*saved);
  if (!model.text.empty()) {
    if (Status s = replace_own_file(folder_ / CrawlModel::kCopy, model.text); !s) return s;
    saved_->save_model_digest(sha1_digest(model.text));
  }
  if (!profile.text.empty()) {
    if (Status s = replace_own_file(folder_ / CrawlProfile::kCopy, profile.text); !s) return s;
  }
  const Result<SyncMark> mark = saved_->begin(pages);
  if (!mark) return mark.error();
  store_->set_synced(*mark);
  return store_->write_synced();
}

// Moves away what was left by a crawl that was killed before it had begun.
Status CrawlFolder::clear() {
  for (const char* name : {"catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm",
                           "index.unsorted", "state"}) {
    std::error_code failed;
    if (!std::filesystem::exists(folder_ / name, failed)) continue;
    if (Status s = set_aside_.move(folder_ / name); !s) return s;
  }
  return {};
}

// The catalogue comes first, since another process may hold a lock on it. The state was checked
// when it was opened for reading, so it must still be the same.
Status CrawlFolder::open_for_writing(const StoreOptions& options) {
  auto store = Store::open(options);
  if (!store) return store.error();
  store_ = std::move(*store);
  const uint32_t visits = saved_->visits();
  saved_.reset();
  if (accept_loss_) {
    if (Status s = copy_state_logs(); !s) return s;
  }
  Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open(folder_);
  if (!saved) return saved.error();
  saved_ = std::move(*saved);
  if (saved_->visits() != visits) {
    return Error{fmt::format("{} was changed by another dowser process in the meantime: try again",
                             (folder_ / "state").string())};
  }
  return saved_->go_back_to(recovery_.mark.visits);
}

// RocksDB deletes its logs when it has read them, even where it could not read them to the end.
Status CrawlFolder::copy_state_logs() {
  std::error_code failed;
  auto it = std::filesystem::directory_iterator(folder_ / "state", failed);
  for (; !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    if (it->path().extension() != ".log") continue;
    if (Status s = set_aside_.copy(it->path()); !s) return s;
  }
  if (!failed) return {};
  return Error{fmt::format("cannot read {}: {}", (folder_ / "state").string(), failed.message())};
}

Result<std::string> CrawlFolder::begin_at_mark() {
  if (Status s = store_->resume_at(recovery_.mark, set_aside_); !s) return s.error();
  // One batch removes the lost visits from the state and puts their links back into the frontier.
  const Result<SyncMark> synced = saved_->finish();
  if (!synced) return synced.error();
  store_->set_synced(*synced);
  if (Status s = store_->write_synced(); !s) return s.error();
  if (set_aside_.is_empty()) return std::string();
  std::string sentence = fmt::format(
      "went back to page {}: {} later pages of the catalogue and {} later bytes of the archive "
      "were moved to {}",
      recovery_.mark.visits, recovery_.behind, set_aside_.bytes(), set_aside_.folder().string());
  if (recovery_.refetched > 0) {
    sentence += fmt::format("; {} pages will be fetched again", recovery_.refetched);
  }
  return sentence;
}

}  // namespace dowser
