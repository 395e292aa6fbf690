#include "base/state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <stdexcept>
#include <utility>

namespace dowser {
namespace {

// Small on purpose: what is hot stands in the crawl's own memory, and this must fit next to it.
constexpr size_t kWriteBuffer = 32 << 20;
constexpr size_t kBlockCache = 32 << 20;
constexpr double kFilterBitsPerKey = 10;

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// RocksDB's own log (the file LOG) is not written: nobody reads it, and Debian's RocksDB ends the
// process where it cannot be written.
class NoLog : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::Options options() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kBlockCache);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
  table.cache_index_and_filter_blocks = false;
  rocksdb::Options options;
  options.write_buffer_size = kWriteBuffer;
  options.max_write_buffer_number = 3;
  options.max_background_jobs = 2;
  options.compression = rocksdb::kZSTD;
  options.compression_per_level = {rocksdb::kNoCompression, rocksdb::kNoCompression, rocksdb::kZSTD,
                                   rocksdb::kZSTD,          rocksdb::kZSTD,          rocksdb::kZSTD,
                                   rocksdb::kZSTD};
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.max_open_files = 256;
  options.avoid_flush_during_shutdown = true;  // what is committed is in the log
  options.info_log = std::make_shared<NoLog>();
  // These are defaults; they are written down because recovery relies on them. Checksums are
  // verified, a missing or damaged file is an error, and RocksDB never goes back to an older
  // version of itself to hide one.
  options.paranoid_checks = true;
  options.best_efforts_recovery = false;
  // The log is replayed up to the first record that cannot be read, so what is there is always the
  // state after some commit. The stricter modes refuse the torn end that a power cut leaves; the
  // laxer one jumps over holes. Whether the log lost more than a crash explains is asked with
  // log_is_damaged() and by comparing with what the store knows (run/recovery.h).
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  return options;
}

Error cannot(std::string_view what, const rocksdb::Status& status) {
  std::string why = status.ToString();
  std::replace(why.begin(), why.end(), '\n', ' ');
  while (why.ends_with(' ')) why.pop_back();
  return {fmt::format("cannot {} the state of the crawl: {}", what, why)};
}

Error in_use(const std::filesystem::path& folder) {
  return {fmt::format("{} is in use by another dowser process", folder.string())};
}

}  // namespace

struct StateBatch::Changes {
  rocksdb::WriteBatch batch;
};

StateBatch::StateBatch() : changes_(std::make_unique<Changes>()) {}
StateBatch::StateBatch(StateBatch&&) noexcept = default;
StateBatch& StateBatch::operator=(StateBatch&&) noexcept = default;
StateBatch::~StateBatch() = default;

void StateBatch::put(std::string_view key, std::string_view value) {
  changes_->batch.Put(slice(key), slice(value));
}

void StateBatch::erase(std::string_view key) { changes_->batch.Delete(slice(key)); }

// RocksDB cannot join batches, but shows what is in one.
void StateBatch::append(const StateBatch& later) {
  struct Copy : rocksdb::WriteBatch::Handler {
    explicit Copy(rocksdb::WriteBatch& to) : to(to) {}
    rocksdb::Status PutCF(uint32_t, const rocksdb::Slice& key,
                          const rocksdb::Slice& value) override {
      return to.Put(key, value);
    }
    rocksdb::Status DeleteCF(uint32_t, const rocksdb::Slice& key) override {
      return to.Delete(key);
    }
    rocksdb::WriteBatch& to;
  };
  Copy copy(changes_->batch);
  // It fails only for changes that put() and erase() do not make.
  if (!later.changes_->batch.Iterate(&copy).ok()) throw std::logic_error("a batch of the state");
}

struct State::Parts {
  std::unique_ptr<rocksdb::DB> db;
};

State::State(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
State::~State() = default;

Result<std::unique_ptr<State>> State::open(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  return open_for_writing(folder, true);
}

Result<std::unique_ptr<State>> State::open_existing(const std::filesystem::path& folder) {
  return open_for_writing(folder, false);
}

Result<std::unique_ptr<State>> State::open_for_writing(const std::filesystem::path& folder,
                                                       bool may_create) {
  rocksdb::Options writing = options();
  writing.create_if_missing = may_create;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(writing, folder.string(), &db);
  if (opened.IsIOError() && opened.ToString().find("lock") != std::string::npos) {
    return in_use(folder);
  }
  if (!opened.ok()) return cannot("open", opened);
  auto parts = std::make_unique<Parts>();
  parts->db.reset(db);
  return std::unique_ptr<State>(new State(std::move(parts)));
}

// RocksDB holds a record lock on LOCK.
bool State::is_in_use(const std::filesystem::path& folder) {
  const int fd = ::open((folder / "LOCK").c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool held = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(fd);
  return held;
}

Result<std::unique_ptr<State>> State::open_read_only(const std::filesystem::path& folder) {
  if (is_in_use(folder)) return in_use(folder);
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(options(), folder.string(), &db);
  if (!opened.ok()) return cannot("read", opened);
  auto parts = std::make_unique<Parts>();
  parts->db.reset(db);
  // Damage must be found here: once it is opened for writing, RocksDB exchanges files.
  if (const auto sums = db->VerifyChecksum(); !sums.ok()) return cannot("read", sums);
  return std::unique_ptr<State>(new State(std::move(parts)));
}

bool State::log_is_damaged(const std::filesystem::path& folder) {
  rocksdb::Options strict = options();
  strict.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(strict, folder.string(), &db);
  const std::unique_ptr<rocksdb::DB> closes(db);
  return !opened.ok();
}

Status State::commit() { return commit(take_pending()); }

StateBatch State::take_pending() { return std::exchange(pending_, StateBatch()); }

Status State::commit(StateBatch batch) {
  if (!failed_.ok()) return failed_;
  const rocksdb::Status written = parts_->db->Write({}, &batch.changes_->batch);
  if (!written.ok()) failed_ = cannot("write", written);
  return failed_;
}

Status State::sync() {
  if (!failed_.ok()) return failed_;  // RocksDB does not allow it: it would end the process
  const rocksdb::Status synced = parts_->db->SyncWAL();
  if (!synced.ok()) failed_ = cannot("write", synced);
  return failed_;
}

Result<std::optional<std::string>> State::get(std::string_view key) const {
  std::string value;
  const rocksdb::Status read = parts_->db->Get({}, slice(key), &value);
  if (read.ok()) return std::optional(std::move(value));
  if (read.IsNotFound()) return std::optional<std::string>();
  return cannot("read", read);
}

Status State::scan(std::string_view prefix, const Visitor& visit) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> it(parts_->db->NewIterator(options));
  for (it->Seek(slice(prefix)); it->Valid() && it->key().starts_with(slice(prefix)); it->Next()) {
    visit(view(it->key()), view(it->value()));
  }
  // An iterator that meets damage ends early, and only its status tells.
  if (!it->status().ok()) return cannot("read", it->status());
  return {};
}

}  // namespace dowser
