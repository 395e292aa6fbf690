#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// The names of HTML that this folder uses, as small numbers, so that a sink can switch on them
// instead of comparing strings. All other names are kUnknown and keep their text.

namespace dowser {

// clang-format off
// In the order of kTagNames (html_names.cc).
enum class TagId : uint8_t {
  kUnknown,
  kA, kAbbr, kAcronym, kAddress, kApplet, kArea, kArticle, kAside, kAudio, kB, kBase, kBasefont,
  kBdi, kBdo, kBgsound, kBig, kBlink, kBlockquote, kBody, kBr, kButton, kCanvas, kCaption,
  kCenter, kCite, kCode, kCol, kColgroup, kData, kDatalist, kDd, kDel, kDesc, kDetails, kDfn,
  kDialog, kDir, kDiv, kDl, kDt, kEm, kEmbed, kFieldset, kFigcaption, kFigure, kFont, kFooter,
  kForeignobject, kForm, kFrame, kFrameset, kH1, kH2, kH3, kH4, kH5, kH6, kHead, kHeader, kHgroup,
  kHr, kHtml, kI, kIframe, kImage, kImg, kInput, kIns, kIsindex, kKbd, kKeygen, kLabel, kLegend,
  kLi, kLink, kListing, kMain, kMap, kMark, kMarquee, kMath, kMenu, kMenuitem, kMeta, kMeter,
  kNav, kNobr, kNoembed, kNoframes, kNoscript, kObject, kOl, kOptgroup, kOption, kOutput, kP,
  kParam, kPicture, kPlaintext, kPre, kProgress, kQ, kRb, kRp, kRt, kRtc, kRuby, kS, kSamp,
  kScript, kSearch, kSection, kSelect, kSlot, kSmall, kSource, kSpan, kStrike, kStrong, kStyle,
  kSub, kSummary, kSup, kSvg, kTable, kTbody, kTd, kTemplate, kTextarea, kTfoot, kTh, kThead,
  kTime, kTitle, kTr, kTrack, kTt, kU, kUl, kVar, kVideo, kWbr, kXmp,
  kCount
};

// In the order of kAttrNames.
enum class AttrId : uint8_t {
  kUnknown,
  kAlt, kCharset, kClass, kContent, kHidden, kHref, kHreflang, kHttpEquiv, kId, kItemprop, kLang,
  kName, kRel, kRole, kSrc, kStyle, kTitle, kType, kXmlLang,
  kCount
};
// clang-format on

// A name as it is read: its last eight bytes in lower case, the last one in the lowest byte. Names
// of up to eight bytes (almost all) are identified by this number alone.
using NameKey = uint64_t;

// `name` is as in the input, in any case.
TagId tag_id(NameKey key, std::string_view name);
AttrId attr_id(NameKey key, std::string_view name);

// In lower case; "" for kUnknown.
std::string_view name_of(TagId id);
std::string_view name_of(AttrId id);

}  // namespace dowser
