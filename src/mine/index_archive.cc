#include "mine/index_archive.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "parse/parse_page.h"
#include "store/text_index.h"

namespace dowser {
namespace {

constexpr size_t kReadAhead = 64;  // pages, for each thread

std::optional<IndexText> prepare(const ArchiveSet& archive, const std::string& url,
                                 const IndexArchiveOptions& options) {
  const auto record = archive.find(url);
  if (!record) return std::nullopt;
  const Result<Response> response = archive.load(*record);
  if (!response || response->status != 200) return std::nullopt;
  ParseOptions parse;
  parse.detect_language = parse.count_terms = false;
  Page page = parse_page(*response, parse);
  if (page.blocks.empty()) return std::nullopt;
  if (options.mark) options.mark(page);
  return index_text(page);
}

// Threads that unpack, parse and split into words; the pages come out in the order of the archive,
// so that the same archive gives the same index.
class Preparation {
 public:
  Preparation(const ArchiveSet& archive, const IndexArchiveOptions& options)
      : archive_(archive),
        options_(options),
        urls_(archive.urls()),
        threads_count_(std::max(1u, std::thread::hardware_concurrency())),
        ring_(threads_count_ * kReadAhead) {
    for (unsigned i = 0; i < threads_count_; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  ~Preparation() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // The text at the next place; nothing where there is no page.
  std::optional<IndexText> next() {
    std::unique_lock lock(mutex_);
    Slot& slot = ring_[taken_ % ring_.size()];
    changed_.wait(lock, [&] { return slot.ready; });
    slot.ready = false;
    ++taken_;
    std::optional<IndexText> text = std::move(slot.text);
    slot.text.reset();
    lock.unlock();
    changed_.notify_all();
    return text;
  }

 private:
  struct Slot {
    bool ready = false;
    std::optional<IndexText> text;
  };

  void work() {
    while (true) {
      size_t place;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || started_ < taken_ + ring_.size(); });
        if (stop_ || started_ >= urls_.size()) return;
        place = started_++;
      }
      std::optional<IndexText> text = prepare(archive_, urls_[place], options_);
      {
        const std::lock_guard lock(mutex_);
        Slot& slot = ring_[place % ring_.size()];
        slot.text = std::move(text);
        slot.ready = true;
      }
      changed_.notify_all();
    }
  }

  const ArchiveSet& archive_;
  const IndexArchiveOptions& options_;
  const std::vector<std::string>& urls_;
  const unsigned threads_count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> ring_;
  size_t started_ = 0, taken_ = 0;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

Result<bool> index_archive(const ArchiveSet& archive, const std::filesystem::path& index,
                           const IndexArchiveOptions& options) {
  Result<TextIndexWriter> writer = TextIndexWriter::create(index);
  if (!writer) return writer.error();
  const size_t all = archive.urls().size();
  {
    Preparation preparation(archive, options);
    for (size_t done = 0; done < all; ++done) {
      if (done % 64 == 0 && !options.progress(done, all)) return false;
      const std::optional<IndexText> text = preparation.next();
      if (!text) continue;
      if (Status s = writer->add(*text); !s) return s.error();
    }
  }
  if (!options.progress(all, all)) return false;
  if (Status s = writer->finish(options.source); !s) return s.error();
  return true;
}

}  // namespace dowser
