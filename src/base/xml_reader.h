#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.h"

// Reads untrusted XML piece by piece: only what the handler keeps is in memory. It refuses what
// makes XML dangerous and our own files never contain: document types (and with them entities),
// deep nesting and files without an end. Every error names the file and the line.

namespace dowser {

struct XmlAttribute {
  std::string_view name, value;
};

// Receives the contents of a file in order. Names have no prefix, since our files use no
// namespaces. If a function returns an error, reading ends and the error is returned with file and
// line. All views are valid only during the call.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual Status start(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual Status end(std::string_view name) = 0;
  // One text may arrive in several pieces.
  virtual Status text(std::string_view piece) = 0;
};

struct XmlLimits {
  uint64_t bytes = 1ULL << 30;  // of the file
  uint32_t depth = 64;          // elements inside each other
  uint32_t piece = 1 << 24;     // bytes of one tag with its attributes
};

Status read_xml_file(const std::filesystem::path& file, XmlHandler& handler,
                     const XmlLimits& limits = {});

// The same for bytes in memory; `source` is their name in errors.
Status read_xml(std::string_view bytes, std::string_view source, XmlHandler& handler,
                const XmlLimits& limits = {});

// The value of an attribute, "" if it is missing.
std::string_view attribute(std::span<const XmlAttribute> attributes, std::string_view name);

}  // namespace dowser
