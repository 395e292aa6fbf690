#include "serve/request_body.h"

#include <algorithm>
#include <charconv>

namespace dowser {
namespace {

constexpr size_t kLongestLine = 4096;  // of a chunk's size with its extensions, or of a trailer
constexpr size_t kLongestTrailer = 16 * 1024;

}  // namespace

RequestBody::RequestBody(const HttpRequest& request, size_t limit)
    : limit_(limit), left_(request.content_length) {
  if (request.chunked) {
    part_ = Part::kChunkSize;
  } else if (left_ == 0) {
    state_ = State::kComplete;
  } else if (left_ > limit_) {
    state_ = State::kTooLarge;
  }
}

RequestBody::State RequestBody::read(std::string& input) {
  if (state_ != State::kIncomplete) return state_;
  if (part_ == Part::kContent) {
    read_content(input);
    if (left_ == 0) state_ = State::kComplete;
  } else {
    while (state_ == State::kIncomplete && read_chunk_part(input)) {
    }
  }
  return state_;
}

void RequestBody::read_content(std::string& input) {
  const size_t size = static_cast<size_t>(std::min<uint64_t>(left_, input.size()));
  data_.append(input, 0, size);
  input.erase(0, size);
  left_ -= size;
}

bool RequestBody::read_chunk_part(std::string& input) {
  std::string line;
  switch (part_) {
    case Part::kChunkSize: {
      if (!take_line(input, line)) return false;
      const char* const begin = line.data();
      const char* const end = begin + std::min(line.find_first_of("; \t"), line.size());
      const auto [stop, error] = std::from_chars(begin, end, left_, 16);
      if (error != std::errc() || stop != end) {
        state_ = State::kBroken;
      } else if (left_ > limit_ - data_.size()) {
        state_ = State::kTooLarge;
      }
      part_ = left_ == 0 ? Part::kTrailer : Part::kChunk;
      return true;
    }
    case Part::kChunk:
      if (input.empty()) return false;
      read_content(input);
      if (left_ == 0) part_ = Part::kChunkEnd;
      return true;
    case Part::kChunkEnd:
      if (input.size() < 2) return false;
      if (!input.starts_with("\r\n")) state_ = State::kBroken;
      input.erase(0, 2);
      part_ = Part::kChunkSize;
      return true;
    case Part::kTrailer:
      if (!take_line(input, line)) return false;
      trailer_ += line.size();
      if (line.empty()) state_ = State::kComplete;
      if (trailer_ > kLongestTrailer) state_ = State::kBroken;
      return true;
    case Part::kContent:
      break;
  }
  return false;
}

// Takes a line that ends with \r\n. A bare \n is not accepted here: programs that disagree about
// the end of a chunk would see two different requests.
bool RequestBody::take_line(std::string& input, std::string& line) {
  const size_t end = input.find('\n');
  if (end == input.npos) {
    if (input.size() > kLongestLine) state_ = State::kBroken;
    return false;
  }
  if (end == 0 || input[end - 1] != '\r' || end > kLongestLine) {
    state_ = State::kBroken;
    return false;
  }
  line.assign(input, 0, end - 1);
  input.erase(0, end + 1);
  return true;
}

}  // namespace dowser
