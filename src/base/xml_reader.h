#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.h"

// Reads XML from strangers piece by piece: only what the handler keeps is in memory. It refuses
// what an honest file of ours never has and what makes XML dangerous: document types (and with them
// entities), deep nesting and files without an end. Every error names the file and the line.

namespace dowser {

struct XmlAttribute {
  std::string_view name, value;
};

// What is told of a file, in its order. Names have no prefix: ours use no namespaces. An error ends
// the reading and is returned with file and line. All views are valid only during the call.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual Status start(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual Status end(std::string_view name) = 0;
  // A text may come in several pieces.
  virtual Status text(std::string_view piece) = 0;
};

struct XmlLimits {
  uint64_t bytes = 1ULL << 30;  // of the file
  uint32_t depth = 64;          // elements inside each other
  uint32_t piece = 1 << 24;     // bytes of one tag with its attributes
};

Status read_xml_file(const std::filesystem::path& file, XmlHandler& handler,
                     const XmlLimits& limits = {});

// The same for bytes in memory; `source` is what errors call them.
Status read_xml(std::string_view bytes, std::string_view source, XmlHandler& handler,
                const XmlLimits& limits = {});

// The value of an attribute, "" if it is missing.
std::string_view attribute(std::span<const XmlAttribute> attributes, std::string_view name);

}  // namespace dowser
