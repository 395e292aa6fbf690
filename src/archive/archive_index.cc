#include "archive/archive_index.h"

#include <absl/strings/string_view.h>
#include <fmt/format.h>

#include <utility>

namespace dowser {
namespace {

// As a browser would ask for it: parsed, without the fragment. "" for what is not an address.
std::string normalised(std::string_view target) {
  const Result<Url> url = Url::parse(target);
  if (!url) return {};
  const std::string_view href = url->href();
  return std::string(href.substr(0, href.find('#')));
}

bool has_answer(const WarcRecord& record) {
  return record.type == RecordType::kResponse || record.type == RecordType::kResource ||
         record.type == RecordType::kRevisit;
}

std::string capture_name(std::string_view target, std::string_view date) {
  return fmt::format("{} {}", target, date);
}

Response as_response(const WarcRecord& record) {
  Response response;
  response.status = 200;
  response.reason = "OK";
  if (!record.content_type.empty()) response.headers.add("Content-Type", record.content_type);
  response.headers.add("Content-Length", fmt::format("{}", record.block.size()));
  response.body = record.block;
  return response;
}

}  // namespace

// What is needed to find the payload of revisits, while the index is made.
struct ArchiveSet::Revisits {
  struct Waiting {
    uint32_t index;
    std::string target, digest, capture;
  };
  std::vector<Waiting> waiting;
  absl::flat_hash_map<std::string, uint32_t> by_digest;
  absl::flat_hash_map<std::string, uint32_t> by_capture;

  std::optional<uint32_t> original(const Waiting& revisit) const {
    if (const auto found = by_digest.find(revisit.digest); found != by_digest.end()) {
      return found->second;
    }
    if (const auto found = by_capture.find(revisit.capture); found != by_capture.end()) {
      return found->second;
    }
    return std::nullopt;
  }
};

Result<ArchiveSet> ArchiveSet::open(std::span<const std::filesystem::path> files, Pick pick) {
  ArchiveSet set;
  for (const std::filesystem::path& path : files) {
    Result<WarcReader> reader = WarcReader::open(path);
    if (!reader) return reader.error();
    set.files_.push_back(std::move(*reader));
  }
  Revisits revisits;
  for (uint32_t file = 0; file < set.files_.size(); ++file) set.add_file(file, pick, revisits);
  // The payload may stand in a later file, so this comes last.
  for (const Revisits::Waiting& revisit : revisits.waiting) {
    Entry& entry = set.entries_[revisit.index];
    entry.original = revisits.original(revisit);
    if (entry.original) {
      set.add_address(revisit.target, revisit.index, pick);
    } else {
      set.errors_.push_back(
          {set.files_[entry.file].name(),
           {entry.place.offset, fmt::format("the payload of the revisit of {} is not in "
                                            "these archives",
                                            revisit.target)}});
    }
  }
  return set;
}

void ArchiveSet::add_file(uint32_t file, Pick pick, Revisits& revisits) {
  WarcReader& reader = files_[file];
  while (const std::optional<WarcRecord> record = reader.next()) {
    if (!has_answer(*record) || record->target.empty()) continue;
    const auto index = static_cast<uint32_t>(entries_.size());
    entries_.push_back({file, record->place, record->date, std::nullopt});
    const std::string digest(record->payload_digest().value_or(""));
    if (record->type == RecordType::kRevisit) {
      const auto target = record->headers.get("WARC-Refers-To-Target-URI").value_or("");
      const auto date = record->headers.get("WARC-Refers-To-Date").value_or("");
      revisits.waiting.push_back({index, record->target, digest, capture_name(target, date)});
      continue;
    }
    if (!digest.empty()) revisits.by_digest.try_emplace(digest, index);
    revisits.by_capture.try_emplace(capture_name(record->target, to_iso8601(record->date)), index);
    add_address(record->target, index, pick);
  }
  damaged_ += reader.error_count();
  for (const ArchiveError& error : reader.errors()) errors_.push_back({reader.name(), error});
}

void ArchiveSet::add_address(std::string_view target, uint32_t index, Pick pick) {
  const auto put = [&](auto& map, std::string_view key) {
    const auto [at, is_new] = map.try_emplace(std::string(key), index);
    if (is_new) return true;
    const Time known = entries_[at->second].date, date = entries_[index].date;
    if (pick == Pick::kNewest ? date >= known : date < known) at->second = index;
    return false;
  };
  if (put(by_target_, target)) urls_.emplace_back(target);
  const std::string address = normalised(target);
  if (!address.empty() && address != target) put(by_address_, address);
}

std::optional<RecordRef> ArchiveSet::find(std::string_view url) const {
  const auto look_up = [&](std::string_view text) -> std::optional<RecordRef> {
    const absl::string_view key(text.data(), text.size());  // Debian's absl has a type of its own
    for (const auto* map : {&by_target_, &by_address_}) {
      if (const auto at = map->find(key); at != map->end()) return RecordRef{at->second};
    }
    return std::nullopt;
  };
  if (const auto found = look_up(url)) return found;
  const std::string address = normalised(url);
  if (address.empty() || address == url) return std::nullopt;
  return look_up(address);
}

Result<Response> ArchiveSet::load(RecordRef ref) const {
  const Entry& entry = entries_.at(ref.index);
  Result<WarcRecord> record = files_[entry.file].read_at(entry.place);
  if (!record) return record.error();
  Result<Response> response =
      record->is_http() ? parse_response(record->block) : Result<Response>(as_response(*record));
  if (entry.original) {
    Result<Response> original = load(RecordRef{*entry.original});
    if (!original) return original.error();
    if (response && record->is_http() && response->status != 304) {
      response->body = std::move(original->body);
      response->truncated = original->truncated;
    } else {
      response = std::move(original);  // "not modified", or a revisit without a head, as of old
    }
  }
  if (!response) {
    return Error{fmt::format("{}, record at offset {}: {}", files_[entry.file].name(),
                             entry.place.offset, response.error().message)};
  }
  response->url = Url();
  if (Result<Url> url = Url::parse(record->target)) response->url = std::move(*url);
  response->fetched_at = record->date;
  response->truncated |= record->truncated || record->headers.get("WARC-Truncated").has_value();
  return response;
}

}  // namespace dowser
