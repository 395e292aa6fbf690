#include "text/compatibility.h"

#include <unicode/normalizer2.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include "text/utf8.h"

// Unicode says of each character that has a compatibility decomposition of what type it is. Half of
// the types are the same text in another shape; those are folded. The no-break space is left out,
// because every page has some, and a blank by any name separates words.

namespace dowser {
namespace {

struct Folding {
  icu::UnicodeSet folded;
  const icu::Normalizer2* nfkc = nullptr;

  Folding() {
    UErrorCode status = U_ZERO_ERROR;
    folded.applyPattern(
        "[[:dt=compat:][:dt=wide:][:dt=narrow:][:dt=font:][:dt=square:][:dt=small:]"
        "[:dt=vertical:][:dt=initial:][:dt=medial:][:dt=final:][:dt=isolated:]-[:Zs:]-[\\u2026]]",
        status);
    folded.freeze();
    nfkc = icu::Normalizer2::getNFKCInstance(status);
    if (U_FAILURE(status)) folded.clear();
  }
};

const Folding& folding() {
  static const Folding made;
  return made;
}

}  // namespace

bool is_compatibility(char32_t c) {
  return c >= 0x80 && folding().folded.contains(static_cast<UChar32>(c));
}

std::string_view fold_compatibility(std::string_view utf8, std::string& scratch) {
  size_t ascii = 0;
  while (ascii < utf8.size() && static_cast<uint8_t>(utf8[ascii]) < 0x80) ++ascii;
  if (ascii == utf8.size()) return utf8;
  const auto kept = [&](size_t from) {
    return from + static_cast<size_t>(folding().folded.spanUTF8(
                      utf8.data() + from, static_cast<int32_t>(utf8.size() - from),
                      USET_SPAN_NOT_CONTAINED));
  };
  size_t end = kept(ascii);
  if (end == utf8.size()) return utf8;
  // What stands together is normalised together: a half-width letter and its accent are one letter.
  scratch.clear();
  size_t begin = 0;
  while (begin < utf8.size()) {
    scratch += utf8.substr(begin, end - begin);
    icu::UnicodeString run;
    while (end < utf8.size()) {
      const CodePoint c = decode_utf8(utf8.substr(end));
      if (!c.well_formed || !is_compatibility(c.value)) break;
      run.append(static_cast<UChar32>(c.value));
      end += c.length;
    }
    UErrorCode status = U_ZERO_ERROR;
    folding().nfkc->normalize(run, status).toUTF8String(scratch);
    begin = end;
    if (end == utf8.size()) break;
    end = kept(end);
    if (end == begin) end = begin + decode_utf8(utf8.substr(begin)).length;  // ill-formed
  }
  return scratch;
}

}  // namespace dowser
