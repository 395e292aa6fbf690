#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "learn/signature/hits_array.h"
#include "learn/signature/signature_files.h"

// Any bytes as a descriptor file: no crash, and what was read is written and read again the same.

namespace dowser {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_hits(std::string_view input) {
  HitsArray array;
  const HitsCallbacks told{[&](std::vector<std::string> names) -> Status {
                             array.signatures = std::move(names);
                             return {};
                           },
                           [&](HitsRow row) -> Status {
                             for (const HitCount& hit : row.hits) {
                               require(hit.signature < array.signatures.size() && hit.count > 0);
                             }
                             array.rows.push_back(std::move(row));
                             return {};
                           }};
  if (!read_hadf_text(input, "input", told)) return;
  const std::string text = hadf_text(array);
  array = {};
  require(read_hadf_text(text, "again", told).ok());
  require(hadf_text(array) == text);
}

}  // namespace
}  // namespace dowser

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto signature = read_ssd(input, "input")) {
    const std::string text = ssd_text(*signature);
    const auto again = read_ssd(text, "again");
    require(again && ssd_text(*again) == text);
  }
  if (const auto group = read_kdf(input, "input")) {
    const std::string text = kdf_text(*group);
    const auto again = read_kdf(text, "again");
    require(again && kdf_text(*again) == text);
  }
  check_hits(input);
  return 0;
}
