#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Documents for tests, good ones and hostile ones.

namespace dowser {

// A PDF of one page that is drawn by `stream`. `resources` go beside its font, and `more` are
// objects from number 6 on.
inline std::string pdf_of(std::string_view stream, std::string_view resources = "",
                          const std::vector<std::string>& more = {},
                          std::string_view extra_of_trailer = "") {
  std::string bytes = "%PDF-1.4\n";
  std::vector<size_t> at;
  const auto object = [&](std::string_view body) {
    at.push_back(bytes.size());
    bytes += fmt::format("{} 0 obj\n{}\nendobj\n", at.size(), body);
  };
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  object(
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
                  "/Resources << /Font << /F1 5 0 R >> {} >> >>",
                  resources));
  object(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", stream.size(), stream));
  object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const std::string& body : more) object(body);
  const size_t table = bytes.size();
  bytes += fmt::format("xref\n0 {}\n0000000000 65535 f \n", at.size() + 1);
  for (const size_t offset : at) bytes += fmt::format("{:010} 00000 n \n", offset);
  return bytes + fmt::format("trailer << /Size {} /Root 1 0 R {} >>\nstartxref\n{}\n%%EOF\n",
                             at.size() + 1, extra_of_trailer, table);
}

// A PDF of one page with a line of text.
inline std::string made_pdf(std::string_view text, std::string_view extra_of_trailer = "") {
  return pdf_of(fmt::format("BT /F1 24 Tf 72 700 Td ({}) Tj ET", text), "", {}, extra_of_trailer);
}

// One that asks for a password.
inline std::string made_locked_pdf() {
  return made_pdf(
      "words that nobody may read without the right key",
      "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << "
      "/Filter /Standard /V 1 /R 2 /P -64 /O "
      "<0000000000000000000000000000000000000000000000000000000000000000> /U "
      "<1111111111111111111111111111111111111111111111111111111111111111> >>");
}

// One that says that it has two billion pages, all of them the same, which is itself among them.
inline std::string made_page_bomb() {
  std::string bytes = made_pdf("A page that comes again and again");
  const std::string_view once = "/Kids [3 0 R] /Count 1 ";
  std::string often = "/Kids [";
  for (int i = 0; i < 60'000; ++i) often += "3 0 R ";
  return bytes.replace(bytes.find(once), once.size(), often + "2 0 R] /Count 2000000000 ");
}

// One that no reader finishes on any machine: its page draws a form ten times, which draws another
// form ten times, and so on, ten billion of them in all, and the last of them shows nothing.
inline std::string made_endless_pdf() {
  std::vector<std::string> forms;
  constexpr int kFirst = 6, kForms = 10;  // numbers of objects
  for (int i = 0; i < kForms; ++i) {
    const bool is_last = i + 1 == kForms;
    std::string draws = "q Q ";
    for (int times = 0; times < 10 && !is_last; ++times) draws += "/Next Do ";
    forms.push_back(fmt::format(
        "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] {} /Length {} >>\nstream\n{}\nendstream",
        is_last ? "" : fmt::format("/Resources << /XObject << /Next {} 0 R >> >>", kFirst + i + 1),
        draws.size(), draws));
  }
  return pdf_of("/Next Do ", fmt::format("/XObject << /Next {} 0 R >>", kFirst), forms);
}

inline std::string little_endian(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

inline std::string deflated(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// A zip archive with one file, which says that it unpacks to `claimed` bytes.
inline std::string made_zip(std::string_view name, std::string_view content, uint64_t claimed,
                            int flags = 0) {
  const std::string packed = deflated(content);
  const std::string sizes = little_endian(packed.size(), 4) + little_endian(claimed, 4);
  std::string archive = "PK\x03\x04" + little_endian(20, 2) + little_endian(flags, 2) +
                        little_endian(8, 2) + little_endian(0, 4) + little_endian(0, 4) + sizes +
                        little_endian(name.size(), 2) + little_endian(0, 2) + std::string(name) +
                        packed;
  const std::string entry = "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) +
                            little_endian(flags, 2) + little_endian(8, 2) + little_endian(0, 4) +
                            little_endian(0, 4) + sizes + little_endian(name.size(), 2) +
                            little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 2) +
                            little_endian(0, 2) + little_endian(0, 4) + little_endian(0, 4) +
                            std::string(name);
  const size_t at = archive.size();
  return archive + entry + "PK\x05\x06" + little_endian(0, 4) + little_endian(1, 2) +
         little_endian(1, 2) + little_endian(entry.size(), 4) + little_endian(at, 4) +
         little_endian(0, 2);
}

// A DOCX with this text as one paragraph, or as its whole XML.
inline std::string made_docx(std::string_view text, bool is_xml = false) {
  const std::string xml =
      is_xml ? std::string(text)
             : fmt::format(
                   "<w:document><w:body><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body>"
                   "</w:document>",
                   text);
  return made_zip("word/document.xml", xml, xml.size());
}

}  // namespace dowser
