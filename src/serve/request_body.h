#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "serve/http_message.h"

namespace dowser {

// Reads the body of a request from the bytes of a connection as they arrive: by its Content-Length,
// or in chunks (RFC 9112, section 7.1). The size of the body is limited.
class RequestBody {
 public:
  enum class State { kIncomplete, kComplete, kTooLarge, kBroken };

  // For a request without a body it is complete at once.
  RequestBody(const HttpRequest& request, size_t limit);

  // Removes the bytes of the body from the front of `input`. What follows the body stays.
  State read(std::string& input);
  State state() const { return state_; }
  const std::string& data() const { return data_; }

 private:
  enum class Part { kContent, kChunkSize, kChunk, kChunkEnd, kTrailer };

  void read_content(std::string& input);
  bool read_chunk_part(std::string& input);  // false: more bytes are needed, or it is over
  bool take_line(std::string& input, std::string& line);

  const size_t limit_;
  State state_ = State::kIncomplete;
  Part part_ = Part::kContent;
  uint64_t left_ = 0;   // bytes of the content, or of the current chunk
  size_t trailer_ = 0;  // bytes of the trailer so far
  std::string data_;
};

}  // namespace dowser
