#include "parse/html_names.h"

#include <array>

namespace dowser {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(TagId::kCount)> kTagNames = {
    "",         "a",         "abbr",       "acronym",  "address",    "applet",   "area",
    "article",  "aside",     "audio",      "b",        "base",       "basefont", "bdi",
    "bdo",      "bgsound",   "big",        "blink",    "blockquote", "body",     "br",
    "button",   "canvas",    "caption",    "center",   "cite",       "code",     "col",
    "colgroup", "data",      "datalist",   "dd",       "del",        "desc",     "details",
    "dfn",      "dialog",    "dir",        "div",      "dl",         "dt",       "em",
    "embed",    "fieldset",  "figcaption", "figure",   "font",       "footer",   "foreignobject",
    "form",     "frame",     "frameset",   "h1",       "h2",         "h3",       "h4",
    "h5",       "h6",        "head",       "header",   "hgroup",     "hr",       "html",
    "i",        "iframe",    "image",      "img",      "input",      "ins",      "isindex",
    "kbd",      "keygen",    "label",      "legend",   "li",         "link",     "listing",
    "main",     "map",       "mark",       "marquee",  "math",       "menu",     "menuitem",
    "meta",     "meter",     "nav",        "nobr",     "noembed",    "noframes", "noscript",
    "object",   "ol",        "optgroup",   "option",   "output",     "p",        "param",
    "picture",  "plaintext", "pre",        "progress", "q",          "rb",       "rp",
    "rt",       "rtc",       "ruby",       "s",        "samp",       "script",   "search",
    "section",  "select",    "slot",       "small",    "source",     "span",     "strike",
    "strong",   "style",     "sub",        "summary",  "sup",        "svg",      "table",
    "tbody",    "td",        "template",   "textarea", "tfoot",      "th",       "thead",
    "time",     "title",     "tr",         "track",    "tt",         "u",        "ul",
    "var",      "video",     "wbr",        "xmp",
};
static_assert(kTagNames.back() == "xmp" && kTagNames[static_cast<size_t>(TagId::kMath)] == "math");

constexpr std::array<std::string_view, static_cast<size_t>(AttrId::kCount)> kAttrNames = {
    "",         "alt",        "charset", "class",    "content", "hidden",   "href",
    "hreflang", "http-equiv", "id",      "itemprop", "lang",    "name",     "rel",
    "role",     "src",        "style",   "title",    "type",    "xml:lang",
};
static_assert(kAttrNames.back() == "xml:lang");

constexpr NameKey key_of(std::string_view name) {
  NameKey key = 0;
  for (const char c : name) key = key << 8 | static_cast<uint8_t>(c);
  return key;
}

// A hash table with open addressing that is filled at compile time. It is a quarter full, so most
// look-ups take one multiplication and one comparison.
template <size_t kSlots>
class NameTable {
 public:
  template <size_t kNames>
  constexpr explicit NameTable(const std::array<std::string_view, kNames>& names) {
    static_assert(kNames * 3 < kSlots && kNames < 256);
    for (size_t id = 1; id < kNames; ++id) {
      size_t slot = slot_of(key_of(names[id]));
      while (ids_[slot] != 0) slot = (slot + 1) % kSlots;
      keys_[slot] = key_of(names[id]);
      ids_[slot] = static_cast<uint8_t>(id);
    }
  }

  uint8_t find(NameKey key) const {
    size_t slot = slot_of(key);
    while (ids_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) % kSlots;
    return ids_[slot];
  }

 private:
  static constexpr size_t slot_of(NameKey key) {
    return (key * 0x9E3779B97F4A7C15u >> 40) % kSlots;
  }

  std::array<NameKey, kSlots> keys_{};
  std::array<uint8_t, kSlots> ids_{};
};

constexpr NameTable<1024> kTags(kTagNames);
constexpr NameTable<128> kAttrs(kAttrNames);

// Long names have the same key if their last eight bytes agree.
bool same_name(std::string_view known, std::string_view name) {
  if (known.size() != name.size()) return false;
  for (size_t i = 0; i + 8 < known.size(); ++i) {
    if ((name[i] | 0x20) != known[i]) return false;
  }
  return true;
}

}  // namespace

TagId tag_id(NameKey key, std::string_view name) {
  const uint8_t id = kTags.find(key);
  return same_name(kTagNames[id], name) ? static_cast<TagId>(id) : TagId::kUnknown;
}

AttrId attr_id(NameKey key, std::string_view name) {
  const uint8_t id = kAttrs.find(key);
  return same_name(kAttrNames[id], name) ? static_cast<AttrId>(id) : AttrId::kUnknown;
}

std::string_view name_of(TagId id) { return kTagNames[static_cast<size_t>(id)]; }
std::string_view name_of(AttrId id) { return kAttrNames[static_cast<size_t>(id)]; }

}  // namespace dowser
