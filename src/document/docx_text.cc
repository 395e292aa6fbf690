#include "document/docx_text.h"

#include <algorithm>
#include <array>

#include "base/xml_reader.h"
#include "document/zip_reader.h"

namespace dowser {
namespace {

constexpr size_t kMostXml = 64 << 20;

// What the elements of a format mean for its text.
struct TextElements {
  std::string_view file;
  std::array<std::string_view, 2> paragraphs;  // their end ends a line
  std::string_view run;                        // text stands only in these; "": in paragraphs
  std::string_view tab, line_break, space;
  std::array<std::string_view, 6> left_out;  // with all that is in them
};

constexpr TextElements kDocx = {
    "word/document.xml",
    {"w:p", "w:p"},
    "w:t",
    "w:tab",
    "w:br",
    "",
    {"w:del", "w:instrText", "w:footnote", "w:comment", "mc:Fallback", "w:pict"}};

constexpr TextElements kOdt = {
    "content.xml",
    {"text:p", "text:h"},
    "",
    "text:tab",
    "text:line-break",
    "text:s",
    {"text:note", "office:annotation", "text:tracked-changes", "office:font-face-decls",
     "office:automatic-styles", "text:sequence-decls"}};

class TextOfElements final : public XmlHandler {
 public:
  explicit TextOfElements(const TextElements& elements) : elements_(elements) {}

  Status start(std::string_view name, std::span<const XmlAttribute>) override {
    depth_left_out_ += depth_left_out_ > 0 || is_left_out(name);
    if (depth_left_out_ > 0) return {};
    depth_of_paragraph_ += is_paragraph(name);
    depth_of_run_ += name == elements_.run;
    if (name == elements_.tab) text_ += '\t';
    if (name == elements_.line_break) text_ += '\n';
    if (name == elements_.space) text_ += ' ';
    return {};
  }

  Status end(std::string_view name) override {
    if (depth_left_out_ > 0) {
      --depth_left_out_;
      return {};
    }
    depth_of_run_ -= name == elements_.run;
    if (!is_paragraph(name)) return {};
    --depth_of_paragraph_;
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    return {};
  }

  Status text(std::string_view piece) override {
    const bool counts = elements_.run.empty() ? depth_of_paragraph_ > 0 : depth_of_run_ > 0;
    if (depth_left_out_ == 0 && counts) text_ += piece;
    return {};
  }

  std::string take() { return std::move(text_); }

 private:
  bool is_paragraph(std::string_view name) const {
    return name == elements_.paragraphs[0] || name == elements_.paragraphs[1];
  }
  bool is_left_out(std::string_view name) const {
    return std::find(elements_.left_out.begin(), elements_.left_out.end(), name) !=
           elements_.left_out.end();
  }

  const TextElements& elements_;
  int depth_left_out_ = 0, depth_of_paragraph_ = 0, depth_of_run_ = 0;
  std::string text_;
};

Result<std::string> text_of(std::string_view archive, const TextElements& elements) {
  const Result<std::string> xml = read_zip_file(archive, elements.file, kMostXml);
  if (!xml) return xml.error();
  TextOfElements text(elements);
  if (Status s = read_xml(*xml, elements.file, text, {kMostXml, 256, 1 << 24}); !s) {
    return s.error();
  }
  return text.take();
}

}  // namespace

Result<std::string> text_of_docx(std::string_view archive) { return text_of(archive, kDocx); }
Result<std::string> text_of_odt(std::string_view archive) { return text_of(archive, kOdt); }

}  // namespace dowser
