#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// What must survive a crash: keys and values in a folder, changed all or none (RocksDB). Keys are
// bytes; a key begins with a prefix that names its kind. One thread makes changes and asks; another
// may commit batches meanwhile.

namespace dowser {

// Changes that are made together.
class StateBatch {
 public:
  StateBatch();
  StateBatch(StateBatch&&) noexcept;
  StateBatch& operator=(StateBatch&&) noexcept;
  ~StateBatch();

  void put(std::string_view key, std::string_view value);
  void erase(std::string_view key);
  // Adds the changes of another batch behind its own.
  void append(const StateBatch& later);

 private:
  friend class State;
  struct Changes;
  std::unique_ptr<Changes> changes_;
};

class State {
 public:
  // Opens the folder, which is made where it is missing. While one process has it, no other can.
  static Result<std::unique_ptr<State>> open(const std::filesystem::path& folder);
  // Opens a folder that must be there. RocksDB takes one that it may not look at for missing, and
  // would begin a new state in the place of the old one.
  static Result<std::unique_ptr<State>> open_existing(const std::filesystem::path& folder);
  // To look at what is there: nothing in the folder is made or changed, and nothing can be
  // committed. Error where it is missing, is open for writing elsewhere, or cannot be read: every
  // file is read once and its checksums are compared.
  static Result<std::unique_ptr<State>> open_read_only(const std::filesystem::path& folder);
  // Whether another process has it open for writing.
  static bool is_in_use(const std::filesystem::path& folder);
  // Whether the log of the newest changes has a record that cannot be read before its end. The torn
  // end that a killed process leaves is no damage. Changes nothing.
  static bool log_is_damaged(const std::filesystem::path& folder);
  ~State();

  // Changes gather until commit(), which makes all of them or none. When it returns they survive
  // the death of the process; after sync() also that of the machine. After an error nothing more is
  // written: both then return that error.
  void put(std::string_view key, std::string_view value) { pending_.put(key, value); }
  void erase(std::string_view key) { pending_.erase(key); }
  Status commit();
  Status sync();

  // What was pending, to be committed by another thread. Batches are committed in their order.
  StateBatch take_pending();
  Status commit(StateBatch batch);

  // What was committed; a change that is pending is not seen. Nothing: there is no such key.
  Result<std::optional<std::string>> get(std::string_view key) const;
  // Every key that begins with `prefix`, in the order of their bytes, with its value. After an
  // error some were not visited.
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
