#include "run/stored_answer.h"

#include "parse/parse_page.h"
#include "run/earlier_crawls.h"

namespace dowser {

Result<Response> stored_response(const StoredPage& page, ArchivedPages& archive,
                                 EarlierAnswers& earlier) {
  Result<Response> response =
      archive.response(page.archive_file, static_cast<uint64_t>(page.archive_offset));
  if (!response || response->status != 304) return response;
  return earlier.get(page.final_url);
}

Result<Page> stored_page(const StoredPage& page, ArchivedPages& archive, EarlierAnswers& earlier) {
  Result<ArchivedPages::Answer> answer =
      archive.answer(page.archive_file, static_cast<uint64_t>(page.archive_offset));
  if (!answer) return answer.error();
  // What was made of a document that is unchanged is archived again; its answer is not.
  if (answer->response.status != 304 || answer->document) return answer->page();
  const Result<Response> response = earlier.get(page.final_url);
  if (!response) return response.error();
  return parse_page(*response);
}

Result<Response> EarlierAnswers::get(const std::string& address) {
  if (!web_ && !previous_.empty()) {
    const auto files = archive_files(previous_);
    if (!files) return files.error();
    Result<std::unique_ptr<ArchiveWeb>> web = ArchiveWeb::open(*files);
    if (!web) return web.error();
    web_ = std::move(*web);
  }
  const Result<Url> url = Url::parse(address);
  if (!web_ || !url) return Error{"the earlier answer for " + address + " is not there"};
  Response response = web_->get(*url);
  if (!response.ok()) return Error{"the earlier answer for " + address + " is not there"};
  response.url = *url;
  return response;
}

}  // namespace dowser
