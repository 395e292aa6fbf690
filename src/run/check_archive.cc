#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "run/check_parts.h"

namespace dowser {
namespace {

// How a gzip member begins that our writer has made; most of it is under no checksum.
constexpr std::string_view kMemberStart("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10);

uint64_t hash_or_zero(std::string_view text) { return text.empty() ? 0 : hash64(text); }

// What is wrong with a record that could be read; empty if nothing is.
std::string_view fault_of(const WarcRecord& record) {
  if (!record.place.addressable()) return "a record does not have a gzip member of its own";
  if (record.truncated) return "the block of a record is cut short";
  const auto block = record.block_digest(), payload = record.payload_digest();
  if (!block || digest_matches(*block, record.block) != true) {
    return "the block of a record does not match the digest in its header";
  }
  // That of a revisit is of the page that it refers to.
  if (payload && record.type != RecordType::kRevisit &&
      digest_matches(*payload, record.payload()) != true) {
    return "the payload of a record does not match the digest in its header";
  }
  return {};
}

Progress megabytes_read(uint64_t done, uint64_t all) {
  return {"MB of the archive", done >> 20, std::max<uint64_t>(all >> 20, 1)};
}

// False: at() asked to stop.
bool read_records(WarcReader& reader, std::string_view bytes, CheckedArchive::File& file,
                  const std::function<bool(uint64_t)>& at) {
  uint64_t expected = 0;
  size_t errors = 0;
  const auto take_errors = [&] {
    const bool any = errors < reader.errors().size();
    for (; errors < reader.errors().size(); ++errors)
      file.damage.push_back(reader.errors()[errors]);
    return any;
  };
  while (const auto record = reader.next()) {
    const RecordPlace& place = record->place;
    if (!take_errors() && place.offset > expected) {
      file.damage.push_back(
          {expected, fmt::format("{} bytes are not a record", place.offset - expected)});
    }
    std::string_view fault = fault_of(*record);
    if (fault.empty() && bytes.substr(place.offset, kMemberStart.size()) != kMemberStart) {
      fault = "the header of a gzip member has changed (its content is intact)";
    }
    if (!fault.empty()) file.damage.push_back({place.offset, std::string(fault)});
    const std::string digest(record->payload_digest().value_or(""));
    const auto line = cdx_entry(*record, file.name);
    file.records.push_back({place.offset, place.length, record->type, hash64(record->target),
                            hash_or_zero(digest), line ? hash64(line->line()) : 0});
    expected = place.offset + place.length;
    if (!at(expected)) return false;
  }
  if (!take_errors() && expected < file.size) {
    file.damage.push_back({expected, fmt::format("{} bytes after the last record are not a record",
                                                 file.size - expected)});
  }
  return true;
}

// "crawl-100000" comes after "crawl-99999".
bool comes_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// Whose record it is, as far as the catalogue tells.
std::string concerned(const CheckedCatalogue& catalogue, std::string_view file, uint64_t offset) {
  std::optional<size_t> last;
  for (size_t i = 0; i < catalogue.pages.size(); ++i) {
    const auto& page = catalogue.pages[i];
    if (page.file != file) continue;
    if (page.offset == offset) return fmt::format("; it is the answer for page {}", i);
    if (page.offset < offset) last = i;
  }
  return last ? fmt::format("; it follows the answer for page {}", *last) : "";
}

}  // namespace

bool lies_before(std::string_view file, uint64_t offset, const ArchiveEnd& end) {
  return file == end.file ? offset < end.offset : comes_before(file, end.file);
}

const CheckedArchive::Record* CheckedArchive::File::find(uint64_t offset) const {
  const auto it = std::lower_bound(records.begin(), records.end(), offset,
                                   [](const Record& r, uint64_t o) { return r.offset < o; });
  return it != records.end() && it->offset == offset ? &*it : nullptr;
}

bool CheckedArchive::File::is_damaged_at(uint64_t offset) const {
  for (const ArchiveError& error : damage) {
    if (error.offset == offset) return true;
  }
  const auto behind = std::upper_bound(records.begin(), records.end(), offset,
                                       [](uint64_t o, const Record& r) { return o < r.offset; });
  return behind == records.begin() || (behind - 1)->offset + (behind - 1)->length <= offset;
}

const CheckedArchive::File* CheckedArchive::find(std::string_view name) const {
  const auto it =
      std::find_if(files.begin(), files.end(), [&](const File& f) { return f.name == name; });
  return it == files.end() ? nullptr : &*it;
}

Result<std::vector<std::string>> own_archive_files(const std::filesystem::path& archive_folder) {
  std::vector<std::string> names;
  std::error_code failed;
  if (!std::filesystem::exists(archive_folder, failed)) return names;
  for (std::filesystem::directory_iterator entry(archive_folder, failed), end;
       !failed && entry != end; entry.increment(failed)) {
    std::string name = entry->path().filename();
    if (archive_number(name)) names.push_back(std::move(name));
  }
  if (failed) {
    return Error{fmt::format("cannot read {}: {}", archive_folder.string(), failed.message())};
  }
  std::sort(names.begin(), names.end(), comes_before);
  return names;
}

Status for_each_record(const std::filesystem::path& archive_folder, const Watch& watch,
                       const UseRecord& use) {
  const auto names = own_archive_files(archive_folder);
  if (!names) return names.error();
  uint64_t all = 0, done = 0;
  std::error_code failed;
  for (const std::string& name : *names) {
    const auto size = std::filesystem::file_size(archive_folder / name, failed);
    all += failed ? 0 : size;
  }
  for (const std::string& name : *names) {
    Result<WarcReader> reader = WarcReader::open(archive_folder / name);
    if (!reader) continue;  // what it held is missing; the check says so
    while (auto record = reader->next()) {
      if (!watch(megabytes_read(done + record->place.offset, all))) return stopped();
      if (Status s = use(name, std::move(*record)); !s) return s;
    }
    done += reader->size();
  }
  return {};
}

Result<CheckedArchive> read_archive(const std::filesystem::path& archive_folder,
                                    const Watch& watch) {
  const auto names = own_archive_files(archive_folder);
  if (!names) return names.error();
  CheckedArchive archive;
  uint64_t all = 0, done = 0;
  std::error_code failed;
  for (const std::string& name : *names) {
    const auto size = std::filesystem::file_size(archive_folder / name, failed);
    archive.files.push_back({name, failed ? 0 : size, {}, {}});
    all += archive.files.back().size;
  }
  for (CheckedArchive::File& file : archive.files) {
    const Result<MappedFile> mapped = MappedFile::open(archive_folder / file.name);
    if (!mapped) {
      file.damage.push_back({0, mapped.error().message});
      continue;
    }
    file.size = mapped->bytes().size();
    Result<WarcReader> reader = WarcReader::over(mapped->bytes(), file.name);
    if (!reader) {
      file.damage.push_back({0, reader.error().message});
    } else if (!read_records(*reader, mapped->bytes(), file, [&](uint64_t offset) {
                 return watch(megabytes_read(done + offset, all));
               })) {
      return stopped();
    }
    done += file.size;
  }
  return archive;
}

void check_archive(const CheckedArchive& archive, const CheckedCatalogue& catalogue,
                   const std::optional<ArchiveEnd>& end, CheckReport& report) {
  Problems problems(report, "archive");
  uint64_t records = 0, bytes = 0;
  for (const CheckedArchive::File& file : archive.files) {
    records += file.records.size();
    bytes += file.size;
    for (const ArchiveError& error : file.damage) {
      if (end && !lies_before(file.name, error.offset, *end)) continue;
      problems.add(fmt::format("{}, offset {}: {}{}", file.name, error.offset, error.message,
                               concerned(catalogue, file.name, error.offset)));
    }
    if (end && file.name == end->file && file.size > end->offset) {
      report.notes.push_back(fmt::format(
          "{} has {} bytes after the last page that the state knows: {}", file.name,
          with_commas(file.size - end->offset),
          report.running ? "the crawl is running"
                         : "a crash can cause this, and dowser resume moves them to set-aside"));
    }
  }
  const auto later = std::count_if(archive.files.begin(), archive.files.end(), [&](const auto& f) {
    return end && comes_before(end->file, f.name);
  });
  if (later > 0 && !report.running) {
    report.notes.push_back(fmt::format(
        "{} after the last page that the state knows, which dowser resume moves to set-aside",
        counted(static_cast<uint64_t>(later), "file of the archive comes",
                "files of the archive come")));
  }
  problems.close(fmt::format("{}, {}, {} bytes", counted(archive.files.size(), "file"),
                             counted(records, "record"), with_commas(bytes)));
}

}  // namespace dowser
