#include "archive/folder_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace dowser {
namespace {

namespace fs = std::filesystem;

// Links to folders may stand in folders reached by links. Without a bound, ten folders that link to
// each other would be a million.
constexpr int kMaxLinks = 3;

class Walk {
 public:
  explicit Walk(fs::path root) : root_(std::move(root)) {}

  void folder(const fs::path& real, const std::string& name, int links) {
    std::error_code failed;
    open_.push_back(real);
    for (const fs::directory_entry& entry : fs::directory_iterator(real, failed)) {
      visit(entry, name + entry.path().filename().string(), links);
    }
    open_.pop_back();
    if (failed) skip(name, failed.message());
  }

  FolderFiles take() {
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FolderFile& a, const FolderFile& b) { return a.name < b.name; });
    std::sort(found_.skipped.begin(), found_.skipped.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return std::move(found_);
  }

 private:
  void visit(const fs::directory_entry& entry, const std::string& name, int links) {
    std::error_code failed;
    fs::path real = entry.path();
    if (entry.is_symlink(failed)) {
      real = fs::canonical(entry.path(), failed);
      if (failed) return skip(name, "the symbolic link is broken");
      if (!is_inside(real)) return skip(name, "the symbolic link points outside the folder");
      ++links;
    }
    const fs::file_status status = fs::status(real, failed);
    if (fs::is_regular_file(status)) {
      found_.files.push_back({name, std::move(real)});
    } else if (!fs::is_directory(status)) {
      skip(name, "it is not a file");
    } else if (std::find(open_.begin(), open_.end(), real) != open_.end()) {
      skip(name, "the symbolic link points to a folder that contains it");
    } else if (links > kMaxLinks) {
      skip(name, "there are too many symbolic links on the path to it");
    } else {
      folder(real, name + "/", links);
    }
  }

  bool is_inside(const fs::path& real) const {
    return std::mismatch(root_.begin(), root_.end(), real.begin(), real.end()).first == root_.end();
  }

  void skip(std::string name, std::string why) {
    found_.skipped.push_back({std::move(name), std::move(why)});
  }

  const fs::path root_;
  std::vector<fs::path> open_;  // the folders we are in
  FolderFiles found_;
};

}  // namespace

Result<FolderFiles> list_files(const fs::path& folder) {
  std::error_code failed;
  const fs::path root = fs::canonical(folder, failed);
  if (failed || !fs::is_directory(root, failed)) {
    return Error{fmt::format("{} is not a folder", folder.string())};
  }
  Walk walk(root);
  walk.folder(root, "", 0);
  return walk.take();
}

}  // namespace dowser
