#include "base/xml_reader.h"

#include <expat.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dowser {
namespace {

constexpr size_t kPiece = 64 << 10;

class Reading {
 public:
  Reading(std::string_view source, XmlHandler& handler, const XmlLimits& limits)
      : source_(source), handler_(handler), limits_(limits), parser_(XML_ParserCreate(nullptr)) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &Reading::on_start, &Reading::on_end);
    XML_SetCharacterDataHandler(parser_.get(), &Reading::on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &Reading::on_doctype);
  }

  Status add(std::string_view bytes, bool is_last) {
    read_ += bytes.size();
    if (read_ > limits_.bytes) {
      return at_line(
          fmt::format("the file is larger than the {} bytes that are read", limits_.bytes));
    }
    // A tag without an end would make the parser keep all that follows.
    const auto consumed =
        static_cast<uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
    if (read_ > consumed && read_ - consumed > limits_.piece + bytes.size()) {
      return at_line(fmt::format("a tag is longer than {} bytes", limits_.piece));
    }
    const XML_Status parsed =
        XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), is_last);
    if (error_) return *error_;
    if (parsed == XML_STATUS_OK) return {};
    return at_line(fmt::format("this is not well-formed XML: {}",
                               XML_ErrorString(XML_GetErrorCode(parser_.get()))));
  }

 private:
  struct Free {
    void operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }
  };

  Error at_line(const std::string& message) const {
    return {
        fmt::format("{}, line {}: {}", source_, XML_GetCurrentLineNumber(parser_.get()), message)};
  }
  void stop(const Error& error) {
    if (error_) return;
    error_ = at_line(error.message);
    XML_StopParser(parser_.get(), XML_FALSE);
  }
  void take(const Status& status) {
    if (!status) stop(status.error());
  }

  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    auto& reading = *static_cast<Reading*>(self);
    if (reading.error_) return;
    if (++reading.depth_ > reading.limits_.depth) {
      return reading.stop(
          {fmt::format("elements are nested more than {} deep", reading.limits_.depth)});
    }
    reading.attributes_.clear();
    for (; *attributes; attributes += 2) {
      reading.attributes_.push_back({attributes[0], attributes[1]});
    }
    reading.take(reading.handler_.start(name, reading.attributes_));
  }
  static void on_end(void* self, const XML_Char* name) {
    auto& reading = *static_cast<Reading*>(self);
    if (reading.error_) return;
    --reading.depth_;
    reading.take(reading.handler_.end(name));
  }
  static void on_text(void* self, const XML_Char* text, int size) {
    auto& reading = *static_cast<Reading*>(self);
    if (reading.error_) return;
    reading.take(reading.handler_.text({text, static_cast<size_t>(size)}));
  }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<Reading*>(self)->stop(
        {"it has a document type (<!DOCTYPE …>), which is refused: remove it"});
  }

  const std::string_view source_;
  XmlHandler& handler_;
  const XmlLimits limits_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::vector<XmlAttribute> attributes_;  // of the element that begins
  std::optional<Error> error_;
  uint64_t read_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace

Status read_xml_file(const std::filesystem::path& file, XmlHandler& handler,
                     const XmlLimits& limits) {
  const auto cannot = [&] {
    return Error{fmt::format("cannot read {}: {}", file.string(), std::strerror(errno))};
  };
  // Without O_NONBLOCK, opening a pipe waits until somebody writes to it; reading may wait.
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return cannot();
  (void)fcntl(opened, F_SETFL, O_RDONLY);
  const std::unique_ptr<FILE, int (*)(FILE*)> in(fdopen(opened, "rb"), &std::fclose);
  if (!in) return cannot();
  const std::string source = file.string();
  Reading reading(source, handler, limits);
  std::vector<char> piece(kPiece);
  while (true) {
    const size_t size = std::fread(piece.data(), 1, piece.size(), in.get());
    if (size < piece.size() && std::ferror(in.get())) return cannot();
    const bool is_last = size < piece.size();
    if (Status s = reading.add({piece.data(), size}, is_last); !s || is_last) return s;
  }
}

Status read_xml(std::string_view bytes, std::string_view source, XmlHandler& handler,
                const XmlLimits& limits) {
  Reading reading(source, handler, limits);
  while (true) {
    const std::string_view piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    if (Status s = reading.add(piece, bytes.empty()); !s || bytes.empty()) return s;
  }
}

std::string_view attribute(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& a : attributes) {
    if (a.name == name) return a.value;
  }
  return {};
}

}  // namespace dowser
