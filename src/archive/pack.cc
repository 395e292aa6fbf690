#include "archive/pack.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "archive/folder_files.h"
#include "archive/warc_writer.h"
#include "base/compress.h"
#include "base/file.h"
#include "base/new_file.h"
#include "model/percent_encode.h"
#include "model/response.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPageLimit = 256 << 20;  // what a .gz may unpack to

struct ContentType {
  std::string_view extension, type;
};
constexpr ContentType kPages[] = {
    {".html", "text/html"}, {".htm", "text/html"}, {".xhtml", "application/xhtml+xml"}};
constexpr ContentType kOthers[] = {
    {".css", "text/css"},        {".csv", "text/csv"},          {".gif", "image/gif"},
    {".ico", "image/x-icon"},    {".jpeg", "image/jpeg"},       {".jpg", "image/jpeg"},
    {".js", "text/javascript"},  {".json", "application/json"}, {".md", "text/markdown"},
    {".pdf", "application/pdf"}, {".png", "image/png"},         {".ps", "application/postscript"},
    {".svg", "image/svg+xml"},   {".txt", "text/plain"},        {".webp", "image/webp"},
    {".woff", "font/woff"},      {".woff2", "font/woff2"},      {".xml", "application/xml"},
};

std::string lower_extension(std::string_view name) {
  std::string extension = fs::path(name).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), ascii_lower);
  return extension;
}

std::string_view type_in(const auto& types, std::string_view extension) {
  for (const ContentType& one : types) {
    if (one.extension == extension) return one.type;
  }
  return "";
}

struct Packed {
  std::string url;
  fs::path path;
  std::string_view content_type;
  bool unpack = false;  // a .gz whose content is the page
};

// What the file answers as; nothing if it is not wanted.
std::optional<Packed> page_of(const FolderFile& file, bool all) {
  std::string name = file.name;
  const bool is_gz = lower_extension(name) == ".gz";
  if (is_gz) name.resize(name.size() - 3);
  const std::string_view page = type_in(kPages, lower_extension(name));
  if (!page.empty()) return Packed{std::move(name), file.path, page, is_gz};
  if (!all) return std::nullopt;
  const std::string_view type =
      is_gz ? "application/gzip" : type_in(kOthers, lower_extension(name));
  return Packed{file.name, file.path, type.empty() ? "application/octet-stream" : type, false};
}

// A file name as a path: '%' and '\' mean something else in an address.
std::string encode_path(std::string_view name) {
  std::string path;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '%') {
      path += "%25";
    } else if (name[i] == '\\') {
      path += "%5C";
    } else {
      append_percent_encoded(path, name.substr(i, 1), EncodeSet::kPath);
    }
  }
  return path;
}

// "http://host/prefix/", where the folder stands. https where the host is named with it.
Result<std::string> root_url(const PackFolder& folder) {
  std::string prefix = folder.prefix.starts_with('/') ? "" : "/";
  prefix += folder.prefix;
  if (!prefix.ends_with('/')) prefix += '/';
  const bool has_scheme = folder.host.find("://") != std::string::npos;
  const Result<Url> host = Url::parse((has_scheme ? "" : "http://") + folder.host + "/");
  const bool is_host = host && host->is_http() && host->path() == "/" && !host->has_query() &&
                       !host->has_fragment() && host->username().empty();
  if (!is_host) return Error{fmt::format("'{}' is not a host name", folder.host)};
  const Result<Url> url = Url::parse(prefix, &*host);
  if (!url || url->has_query() || url->has_fragment() || url->host() != host->host()) {
    return Error{fmt::format("'{}' is not a path: write it like /docs/", folder.prefix)};
  }
  return std::string(url->href());
}

// One archive in the making.
class Packing {
 public:
  explicit Packing(const PackOptions& options) : options_(options) {}

  Status add(const PackFolder& folder) {
    const Result<std::string> root = root_url(folder);
    if (!root) return root.error();
    Result<FolderFiles> found = list_files(folder.folder);
    if (!found) return found.error();
    for (const FolderFiles::Skipped& skipped : found->skipped) {
      const fs::path path = folder.folder / skipped.name;
      std::error_code failed;
      const bool is_wanted =
          page_of({skipped.name, path}, options_.all) || fs::is_directory(path, failed);
      if (is_wanted) result_.skipped.push_back({path, skipped.why});
    }
    for (const FolderFile& file : found->files) {
      std::optional<Packed> page = page_of(file, options_.all);
      if (!page) continue;
      page->url = *root + encode_path(page->url);
      add(std::move(*page));
    }
    return {};
  }

  Result<PackResult> write(const Watch& watch) {
    std::sort(pages_.begin(), pages_.end(),
              [](const Packed& a, const Packed& b) { return a.url < b.url; });
    result_.date = options_.date ? *options_.date : newest();
    // The writer names its files itself. They are made next to the target, whose name is in no
    // record, so the bytes do not depend on it.
    if (Status s = may_write(options_.to); !s) return s.error();
    const fs::path folder = options_.to.string() + fmt::format(".{}.tmp", getpid());
    Status status = write_into(folder, watch);
    std::error_code failed;
    if (status.ok()) status = may_write(options_.to);
    if (status.ok()) status = mark_as_written(folder / "pack-00000.warc.gz");
    if (status.ok()) {
      fs::rename(folder / "pack-00000.warc.gz", options_.to, failed);
      if (failed) {
        status = Error{fmt::format("cannot write {}: {}", options_.to.string(), failed.message())};
      }
    }
    fs::remove_all(folder, failed);
    if (!status) return status.error();
    result_.archive_bytes = fs::file_size(options_.to, failed);
    return std::move(result_);
  }

 private:
  // A file and its packed twin, or two folders at one place: the first one stays.
  void add(Packed page) {
    const auto [at, is_new] = by_url_.try_emplace(page.url, pages_.size());
    if (is_new) return pages_.push_back(std::move(page));
    Packed& first = pages_[at->second];
    const bool replaces = first.unpack && !page.unpack;
    const Packed& loser = replaces ? first : page;
    result_.skipped.push_back({loser.path, "another file has the same address"});
    if (replaces) first = std::move(page);
  }

  Time newest() const {
    Time newest;
    for (const Packed& page : pages_) {
      std::error_code failed;
      const auto written = fs::last_write_time(page.path, failed);
      if (failed) continue;
      const auto since_1970 = std::chrono::file_clock::to_sys(written).time_since_epoch();
      newest = std::max(
          newest,
          Time{std::chrono::duration_cast<std::chrono::seconds>(since_1970).count() * 1'000'000});
    }
    return newest;
  }

  Status write_into(const fs::path& folder, const Watch& watch) {
    WarcWriterOptions options;
    options.folder = folder;
    options.prefix = "pack";
    options.rotate_at = UINT64_MAX;
    options.info.add("software", "dowser pack");
    WarcWriter writer(options);
    for (size_t i = 0; i < pages_.size(); ++i) {
      if (!watch({"files", i, pages_.size()})) return stopped();
      if (Status s = write_page(writer, pages_[i]); !s) return s;
    }
    if (result_.pages == 0)
      return Error{"there is no HTML file to pack: use --all to pack every file"};
    return writer.sync();
  }

  Status write_page(WarcWriter& writer, const Packed& page) {
    Result<std::string> body = read_file(page.path, kLargestDocument);
    if (body && page.unpack) {
      Result<Decoded> unpacked = decode_content("gzip", *body, kPageLimit);
      body = unpacked ? Result<std::string>(std::move(unpacked->bytes)) : unpacked.error();
    }
    if (!body) {
      result_.skipped.push_back({page.path, body.error().message});
      return {};
    }
    if (Status s = write_redirect(writer, page.url); !s) return s;
    ++result_.pages;
    result_.bytes += body->size();
    Response response;
    response.status = 200;
    response.reason = "OK";
    response.headers.add("Content-Type", std::string(page.content_type));
    return write_response(writer, page.url, std::move(response), std::move(*body));
  }

  // http://host/a/ -> http://host/a/index.html
  Status write_redirect(WarcWriter& writer, const std::string& url) {
    const size_t name = url.rfind('/') + 1;
    const std::string folder = url.substr(0, name);
    for (const ContentType& type : kPages) {
      const std::string index = fmt::format("{}index{}", folder, type.extension);
      if (!by_url_.contains(index)) continue;
      if (index != url) return {};  // a folder has one index page
      ++result_.redirects;
      Response response;
      response.status = 301;
      response.reason = "Moved Permanently";
      response.headers.add("Location", url);
      return write_response(writer, folder, std::move(response), "");
    }
    return {};
  }

  Status write_response(WarcWriter& writer, const std::string& url, Response response,
                        std::string body) {
    const Result<Url> parsed = Url::parse(url);
    if (!parsed) return Error{fmt::format("'{}' is not a valid address", url)};
    response.url = *parsed;
    response.headers.add("Content-Length", fmt::format("{}", body.size()));
    response.body = std::move(body);
    response.fetched_at = result_.date;
    const auto written = writer.write(response_record(response));
    return written ? Status{} : Status{written.error()};
  }

  const PackOptions& options_;
  std::vector<Packed> pages_;
  absl::flat_hash_map<std::string, size_t> by_url_;
  PackResult result_;
};

}  // namespace

Result<PackResult> pack(const PackOptions& options, const Watch& watch) {
  Packing packing(options);
  for (const PackFolder& folder : options.folders) {
    if (Status s = packing.add(folder); !s) return s.error();
  }
  return packing.write(watch);
}

}  // namespace dowser
