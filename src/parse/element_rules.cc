#include "parse/element_rules.h"

#include <initializer_list>

namespace dowser {
namespace {

using enum TagId;
using Rules = std::array<ElementRule, static_cast<size_t>(kCount)>;

constexpr void add(Rules& rules, int flags, std::initializer_list<TagId> ids) {
  for (const TagId id : ids) rules[static_cast<size_t>(id)].flags |= flags;
}

constexpr void set_kind(Rules& rules, BlockKind kind, std::initializer_list<TagId> ids) {
  for (const TagId id : ids) {
    rules[static_cast<size_t>(id)].has_kind = true;
    rules[static_cast<size_t>(id)].kind = kind;
  }
}

constexpr Rules make_rules() {
  Rules rules{};
  add(rules, kVoid,
      {kArea, kBase,  kBasefont, kBgsound, kBr,   kCol,  kEmbed, kFrame,  kHr,    kImage,
       kImg,  kInput, kIsindex,  kKeygen,  kLink, kMeta, kParam, kSource, kTrack, kWbr});
  add(rules, kRoot | kBlock, {kHtml, kHead, kBody, kFrameset});
  add(rules, kBlock | kClosesP,
      {kAddress, kArticle, kAside,   kBlockquote, kCenter, kDd,       kDetails,
       kDialog,  kDir,     kDiv,     kDl,         kDt,     kFieldset, kFigcaption,
       kFigure,  kFooter,  kForm,    kH1,         kH2,     kH3,       kH4,
       kH5,      kH6,      kHeader,  kHgroup,     kHr,     kIsindex,  kLi,
       kListing, kMain,    kMenu,    kNav,        kOl,     kP,        kPlaintext,
       kPre,     kSearch,  kSection, kSummary,    kTable,  kUl,       kXmp});
  add(rules, kBlock, {kCaption, kCol,     kColgroup, kTbody,  kTd,     kTfoot,         kTh,
                      kThead,   kTr,      kTextarea, kLegend, kSelect, kOption,        kOptgroup,
                      kObject,  kMarquee, kTemplate, kSvg,    kMath,   kForeignobject, kNoframes});
  add(rules, kFormatting, {kA,    kB, kBig,  kBlink, kCite,   kCode,   kDfn, kEm, kFont, kI,   kKbd,
                           kNobr, kS, kSamp, kSmall, kStrike, kStrong, kTt,  kU,  kVar,  kForm});
  add(rules, kEmphasis, {kB, kStrong, kI, kEm, kU, kBig, kH1, kH2, kH3, kH4, kH5, kH6});
  add(rules, kList, {kUl, kOl, kDl, kMenu, kDir});
  add(rules, kItem, {kLi, kDt, kDd});
  add(rules, kHeading, {kH1, kH2, kH3, kH4, kH5, kH6});
  add(rules, kScope,
      {kApplet, kCaption, kForeignobject, kMarquee, kObject, kTable, kTd, kTemplate, kTh});
  add(rules, kTablePart, {kCaption, kCol, kColgroup, kTbody, kTd, kTfoot, kTh, kThead, kTr});
  add(rules, kInvisible,
      {kScript, kStyle, kTemplate, kTitle, kNoembed, kIframe, kDatalist, kColgroup});

  add(rules, kEndsOthers, {kButton, kOption, kOptgroup, kRb, kRt, kRtc, kRp});
  for (ElementRule& rule : rules) {
    if (rule.has(kClosesP | kTablePart)) rule.flags |= kEndsOthers;
  }

  set_kind(rules, BlockKind::kHeading, {kH1, kH2, kH3, kH4, kH5, kH6});
  set_kind(rules, BlockKind::kParagraph, {kP, kBlockquote, kDd});
  set_kind(rules, BlockKind::kListItem, {kLi, kDt});
  set_kind(rules, BlockKind::kTableCell, {kTd, kTh, kCaption});
  set_kind(rules, BlockKind::kPre, {kPre, kTextarea, kXmp, kListing, kPlaintext});
  uint8_t level = 0;
  for (const TagId id : {kH1, kH2, kH3, kH4, kH5, kH6})
    rules[static_cast<size_t>(id)].level = ++level;
  return rules;
}

}  // namespace

constexpr Rules kElementRules = make_rules();

}  // namespace dowser
