#include "document/start_converters.h"

#include <fmt/format.h>
#include <unistd.h>

#include "document/converter_process.h"

namespace dowser {

std::vector<std::string> missing_programs() {
  std::vector<std::string> missing;
  for (const ConverterProgram& program : converter_programs()) {
    const bool there = access(program.path, X_OK) == 0;
    if (!there) missing.push_back(fmt::format("{} ({})", program.name, program.formats));
  }
  return missing;
}

ConvertersStart start_converters(const std::filesystem::path& program, size_t count) {
  ConvertersStart start;
  const auto tell = [&](std::string_view sentence) {
    if (sentence.empty()) return;
    start.warning += fmt::format("{}{}", start.warning.empty() ? "" : "; ", sentence);
  };
  for (size_t i = 0; i < count; ++i) {
    Result<std::unique_ptr<Converter>> one = Converter::start(program);
    if (!one) {
      if (i == 0) tell(one.error().message);
      break;
    }
    start.converters.push_back(std::move(*one));
  }
  if (!start.converters.empty()) tell(start.converters.front()->support().missing());
  if (const std::vector<std::string> missing = missing_programs(); !missing.empty()) {
    tell(fmt::format("{} not installed, so documents of these formats cannot be converted: {}",
                     missing.size() == 1 ? "a converter is" : "converters are",
                     fmt::join(missing, ", ")));
  }
  return start;
}

}  // namespace dowser
