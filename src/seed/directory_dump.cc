#include "seed/directory_dump.h"

#include <expat.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

// An entry stands in a dump in one or both of these forms (Chen 2008, figure 11, and the dumps of
// later years):
//
//   <Topic r:id="Top/Arts/Movies"> <link r:resource="http://…"/> … </Topic>
//   <ExternalPage about="http://…"> … <topic>Top/Arts/Movies</topic> </ExternalPage>
//
// Both are taken; who collects the entries removes repeats. The file is unpacked in pieces (several
// gzip members are one stream) by one thread and parsed by another as it comes, so memory does not
// depend on the size of the file. Reading ends at the first damage: a cut or broken gzip stream,
// XML that is not well-formed, bytes that are not UTF-8, control characters, a document type, or a
// tag or line that is longer than any honest one. What came before is kept, and the report names
// the line.

namespace dowser {
namespace {

constexpr size_t kPiece = 256 << 10;
constexpr uint64_t kLongestTag = 1 << 20;
constexpr size_t kLongestName = 4096;  // of a category, or an address

// The unpacked bytes of a file, gzip or not, piece by piece.
class Pieces {
 public:
  static Result<Pieces> open(const std::filesystem::path& file) {
    Pieces pieces;
    pieces.name_ = file.string();
    pieces.file_.reset(std::fopen(file.c_str(), "rb"));
    if (!pieces.file_) {
      return Error{fmt::format("cannot read {}: {}", file.string(), std::strerror(errno))};
    }
    std::error_code failed;
    pieces.size_ = std::filesystem::file_size(file, failed);
    if (failed) return Error{fmt::format("cannot read {}: it is not a file", file.string())};
    pieces.in_.resize(kPiece);
    pieces.out_.resize(kPiece);
    pieces.fill();
    pieces.is_gzip_ = pieces.rest_.starts_with("\x1f\x8b");
    if (pieces.is_gzip_) {
      pieces.stream_ = std::make_unique<z_stream>();
      std::memset(pieces.stream_.get(), 0, sizeof(z_stream));
      if (inflateInit2(pieces.stream_.get(), 15 + 16) != Z_OK) throw std::bad_alloc();
    }
    return pieces;
  }
  Pieces(Pieces&&) = default;
  Pieces& operator=(Pieces&&) = delete;
  ~Pieces() {
    if (stream_) inflateEnd(stream_.get());
  }

  // Empty at the end, and where the file is damaged.
  std::string_view next() {
    if (!is_gzip_) {
      if (rest_.empty()) fill();
      return std::exchange(rest_, {});
    }
    while (true) {
      if (rest_.empty()) fill();
      if (rest_.empty()) {
        if (is_inside_) damage_ = "the gzip file is cut short";
        return {};
      }
      if (!is_inside_ && !begin_member()) return {};
      stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
      stream_->avail_in = static_cast<uInt>(rest_.size());
      stream_->next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_->avail_out = static_cast<uInt>(out_.size());
      const int code = inflate(stream_.get(), Z_NO_FLUSH);
      rest_.remove_prefix(rest_.size() - stream_->avail_in);
      const size_t unpacked = out_.size() - stream_->avail_out;
      if (code == Z_STREAM_END) {
        is_inside_ = false;
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        damage_ = "the gzip file is broken";
        rest_ = {};
        is_over_ = true;
      }
      if (unpacked > 0) return {out_.data(), unpacked};
      if (is_over_) return {};
    }
  }

  const std::string& name() const { return name_; }
  const char* damage() const { return damage_; }
  double share_read() const {
    return size_ == 0 ? 1 : static_cast<double>(read_) / static_cast<double>(size_);
  }

 private:
  Pieces() = default;

  void fill() {
    if (is_over_) return;
    const size_t size = std::fread(in_.data(), 1, in_.size(), file_.get());
    if (size < in_.size()) {
      is_over_ = true;
      if (std::ferror(file_.get())) damage_ = "the file cannot be read further";
    }
    read_ += size;
    rest_ = {in_.data(), size};
  }

  bool begin_member() {
    if (!is_first_) {
      if (rest_[0] != '\x1f') {  // zeros and the like after the last member
        rest_ = {};
        is_over_ = true;
        return false;
      }
      inflateReset(stream_.get());
    }
    is_first_ = false;
    is_inside_ = true;
    return true;
  }

  struct Close {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<FILE, Close> file_;
  std::unique_ptr<z_stream> stream_;
  std::vector<char> in_, out_;
  std::string_view rest_;  // of in_
  uint64_t size_ = 0, read_ = 0;
  bool is_gzip_ = false, is_first_ = true, is_inside_ = false, is_over_ = false;
  const char* damage_ = nullptr;
};

// The pieces of a file, unpacked by a thread of their own, a few ahead of whoever reads them.
class PiecesAhead {
 public:
  struct Piece {
    std::string bytes;  // empty at the end
    const char* damage;
    double share_read;
  };

  explicit PiecesAhead(Pieces& pieces) : pieces_(pieces), thread_([this] { unpack(); }) {}
  ~PiecesAhead() {
    {
      const std::lock_guard lock(mutex_);
      is_wanted_ = false;
    }
    changed_.notify_all();
    thread_.join();
  }
  PiecesAhead(const PiecesAhead&) = delete;
  PiecesAhead& operator=(const PiecesAhead&) = delete;

  Piece next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty(); });
    Piece piece = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return piece;
  }

 private:
  static constexpr size_t kMostAhead = 8;

  void unpack() {
    for (bool is_last = false; !is_last;) {
      Piece piece{std::string(pieces_.next()), pieces_.damage(), pieces_.share_read()};
      is_last = piece.bytes.empty();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return waiting_.size() < kMostAhead || !is_wanted_; });
      if (!is_wanted_) return;
      waiting_.push_back(std::move(piece));
      changed_.notify_all();
    }
  }

  Pieces& pieces_;  // the thread's, while it runs
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> waiting_;
  bool is_wanted_ = true;
  std::thread thread_;
};

// The XML of a dump.
class RdfReading {
 public:
  RdfReading(const CategoryFilter* filter, const UseEntry& use, DumpReport& report)
      : filter_(filter), use_(use), report_(report), parser_(XML_ParserCreate("UTF-8")) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &on_start, &on_end);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &on_doctype);
  }

  std::optional<std::string> add(std::string_view bytes, bool is_last) {
    fed_ += bytes.size();
    const XML_Status parsed =
        XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), is_last);
    if (has_doctype_) return "it has a document type (<!DOCTYPE …>), which is refused: remove it";
    if (parsed != XML_STATUS_OK) {
      return fmt::format("this is not well-formed XML: {}",
                         XML_ErrorString(XML_GetErrorCode(parser_.get())));
    }
    // A tag without an end would make the parser keep all that follows.
    const auto consumed =
        static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
    if (fed_ > consumed && fed_ - consumed > kLongestTag) {
      return fmt::format("a tag is longer than {} bytes", kLongestTag);
    }
    return std::nullopt;
  }

  uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }

 private:
  struct Free {
    void operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }
  };

  static const char* value_of(const XML_Char** attributes, std::string_view name) {
    for (; *attributes; attributes += 2) {
      if (name == attributes[0]) return attributes[1];
    }
    return nullptr;
  }

  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    static_cast<RdfReading*>(self)->start(name, attributes);
  }
  static void on_end(void* self, const XML_Char* name) {
    static_cast<RdfReading*>(self)->end(name);
  }
  static void on_text(void* self, const XML_Char* text, int size) {
    auto& reading = *static_cast<RdfReading*>(self);
    if (reading.category_.size() < kLongestName) {
      reading.category_.append(text, static_cast<size_t>(size));
    }
  }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    auto& reading = *static_cast<RdfReading*>(self);
    reading.has_doctype_ = true;
    XML_StopParser(reading.parser_.get(), XML_FALSE);
  }

  void start(std::string_view name, const XML_Char** attributes) {
    if (name == "Topic") {
      const char* id = value_of(attributes, "r:id");
      category_ = id ? id : "";
      ++report_.categories;
      is_wanted_ = filter_ && filter_->takes(category_);
      if (!filter_) use_({}, category_);
    } else if (name.starts_with("link")) {  // link, link1
      entry(value_of(attributes, "r:resource"));
    } else if (name == "ExternalPage") {
      const char* about = value_of(attributes, "about");
      address_ = about ? about : "";
    } else if (name == "topic") {  // of an external page
      category_.clear();
      XML_SetCharacterDataHandler(parser_.get(), &on_text);
    }
  }

  void end(std::string_view name) {
    if (name == "topic") {
      XML_SetCharacterDataHandler(parser_.get(), nullptr);
      is_wanted_ = filter_ && filter_->takes(category_);
    } else if (name == "ExternalPage") {
      entry(address_.c_str());
      is_wanted_ = false;
    } else if (name == "Topic") {
      is_wanted_ = false;
    }
  }

  void entry(const char* address) {
    if (!address || *address == '\0') return;
    ++report_.entries;
    if (!is_wanted_) return;
    ++report_.taken;
    use_(address, category_);
  }

  const CategoryFilter* const filter_;  // none: categories are wanted, not entries
  const UseEntry& use_;
  DumpReport& report_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::string category_, address_;
  bool is_wanted_ = false, has_doctype_ = false;
  uint64_t fed_ = 0;
};

// Lines of fields with tabs between them, of which one is an address and one a category.
class TsvReading {
 public:
  TsvReading(const CategoryFilter& filter, const UseEntry& use, DumpReport& report)
      : filter_(filter), use_(use), report_(report) {}

  std::optional<std::string> add(std::string_view bytes, bool is_last) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      if (end == std::string_view::npos) {
        line_ += bytes;
        break;
      }
      line_ += bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      take_line();
    }
    if (line_.size() > kLongestTag) {
      return fmt::format("a line is longer than {} bytes", kLongestTag);
    }
    if (is_last && !line_.empty()) take_line();
    return std::nullopt;
  }

  uint64_t line() const { return lines_ + 1; }

 private:
  void take_line() {
    ++lines_;
    if (line_.ends_with('\r')) line_.pop_back();
    std::string_view address, category;
    for (size_t begin = 0; begin <= line_.size();) {
      const size_t end = std::min(line_.find('\t', begin), line_.size());
      const std::string_view field = std::string_view(line_).substr(begin, end - begin);
      if (address.empty() && (field.starts_with("http://") || field.starts_with("https://"))) {
        address = field;
      } else if (category.empty() && filter_.takes(field)) {
        category = field;
      }
      begin = end + 1;
    }
    if (!address.empty()) {
      ++report_.entries;
      if (!category.empty()) {
        ++report_.taken;
        use_(address, category);
      }
    }
    line_.clear();
  }

  const CategoryFilter& filter_;
  const UseEntry& use_;
  DumpReport& report_;
  std::string line_;
  uint64_t lines_ = 0;
};

template <class Reading>
void read_all(Pieces& pieces, Reading& reading, const Watch& watch, DumpReport& report) {
  const auto damaged = [&](const std::string& what) {
    report.damage = Error{fmt::format("{}, line {}: {}", pieces.name(), reading.line(), what)};
  };
  PiecesAhead ahead(pieces);
  while (true) {
    const PiecesAhead::Piece piece = ahead.next();
    const bool is_last = piece.bytes.empty();
    if (is_last && piece.damage) return damaged(piece.damage);
    if (const auto what = reading.add(piece.bytes, is_last)) return damaged(*what);
    if (is_last) return;
    if (watch && !watch({"directory", static_cast<size_t>(1000 * piece.share_read), 1000})) {
      report.was_stopped = true;
      return;
    }
  }
}

std::string_view without_top(std::string_view category) {
  if (category.starts_with("Top/")) category.remove_prefix(4);
  return category;
}

}  // namespace

CategoryFilter::CategoryFilter(std::span<const std::string> categories) {
  for (const std::string& category : categories) {
    std::string_view name = without_top(category);
    while (name.ends_with('/')) name.remove_suffix(1);
    categories_.emplace_back(name);
  }
}

bool CategoryFilter::takes(std::string_view category) const {
  category = without_top(category);
  return std::any_of(categories_.begin(), categories_.end(), [&](const std::string& wanted) {
    if (wanted == "Top") return !category.empty();
    return category.starts_with(wanted) &&
           (category.size() == wanted.size() || category[wanted.size()] == '/');
  });
}

Result<DumpReport> read_directory(const std::filesystem::path& file, const CategoryFilter& filter,
                                  const UseEntry& use, const Watch& watch) {
  Result<Pieces> pieces = Pieces::open(file);
  if (!pieces) return pieces.error();
  DumpReport report;
  const std::string name = file.filename().string();
  if (name.ends_with(".tsv") || name.ends_with(".tsv.gz")) {
    TsvReading reading(filter, use, report);
    read_all(*pieces, reading, watch, report);
  } else {
    RdfReading reading(&filter, use, report);
    read_all(*pieces, reading, watch, report);
  }
  return report;
}

Result<DumpReport> read_categories(const std::filesystem::path& file,
                                   const std::function<void(std::string_view)>& use,
                                   const Watch& watch) {
  Result<Pieces> pieces = Pieces::open(file);
  if (!pieces) return pieces.error();
  DumpReport report;
  const UseEntry use_category = [&](std::string_view, std::string_view category) { use(category); };
  RdfReading reading(nullptr, use_category, report);
  read_all(*pieces, reading, watch, report);
  return report;
}

}  // namespace dowser
