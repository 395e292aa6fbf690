#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// A scanner for XML as people write it: tags and text in order, nothing checked. It has no document
// type, so entities of the author's own are never expanded and none can explode; only &amp; &lt;
// &gt; &quot; &apos; and numbers are known. Prefixes of names are cut off: "sm:loc" is "loc".
// Linear in the input, which it does not copy.

namespace dowser {

class XmlScanner {
 public:
  enum class Token { kOpen, kClose, kText, kEnd };

  explicit XmlScanner(std::string_view xml) : xml_(xml) {}

  Token next();

  // Of the last token.
  std::string_view name() const { return name_; }   // kOpen, kClose
  bool is_empty_tag() const { return empty_tag_; }  // kOpen: <a/>, which has no kClose
  // kOpen: the value of an attribute, decoded; "" if there is none.
  std::string attribute(std::string_view name) const;
  // kText: appends the text, decoded, until `out` has `limit` bytes.
  void append_text(std::string& out, size_t limit) const;

 private:
  bool skip_to_behind(std::string_view end);
  void skip_declaration();
  void read_tag();

  std::string_view xml_;
  size_t at_ = 0;
  std::string_view name_;
  std::string_view attributes_;
  std::string_view text_;
  bool cdata_ = false;
  bool empty_tag_ = false;
};

// Decodes &amp; and the like; what is unknown stays as it is.
std::string decode_xml(std::string_view text);

}  // namespace dowser
