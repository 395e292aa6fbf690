#pragma once

#include <string>

#include "archive/warc_writer.h"
#include "base/hash.h"

// Records that other programs write and Dowser reads.

namespace dowser {

// A response whose payload is that of the record written for `original` at `original_date`.
inline WarcRecord revisit_record(const Response& response, const Url& original,
                                 Time original_date) {
  WarcRecord record = response_record(response);
  record.type = RecordType::kRevisit;
  record.block.resize(record.block.size() - response.body.size());  // the head only
  record.headers.add("WARC-Payload-Digest", sha1_digest(response.body));
  record.headers.add("WARC-Profile",
                     "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  record.headers.add("WARC-Refers-To-Target-URI", std::string(original.href()));
  record.headers.add("WARC-Refers-To-Date", to_iso8601(original_date));
  return record;
}

inline WarcRecord resource_record(const Url& url, Time date, std::string content_type,
                                  std::string bytes) {
  WarcRecord record;
  record.type = RecordType::kResource;
  record.date = date;
  record.target = url.href();
  record.content_type = std::move(content_type);
  record.block = std::move(bytes);
  return record;
}

}  // namespace dowser
