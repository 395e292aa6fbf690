#include "model/document.h"

#include <array>

namespace dowser {
namespace {

// All in the order of their enumerations.
constexpr std::array<std::string_view, 12> kFormats = {"unknown", "pdf", "postscript", "doc",
                                                       "docx",    "odt", "rtf",        "tex",
                                                       "text",    "xml", "html",       "gzip"};
constexpr std::array<std::string_view, kConversionFailures> kFailureNames = {
    "",       "encrypted", "damaged",           "time",           "memory",
    "output", "no-text",   "converter-missing", "unknown-format", "not-confined"};
constexpr std::array<std::string_view, 4> kSources = {"", "metadata", "layout", "text"};
constexpr std::array<std::string_view, kDocumentTypes> kTypes = {"other", "thesis", "paper",
                                                                 "report", "faq"};

template <class Value, size_t n>
std::optional<Value> value_named(const std::array<std::string_view, n>& names,
                                 std::string_view name) {
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Value>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(DocumentFormat format) { return kFormats[static_cast<size_t>(format)]; }
std::optional<DocumentFormat> document_format_named(std::string_view name) {
  return value_named<DocumentFormat>(kFormats, name);
}

std::string_view name_of(ConversionFailure failure) {
  return kFailureNames[static_cast<size_t>(failure)];
}
std::optional<ConversionFailure> conversion_failure_named(std::string_view name) {
  return value_named<ConversionFailure>(kFailureNames, name);
}

std::string_view name_of(HeaderSource source) { return kSources[static_cast<size_t>(source)]; }
HeaderSource header_source_named(std::string_view name) {
  return value_named<HeaderSource>(kSources, name).value_or(HeaderSource::kNone);
}

std::string_view name_of(DocumentType type) { return kTypes[static_cast<size_t>(type)]; }
std::optional<DocumentType> document_type_named(std::string_view name) {
  return value_named<DocumentType>(kTypes, name);
}

}  // namespace dowser
