#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "document/converter.h"

namespace dowser {

// Converters, each with a thread that waits for it, so that other threads need not wait.
class ConverterPool {
 public:
  // Runs on one of the threads, with its converter; null if there are none at all.
  using Task = std::function<void(Converter*)>;

  explicit ConverterPool(std::vector<std::unique_ptr<Converter>> converters);
  // Drops the tasks that wait, and ends those that run with a failure.
  ~ConverterPool();
  ConverterPool(const ConverterPool&) = delete;
  ConverterPool& operator=(const ConverterPool&) = delete;

  // From any thread; does not wait. The caller bounds how many there are.
  void submit(Task task);

 private:
  void run(Converter* converter);

  std::vector<std::unique_ptr<Converter>> converters_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;  // guarded by mutex_
  bool ends_ = false;       // likewise
  std::vector<std::thread> threads_;
};

}  // namespace dowser
