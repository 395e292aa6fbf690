#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>

#include "document/conversion.h"

namespace dowser {

// Converts documents to text in a process of its own (converter_process.h). One document at a time;
// a crawl has several converters, each with a thread that waits for it.
class Converter {
 public:
  // Starts `program`, which is dowser itself, as "PROGRAM convert-documents" with the socket as
  // descriptor 3.
  static Result<std::unique_ptr<Converter>> start(const std::filesystem::path& program);
  ~Converter();  // ends the process
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // What confines the programs that read documents.
  const JailSupport& support() const { return support_; }

  // A document that made the process crash or that it did not finish in time is not tried again;
  // the process is restarted for the next one.
  RawConversion convert(DocumentFormat format, std::string_view bytes,
                        const ConversionLimits& limits = {});

  // From any thread: the running conversion fails at once, and so does every later one.
  void interrupt();

  int process() const { return process_; }  // its number

 private:
  explicit Converter(std::filesystem::path program) : program_(std::move(program)) {}
  Status start_process();
  void end_process();
  void wait_for_process();  // with the lock
  bool ask(DocumentFormat format, std::string_view bytes, const ConversionLimits& limits,
           RawConversion& result);

  const std::filesystem::path program_;
  JailSupport support_;
  int socket_ = -1;
  std::mutex mutex_;  // guards what follows where interrupt() may be called
  std::atomic<int> process_ = -1;
  bool interrupted_ = false;
};

}  // namespace dowser
