#include "run/kept_terms.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/packed_terms.h"

namespace dowser {

std::string kept_terms(const Page& page, const FieldWeights& fields) {
  ByteWriter out;
  out.number(hash64(fields.text()));
  out.text(HostTemplates::candidates(page));
  out.raw(packed_terms(page.terms));
  return out.bytes();
}

std::optional<std::string_view> terms_in(std::string_view kept, const FieldWeights& fields,
                                         const HostTemplates& templates) {
  ByteReader in(kept);
  if (in.number<uint64_t>() != hash64(fields.text())) return std::nullopt;
  const std::string_view candidates = in.text();
  if (!in.ok() || !templates.still_marks(candidates)) return std::nullopt;
  return in.rest();
}

}  // namespace dowser
