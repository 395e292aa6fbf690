#include "base/state_reading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

namespace dowser {
namespace {

constexpr int kTries = 5;  // a crawl may remove a file between its listing and its opening

// RocksDB would otherwise rename and write LOG files in the folder.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::Status open(const std::filesystem::path& folder, rocksdb::WALRecoveryMode mode,
                     std::unique_ptr<rocksdb::DB>& db) {
  rocksdb::Options options;
  options.create_if_missing = false;
  options.paranoid_checks = true;
  options.wal_recovery_mode = mode;
  options.info_log = std::make_shared<NoLog>();
  rocksdb::DB* raw = nullptr;
  rocksdb::Status opened;
  for (int i = 0; i < kTries; ++i) {
    opened = rocksdb::DB::OpenForReadOnly(options, folder.string(), &raw);
    if (opened.ok() || !is_in_use(folder)) break;
  }
  db.reset(raw);
  return opened;
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

Result<StateReading> read_state(
    const std::filesystem::path& folder,
    const std::function<void(std::string_view, std::string_view)>& visit) {
  std::unique_ptr<rocksdb::DB> db;
  StateReading reading;
  // A record that was cut short at the very end of the log is how a killed process leaves it; a
  // wrong checksum is not.
  const rocksdb::Status strict =
      open(folder, rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords, db);
  if (!strict.ok()) {
    reading.broken_end = strict.ToString();
    const rocksdb::Status lax = open(folder, rocksdb::WALRecoveryMode::kPointInTimeRecovery, db);
    if (!lax.ok()) return Error{lax.ToString()};
  }
  if (const rocksdb::Status sums = db->VerifyChecksum(); !sums.ok()) return Error{sums.ToString()};
  rocksdb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> it(db->NewIterator(options));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    visit({it->key().data(), it->key().size()}, {it->value().data(), it->value().size()});
  }
  if (!it->status().ok()) return Error{it->status().ToString()};
  return reading;
}

bool is_in_use(const std::filesystem::path& state_folder) {
  const int file = ::open((state_folder / "LOCK").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct flock lock = whole_file(F_WRLCK);
  const bool asked = fcntl(file, F_GETLK, &lock) == 0;
  ::close(file);
  return asked && lock.l_type != F_UNLCK;
}

Result<StateLock> StateLock::take(const std::filesystem::path& state_folder) {
  const int file = ::open((state_folder / "LOCK").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return StateLock(-1);  // nothing that could be in use
  struct flock lock = whole_file(F_WRLCK);
  if (file >= 0 && fcntl(file, F_OFD_SETLK, &lock) == 0) return StateLock(file);
  if (file < 0) {
    return Error{
        fmt::format("cannot write in {}: {}", state_folder.string(), std::strerror(errno))};
  }
  ::close(file);
  return Error{fmt::format("{} is in use by another dowser process", state_folder.string())};
}

StateLock::StateLock(StateLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

StateLock::~StateLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace dowser
