#include "model/document.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(Document, every_name_can_be_read_back) {
  for (int i = 0; i <= static_cast<int>(DocumentFormat::kGzip); ++i) {
    const auto format = static_cast<DocumentFormat>(i);
    EXPECT_EQ(document_format_named(name_of(format)), format);
  }
  for (int i = 0; i < kConversionFailures; ++i) {
    const auto failure = static_cast<ConversionFailure>(i);
    EXPECT_EQ(conversion_failure_named(name_of(failure)), failure);
  }
  for (int i = 0; i < kDocumentTypes; ++i) {
    const auto type = static_cast<DocumentType>(i);
    EXPECT_EQ(document_type_named(name_of(type)), type);
  }
  for (const auto source :
       {HeaderSource::kNone, HeaderSource::kMetadata, HeaderSource::kLayout, HeaderSource::kText}) {
    EXPECT_EQ(header_source_named(name_of(source)), source);
  }
}

TEST(Document, a_name_that_nobody_gave_is_nothing) {
  EXPECT_FALSE(document_format_named("powerpoint"));
  EXPECT_FALSE(conversion_failure_named("bad luck"));
  EXPECT_FALSE(document_type_named("novel"));
}

}  // namespace
}  // namespace dowser
