#include "base/state.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <utility>

namespace dowser {
namespace {

// Small on purpose: what is hot stands in the crawl's own memory, and this must fit beside it.
constexpr size_t kWriteBuffer = 32 << 20;
constexpr size_t kBlockCache = 32 << 20;
constexpr double kFilterBitsPerKey = 10;

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

rocksdb::Options options() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kBlockCache);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
  table.cache_index_and_filter_blocks = false;
  rocksdb::Options options;
  options.create_if_missing = true;
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
  options.keep_log_file_num = 2;
  options.info_log_level = rocksdb::WARN_LEVEL;
  return options;
}

Error cannot(std::string_view what, const rocksdb::Status& status) {
  return {fmt::format("cannot {} the state of the crawl: {}", what, status.ToString())};
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

struct State::Parts {
  std::unique_ptr<rocksdb::DB> db;
};

State::State(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
State::~State() = default;

Result<std::unique_ptr<State>> State::open(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(options(), folder.string(), &db);
  if (opened.IsIOError() && opened.ToString().find("lock") != std::string::npos) {
    return Error{fmt::format("{} is in use by another dowser", folder.string())};
  }
  if (!opened.ok()) return cannot("open", opened);
  auto parts = std::make_unique<Parts>();
  parts->db.reset(db);
  return std::unique_ptr<State>(new State(std::move(parts)));
}

Status State::commit() { return commit(take_pending()); }

StateBatch State::take_pending() { return std::exchange(pending_, StateBatch()); }

Status State::commit(StateBatch batch) {
  const rocksdb::Status written = parts_->db->Write({}, &batch.changes_->batch);
  if (!written.ok()) return cannot("write", written);
  return {};
}

Status State::sync() {
  const rocksdb::Status synced = parts_->db->SyncWAL();
  if (!synced.ok()) return cannot("write", synced);
  return {};
}

std::optional<std::string> State::get(std::string_view key) const {
  std::string value;
  if (!parts_->db->Get({}, slice(key), &value).ok()) return std::nullopt;
  return value;
}

void State::scan(std::string_view prefix,
                 const std::function<void(std::string_view, std::string_view)>& visit) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> it(parts_->db->NewIterator(options));
  for (it->Seek(slice(prefix)); it->Valid() && it->key().starts_with(slice(prefix)); it->Next()) {
    visit(view(it->key()), view(it->value()));
  }
}

}  // namespace dowser
