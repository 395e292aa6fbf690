#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// What must survive a crash: keys and values in a folder, changed all or none (RocksDB). One thread
// at a time. Keys are bytes; a key begins with a prefix that names its kind.

namespace dowser {

class State {
 public:
  // Opens the folder, which is made where it is missing. While one process has it, no other can.
  static Result<std::unique_ptr<State>> open(const std::filesystem::path& folder);
  ~State();

  // Changes gather until commit(), which makes all of them or none. When it returns they survive
  // the death of the process; after sync() also that of the machine.
  void put(std::string_view key, std::string_view value);
  void erase(std::string_view key);
  Status commit();
  Status sync();

  // What was committed; a change that is pending is not seen.
  std::optional<std::string> get(std::string_view key) const;
  // Every key that begins with `prefix`, in the order of their bytes, with its value.
  void scan(std::string_view prefix,
            const std::function<void(std::string_view key, std::string_view value)>& visit) const;

 private:
  struct Parts;
  explicit State(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace dowser
