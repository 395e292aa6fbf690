#include "mine/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

namespace dowser {
namespace {

constexpr size_t kBuffer = 1 << 20;  // unpacked bytes
constexpr size_t kPacked = 256 << 10;

}  // namespace

struct LogFile::Stream {
  std::filesystem::path path;
  int fd = -1;
  uint64_t read = 0, total = 0;
  std::optional<Error> error;
  bool ended = false;

  std::vector<char> buffer = std::vector<char>(kBuffer);
  size_t begin = 0, end = 0;  // what is in the buffer and not yet taken

  bool gzip = false;
  bool in_member = false;
  z_stream unpack = {};
  std::vector<unsigned char> packed;

  ~Stream() {
    if (gzip) inflateEnd(&unpack);
    if (fd > STDIN_FILENO) ::close(fd);
  }

  size_t read_some(void* to, size_t size) {
    while (true) {
      const ssize_t got = ::read(fd, to, size);
      if (got >= 0) {
        read += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
      }
      if (errno == EINTR) continue;
      error = Error{fmt::format("cannot read {}: {}", path.string(), std::strerror(errno))};
      return 0;
    }
  }

  void break_off(std::string_view why) {
    error = Error{fmt::format("{} was read only up to byte {}: {}", path.string(),
                              read - unpack.avail_in, why)};
    ended = true;
  }

  size_t unpack_some(char* to, size_t size) {
    unpack.next_out = reinterpret_cast<unsigned char*>(to);
    unpack.avail_out = static_cast<uInt>(size);
    while (unpack.avail_out == size && !ended) {
      if (unpack.avail_in == 0) {
        unpack.next_in = packed.data();
        unpack.avail_in = static_cast<uInt>(read_some(packed.data(), packed.size()));
        if (unpack.avail_in == 0) {
          ended = true;
          if (in_member && !error) break_off("its gzip data is cut short");
          break;
        }
      }
      const int code = inflate(&unpack, Z_NO_FLUSH);
      in_member = code != Z_STREAM_END;
      if (code == Z_STREAM_END) {
        // What follows is the next member, or zeros that fill a block of a tape.
        while (unpack.avail_in > 0 && *unpack.next_in == 0) ++unpack.next_in, --unpack.avail_in;
        inflateReset(&unpack);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        break_off("its gzip data is broken");
      }
    }
    return size - unpack.avail_out;
  }

  // False: nothing more came.
  bool fill() {
    if (begin > 0) {
      std::memmove(buffer.data(), buffer.data() + begin, end - begin);
      end -= begin;
      begin = 0;
    }
    if (ended || end == buffer.size()) return false;
    char* to = buffer.data() + end;
    const size_t got =
        gzip ? unpack_some(to, buffer.size() - end) : read_some(to, buffer.size() - end);
    if (got == 0) ended = true;
    end += got;
    return got > 0;
  }

  // Skips zero bytes, of which there may be megabytes. True: there were some.
  bool skip_zeros() {
    bool any = false;
    while (true) {
      while (begin < end && buffer[begin] == '\0') {
        ++begin;
        any = true;
      }
      if (begin < end || !fill()) return any;
    }
  }

  std::string_view rest() const { return {buffer.data() + begin, end - begin}; }

  Status start() {
    while (end < 2 && fill()) {
    }
    if (error) return *error;
    if (!rest().starts_with("\x1f\x8b")) return {};
    // The bytes that were read become the first packed ones.
    packed.assign(std::max(kPacked, end), 0);
    std::memcpy(packed.data(), buffer.data(), end);
    unpack.next_in = packed.data();
    unpack.avail_in = static_cast<uInt>(end);
    end = 0;
    ended = false;
    if (inflateInit2(&unpack, 15 + 16) != Z_OK)
      return Error{"out of memory while decompressing gzip"};
    gzip = in_member = true;
    return {};
  }
};

LogFile::LogFile(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
LogFile::LogFile(LogFile&&) noexcept = default;
LogFile& LogFile::operator=(LogFile&&) noexcept = default;
LogFile::~LogFile() = default;

Result<LogFile> LogFile::open(const std::filesystem::path& path) {
  auto stream = std::make_unique<Stream>();
  stream->path = path == "-" ? "standard input" : path;
  stream->fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (stream->fd < 0 || fstat(stream->fd, &about) != 0) {
    return Error{fmt::format("cannot read {}: {}", path.string(), std::strerror(errno))};
  }
  if (S_ISDIR(about.st_mode)) {
    return Error{fmt::format("cannot read {}: it is a folder; name its log files", path.string())};
  }
  if (S_ISREG(about.st_mode)) stream->total = static_cast<uint64_t>(about.st_size);
  posix_fadvise(stream->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  if (Status s = stream->start(); !s) return s.error();
  return LogFile(std::move(stream));
}

std::string_view LogFile::peek() {
  while (stream_->rest().size() < kLongestLine && stream_->fill()) {
  }
  return stream_->rest();
}

std::optional<LogFile::Line> LogFile::next() {
  Stream& s = *stream_;
  Line line;
  line.zeros = s.skip_zeros();
  size_t searched = 0;
  while (true) {
    const std::string_view rest = s.rest();
    const void* found = rest.size() > searched
                            ? std::memchr(rest.data() + searched, '\n', rest.size() - searched)
                            : nullptr;
    if (found) {
      line.text =
          rest.substr(0, static_cast<size_t>(static_cast<const char*>(found) - rest.data()));
      s.begin += line.text.size() + 1;
      break;
    }
    searched = rest.size();
    if (s.fill()) continue;
    if (s.rest().empty()) return std::nullopt;
    line.text = s.rest();
    line.unfinished = true;
    if (s.ended) {
      s.begin = s.end;
      break;
    }
    // The buffer is full of one line. Its beginning stays in front of what is read and thrown away.
    line.shortened = true;
    line.unfinished = false;
    s.end = kLongestLine;
    while (!s.ended) {
      s.begin = kLongestLine;
      char* to = s.buffer.data() + kLongestLine;
      const size_t room = s.buffer.size() - kLongestLine;
      const size_t got = s.gzip ? s.unpack_some(to, room) : s.read_some(to, room);
      s.end = s.begin + got;
      if (got == 0) s.ended = true;
      if (const void* newline = std::memchr(to, '\n', got)) {
        s.begin += static_cast<size_t>(static_cast<const char*>(newline) - to) + 1;
        break;
      }
      s.begin = s.end;
    }
    line.text = {s.buffer.data(), kLongestLine};
    break;
  }
  if (line.text.size() > kLongestLine) {
    line.text = line.text.substr(0, kLongestLine);
    line.shortened = true;
  }
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  return line;
}

const std::filesystem::path& LogFile::path() const { return stream_->path; }
uint64_t LogFile::bytes_read() const {
  return stream_->read - (stream_->gzip ? stream_->unpack.avail_in : stream_->end - stream_->begin);
}
uint64_t LogFile::bytes_total() const { return stream_->total; }
const std::optional<Error>& LogFile::error() const { return stream_->error; }

}  // namespace dowser
