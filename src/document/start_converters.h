#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "document/converter.h"

namespace dowser {

// The programs that convert documents and are not installed, with the formats that they read:
// "unrtf (rtf)".
std::vector<std::string> missing_programs();

struct ConvertersStart {
  std::vector<std::unique_ptr<Converter>> converters;  // none where documents cannot be confined
  std::string warning;  // one sentence about all that is missing; "" if nothing is
};
// `program` is dowser itself.
ConvertersStart start_converters(const std::filesystem::path& program, size_t count);

}  // namespace dowser
