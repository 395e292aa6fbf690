#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "base/file.h"
#include "base/xml_reader.h"
#include "base/xml_writer.h"
#include "tests/support.h"

namespace dowser {
namespace {

// What was told, as one line: <a x=1>text</a>.
class Transcript : public XmlHandler {
 public:
  Status start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    told += '<' + std::string(name);
    for (const XmlAttribute& a : attributes) {
      told += ' ' + std::string(a.name) + '=' + std::string(a.value);
    }
    told += '>';
    if (name == refused) return Error{"no " + refused + " here"};
    return {};
  }
  Status end(std::string_view name) override {
    told += "</" + std::string(name) + '>';
    return {};
  }
  Status text(std::string_view piece) override {
    told += piece;
    return {};
  }
  std::string told, refused;
};

std::string error_of(std::string_view xml, const XmlLimits& limits = {}) {
  Transcript transcript;
  const Status read = read_xml(xml, "f.xml", transcript, limits);
  return read ? "" : read.error().message;
}

TEST(Xml, tells_elements_attributes_and_text_in_order) {
  Transcript transcript;
  ASSERT_TRUE(read_xml("<a x='1'>one &amp; <b/>two</a>", "f.xml", transcript));
  EXPECT_EQ(transcript.told, "<a x=1>one & <b></b>two</a>");
}

TEST(Xml, refuses_what_is_dangerous_and_names_the_line) {
  EXPECT_EQ(error_of("<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY e 'boo'>]>\n<a>&e;</a>"),
            "f.xml, line 2: it has a document type (<!DOCTYPE …>), which is refused: remove it");
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "<a>\n";
  EXPECT_EQ(error_of(deep), "f.xml, line 65: elements are nested more than 64 deep");
  XmlLimits small;
  small.bytes = 100'000;
  EXPECT_EQ(error_of("<a>\n" + std::string(200'000, 'x'), small),
            "f.xml, line 2: the file is larger than the 100000 bytes that are read");
  small.bytes = 1 << 30, small.piece = 100'000;
  EXPECT_EQ(error_of("<a>\n<b x='" + std::string(400'000, 'x') + "'/></a>", small),
            "f.xml, line 2: a tag is longer than 100000 bytes");
}

TEST(Xml, broken_files_are_refused_with_the_line) {
  EXPECT_EQ(error_of("<a>\n<b>\n</a>"),
            "f.xml, line 3: this is not well-formed XML: mismatched tag");
  EXPECT_EQ(error_of(""), "f.xml, line 1: this is not well-formed XML: no element found");
  EXPECT_EQ(error_of("<a>&lol;</a>"),
            "f.xml, line 1: this is not well-formed XML: undefined entity");
  EXPECT_NE(error_of("<a>\xff</a>"), "");
  EXPECT_NE(error_of(std::string_view("\0\0\0\0", 4)), "");
}

TEST(Xml, an_error_of_the_handler_ends_the_reading) {
  Transcript transcript;
  transcript.refused = "b";
  const Status read = read_xml("<a>\n<b/><c/></a>", "f.xml", transcript);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "f.xml, line 2: no b here");
  EXPECT_EQ(transcript.told, "<a>\n<b>");
}

TEST(Xml, files_are_read_like_bytes) {
  TempDir folder;
  std::string xml = "<a>";
  for (int i = 0; i < 50'000; ++i) xml += "<b x=\"" + std::to_string(i) + "\">t</b>";
  xml += "</a>";
  ASSERT_TRUE(put_file(folder / "f.xml", xml));
  Transcript of_bytes, of_file;
  ASSERT_TRUE(read_xml(xml, "bytes", of_bytes));
  ASSERT_TRUE(read_xml_file(folder / "f.xml", of_file));
  EXPECT_EQ(of_bytes.told, of_file.told);
  EXPECT_FALSE(read_xml_file(folder / "none.xml", of_file));
  ASSERT_EQ(mkfifo((folder / "pipe.xml").c_str(), 0600), 0);
  EXPECT_FALSE(read_xml_file(folder / "pipe.xml", of_file));  // nobody writes to it
}

TEST(Xml, the_writer_indents_and_escapes) {
  std::ostringstream out;
  XmlWriter xml(out);
  xml.open("a", {{"x", "1 < \"2\" & 3"}});
  xml.element("b");
  xml.element("c", {}, "t > u");
  xml.close();
  EXPECT_EQ(out.str(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<a x=\"1 &lt; &quot;2&quot; &amp; 3\">\n  <b/>\n  <c>t &gt; u</c>\n</a>\n");
}

RC_GTEST_PROP(Xml, any_bytes_can_be_written_and_read_again, (const std::string& bytes)) {
  std::ostringstream out;
  XmlWriter xml(out);
  xml.open("a", {{"x", bytes}});
  xml.element("b", {}, bytes);
  xml.close();
  class Keep : public XmlHandler {
   public:
    Status start(std::string_view, std::span<const XmlAttribute> attributes) override {
      if (!attributes.empty()) value = attribute(attributes, "x");
      return {};
    }
    Status end(std::string_view) override {
      --depth;
      return {};
    }
    Status text(std::string_view piece) override {
      text_ += piece;
      return {};
    }
    std::string value, text_;
    int depth = 0;
  } keep;
  const Status read = read_xml(out.str(), "f.xml", keep);
  RC_ASSERT(read.ok());
  RC_ASSERT(xml_text(keep.value) == xml_text(bytes));
}

}  // namespace
}  // namespace dowser
