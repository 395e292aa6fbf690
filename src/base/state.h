#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// What must survive a crash: keys and values in a folder, changed in atomic batches (RocksDB). Keys
// are bytes; a key begins with a prefix that names its kind. One thread makes changes and reads;
// another may commit batches at the same time.

namespace dowser {

// Changes that are committed together.
class StateBatch {
 public:
  StateBatch();
  StateBatch(StateBatch&&) noexcept;
  StateBatch& operator=(StateBatch&&) noexcept;
  ~StateBatch();

  void put(std::string_view key, std::string_view value);
  void erase(std::string_view key);
  // Appends the changes of another batch.
  void append(const StateBatch& later);

 private:
  friend class State;
  struct Changes;
  std::unique_ptr<Changes> changes_;
};

class State {
 public:
  // Opens the folder and creates it if it is missing. Only one process can have it open at a time.
  static Result<std::unique_ptr<State>> open(const std::filesystem::path& folder);
  // Opens a folder that must exist. (RocksDB treats a folder without read permission as missing,
  // and would start a new state in place of the old one.)
  static Result<std::unique_ptr<State>> open_existing(const std::filesystem::path& folder);
  // Opens the state for reading only: nothing in the folder is created or changed, and nothing can
  // be committed. Error if it is missing, is open for writing elsewhere, or cannot be read: every
  // file is read once and its checksums are verified.
  static Result<std::unique_ptr<State>> open_read_only(const std::filesystem::path& folder);
  // Whether another process has it open for writing.
  static bool is_in_use(const std::filesystem::path& folder);
  // Whether the log of the newest changes has an unreadable record before its end. The incomplete
  // last record that a killed process leaves does not count as damage. Changes nothing.
  static bool log_is_damaged(const std::filesystem::path& folder);
  ~State();

  // Changes are collected until commit(), which makes all of them or none. When commit() returns,
  // they survive the end of the process; after sync(), also a crash of the machine. After an error
  // nothing more is written: both functions then return that error.
  void put(std::string_view key, std::string_view value) { pending_.put(key, value); }
  void erase(std::string_view key) { pending_.erase(key); }
  Status commit();
  Status sync();

  // The pending changes, to be committed by another thread. Batches must be committed in order.
  StateBatch take_pending();
  Status commit(StateBatch batch);

  // The committed value; pending changes are not visible. Nothing if there is no such key.
  Result<std::optional<std::string>> get(std::string_view key) const;
  // Visits every key that begins with `prefix`, in byte order, with its value. After an error some
  // were not visited.
  using Visitor = std::function<void(std::string_view key, std::string_view value)>;
  Status scan(std::string_view prefix, const Visitor& visit) const;

 private:
  static Result<std::unique_ptr<State>> open_for_writing(const std::filesystem::path& folder,
                                                         bool may_create);
  struct Parts;
  explicit State(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
  StateBatch pending_;
  Status failed_;  // the first write that failed; of the thread that commits
};

}  // namespace dowser
