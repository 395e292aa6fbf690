#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/xml_reader.h"

// Any bytes as XML: no crash, the limits hold, and elements end as they begin.

namespace dowser {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

class Checker : public XmlHandler {
 public:
  Status start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    require(!name.empty() && ++depth <= 8);
    for (const XmlAttribute& a : attributes) require(!a.name.empty());
    if (name == "stop") return Error{"stop"};
    return {};
  }
  Status end(std::string_view) override {
    require(depth-- > 0);
    return {};
  }
  Status text(std::string_view) override {
    require(depth > 0);
    return {};
  }
  int depth = 0;
};

}  // namespace
}  // namespace dowser

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  XmlLimits limits;
  limits.bytes = 10'000;
  limits.depth = 8;
  Checker checker;
  const Status read =
      read_xml({reinterpret_cast<const char*>(data), size}, "input", checker, limits);
  require(!read || (checker.depth == 0 && size <= limits.bytes));
  require(read || !read.error().message.empty());
  return 0;
}
