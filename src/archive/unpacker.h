#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dowser {

struct MemberInflater;

// The bytes of an archive file as one stream, decompressed piece by piece, which remembers the gzip
// member that they came from. It holds bytes that were decompressed and not yet taken, never the
// whole file. A plain file is its own stream.
class Unpacker {
 public:
  enum class End {
    kOpen,    // there may be more
    kEnd,     // the end of the file
    kCut,     // the file ends in the middle of a gzip member
    kBroken,  // what comes next is not gzip, or fails its checksum
  };

  // Starts at `offset` of `file`; whether it is gzip is seen by its first bytes.
  Unpacker(std::string_view file, size_t offset);
  ~Unpacker();
  Unpacker(Unpacker&&) noexcept;
  Unpacker& operator=(Unpacker&&) noexcept;

  // The bytes that were decompressed and not yet taken. Valid until the next call of a non-const
  // function.
  std::string_view window() const;
  // Extends the window. False if that is not possible; end() then says why.
  bool more();
  void take(size_t n);

  End end() const { return end_; }
  bool is_damaged() const { return end_ == End::kCut || end_ == End::kBroken; }
  bool is_gzip() const { return gzip_; }

  // For the first byte of the window: its offset in the file, or that of its gzip member, and how
  // many decompressed bytes of the member come before it.
  uint64_t offset() const;
  uint64_t skip() const;
  // Unpacked bytes taken since the start or the last resynchronise().
  uint64_t position() const { return gzip_ ? start_ + begin_ : next_; }
  // How many bytes of the window belong to the same gzip member as its first one.
  size_t rest_of_member() const;
  // Whether the last member in the window is complete.
  bool member_is_whole() const { return !inflater_; }
  // Nothing of the member that was taken from last is left; member_end() is the offset behind it.
  bool at_member_end() const;
  uint64_t member_end() const { return window().empty() ? next_ : offset(); }
  // The positions in the window at which gzip members start, except 0.
  std::vector<size_t> member_starts() const;

  // After kCut and kBroken: drops the window and continues with the next gzip member that
  // starts with a record. False if there is none; end() is then kEnd.
  bool resynchronise();
  // The offset of what is cut or broken.
  uint64_t trouble() const { return trouble_; }

 private:
  struct Mark {
    uint64_t position;  // in the stream
    uint64_t offset;    // in the file
  };

  void start_member();
  void inflate_piece();
  void append(std::string bytes);
  const Mark& current() const;

  std::string_view file_;
  bool gzip_ = false;
  End end_ = End::kOpen;
  uint64_t next_ = 0;  // offset in the file of what was not unpacked yet
  uint64_t trouble_ = 0;
  // Gzip only.
  std::unique_ptr<MemberInflater>
      inflater_;  // while inside a member that is too large to unpack at once
  std::string buffer_;
  size_t begin_ = 0;         // of the window in buffer_
  uint64_t start_ = 0;       // of buffer_ in the stream
  std::vector<Mark> marks_;  // where the members start that the window touches
};

// The first bytes of the gzip member at `offset`, 64 at most; "" if there is none.
std::string peek_member(std::string_view file, size_t offset);

// The offset of the first gzip member at or after `from` that starts with a record; npos where
// there is none before `to`.
size_t find_member(std::string_view file, size_t from, size_t to = std::string_view::npos);

}  // namespace dowser
