#include "document/converter_pool.h"

namespace dowser {

ConverterPool::ConverterPool(std::vector<std::unique_ptr<Converter>> converters)
    : converters_(std::move(converters)) {
  if (converters_.empty()) threads_.emplace_back([this] { run(nullptr); });
  for (const auto& converter : converters_) {
    threads_.emplace_back([this, one = converter.get()] { run(one); });
  }
}

ConverterPool::~ConverterPool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  for (const auto& converter : converters_) converter->interrupt();
  for (std::thread& thread : threads_) thread.join();
}

void ConverterPool::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (ends_) return;
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void ConverterPool::run(Converter* converter) {
  while (true) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (ends_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task(converter);
  }
}

}  // namespace dowser
