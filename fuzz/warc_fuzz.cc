#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "archive/cdxj.h"
#include "archive/warc_reader.h"
#include "base/compress.h"

// The archive reader over arbitrary bytes, as they are and packed: it ends, the places of records
// rise, and what it read is found again where it says.

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void read(std::string_view file) {
  auto reader = dowser::WarcReader::over(file, "fuzz", 4096);
  if (!reader) return;
  uint64_t offset = 0, skip = 0;
  for (bool first = true; auto record = reader->next(); first = false) {
    const dowser::RecordPlace place = record->place;
    check(first || place.offset > offset || (place.offset == offset && place.skip > skip));
    check(place.offset + place.length <= file.size());
    offset = place.offset;
    skip = place.skip;
    const auto again = reader->read_at(place);
    check(again.ok() && again->block == record->block && again->target == record->target);
    check(record->payload().size() <= record->block.size());
    if (const auto entry = dowser::cdx_entry(*record, "fuzz")) (void)entry->line();
  }
  check(reader->errors().size() <= 1001);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  // In two members, the first of which may end inside a record.
  const size_t half = size / 2;
  read(dowser::gzip(bytes.substr(0, half), 1) + dowser::gzip(bytes.substr(half), 1));
  return 0;
}
