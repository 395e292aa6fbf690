#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

// The door that every file passes before it is opened for writing. A file is written beside its
// target and takes the target's place when it is complete, so that a reader sees the old content or
// the new, even after a power cut. Before that, the door asks whose the target is:
//
//   - A result that a person asked for (export --to FILE) may replace a file only if Dowser wrote
//     that file and nobody has changed it since, or if it is empty. Dowser marks its results with
//     an extended attribute, `user.dowser`: size and time of change. A file system that cannot keep
//     the mark keeps every file.
//   - A file in the folder of a crawl is replaced whatever it holds; run/own_places.h looks at the
//     whole folder when it is opened for writing. It must not be a symbolic link: a folder that was
//     received from somebody else could make us write anywhere.

namespace dowser {

enum class Owner { kUser, kCrawl };

// Error, with what to do, if a result must not be written there. It may be written to a device, to
// a pipe, and to a file that this process has open, such as /dev/stdout.
Status may_write(const std::filesystem::path& path);
// Marks a complete file that has yet to be moved to its place, if something else than this header
// has written it.
Status mark_as_written(const std::filesystem::path& path);
// Error if the last part of the path is a symbolic link.
Status is_no_link(const std::filesystem::path& path);

// An empty file beside the target, in which something is made that will take its place.
class UnfinishedFile {
 public:
  static Result<UnfinishedFile> create(std::filesystem::path target, Owner owner = Owner::kUser);
  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;
  ~UnfinishedFile();  // removes it, unless it was published

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return file_; }
  // Waits until everything is on disk, then renames the file.
  Status publish();

 private:
  UnfinishedFile(std::filesystem::path target, std::filesystem::path path, Owner owner, int file)
      : target_(std::move(target)), path_(std::move(path)), owner_(owner), file_(file) {}

  std::filesystem::path target_, path_;
  Owner owner_;
  int file_;  // holds a lock; -1: published or moved from
};

// A file that is written piece by piece. A target that is not a regular file is written to
// directly.
class NewFile {
 public:
  static Result<NewFile> create(const std::filesystem::path& path, Owner owner = Owner::kUser);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  // Where it is written until it is complete; empty if it is written directly.
  std::filesystem::path unfinished() const {
    return beside_ ? beside_->path() : std::filesystem::path();
  }

  // Buffered.
  Status append(std::string_view bytes);
  Status finish();

 private:
  explicit NewFile(std::filesystem::path path) : path_(std::move(path)) {}
  Status flush();

  std::filesystem::path path_;
  std::unique_ptr<UnfinishedFile> beside_;  // nothing: the target itself is written to
  int file_ = -1;                           // of the target itself
  std::string buffer_;
};

// A whole result, and a whole file of a crawl.
Status write_file(const std::filesystem::path& path, std::string_view content);
Status replace_own_file(const std::filesystem::path& path, std::string_view content);

}  // namespace dowser
