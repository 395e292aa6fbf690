#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Writes XML, indented by two spaces, each element on a line of its own:
//
//   XmlWriter xml(out);
//   xml.open("hits", {{"version", "2.0"}});
//   xml.element("row", {{"link", url}}, "0:3 5:1");
//   xml.close();
//
// All text is escaped. Bytes that XML cannot represent (control characters, ill-formed UTF-8)
// become U+FFFD, so that untrusted text never breaks a file.

namespace dowser {

using XmlAttributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

class XmlWriter {
 public:
  explicit XmlWriter(std::ostream& out);

  void open(std::string_view name, XmlAttributes attributes = {});
  void close();
  void element(std::string_view name, XmlAttributes attributes = {}, std::string_view text = {});

 private:
  void begin(std::string_view name, XmlAttributes attributes);

  std::ostream& out_;
  std::vector<std::string> open_;
};

// Text for the inside of an element or of an attribute in double quotes.
std::string xml_text(std::string_view utf8);

}  // namespace dowser
