#pragma once

#include <string_view>

#include "archive/warc_record.h"
#include "model/visit.h"

// What a metadata record says about a visit: all of its row in the catalogue that the answer itself
// does not tell, so that the catalogue can be made again from the archive. The fields are described
// in docs/formats.md.

namespace dowser {

struct MetadataContext {
  std::string_view judge, strategy;  // text forms
  std::string_view parent;           // the address of the page whose link was followed
};
Headers metadata_fields(const Visit& visit, const MetadataContext& context);

// The visit that a metadata record tells of, without its redirects and its answer: of `response`
// only the address, the date and what is in the record. Records of older crawls do not say which
// visit they are of: an error, unless it is given.
Result<Visit> visit_of(const WarcRecord& metadata, std::optional<VisitId> id = {});

// The document that a metadata record tells of, without its text, which is in a conversion record;
// nothing if it is not one. Cheap for the many that are not.
std::optional<Document> document_in(const WarcRecord& metadata);

// The reasons of a judgement as JSON, [["word", weight], …]; "" if there are none.
std::string reasons_json(const Judgement& judgement);

}  // namespace dowser
