#include "engine/workers.h"

#include "document/make_document.h"
#include "engine/make_page.h"
#include "guard/file_type.h"

namespace dowser {
namespace {

// A long document on a slow line; without any byte for long it is given up all the same.
constexpr Duration kDocumentTime = std::chrono::minutes(10);

bool is_pdf(const Url& url, std::string_view type) {
  return type == "application/pdf" || type == "application/x-pdf" || url.path().ends_with(".pdf") ||
         url.path().ends_with(".PDF");
}

bool may_be_document(const Url& url, std::string_view type) {
  constexpr std::string_view kBegin[] = {"application/pdf",
                                         "application/x-pdf",
                                         "application/postscript",
                                         "application/msword",
                                         "application/rtf",
                                         "application/x-tex",
                                         "application/x-latex",
                                         "application/octet-stream",
                                         "application/vnd.openxmlformats-officedocument.word",
                                         "application/vnd.oasis.opendocument.text",
                                         "text/rtf",
                                         "text/x-tex"};
  for (const std::string_view begin : kBegin) {
    if (type.starts_with(begin)) return true;
  }
  return type != "text/html" && file_type(url) == FileType::kDocument;
}

// Of an archived web the size is known without a header.
Failure unwanted_size(const Url& url, std::string_view type, std::optional<uint64_t> size,
                      const DocumentWork& work) {
  if (!size) return Failure::kNone;
  const bool too_small = is_pdf(url, type) && *size < work.least_pdf_bytes;
  return too_small || *size > work.most_bytes ? Failure::kUnwantedSize : Failure::kNone;
}

}  // namespace

BodyPlan plan_document(const Url& url, const Response& head, const DocumentWork& work,
                       const std::function<BodyPlan(const Url&, const Response&)>& usual) {
  const std::string type = head.content_type();
  if (!may_be_document(url, type)) return usual(url, head);
  BodyPlan plan;
  // A body that is compressed on its way is smaller than the document.
  const bool is_encoded = head.headers.get("Content-Encoding").has_value();
  plan.stop = is_encoded ? Failure::kNone : unwanted_size(url, type, head.content_length(), work);
  plan.most_bytes = work.most_bytes;
  plan.total = kDocumentTime;
  plan.counts = true;
  return plan;
}

bool needs_conversion(const WorkerJob& job, const Response& response, const WorkOptions& options) {
  return options.documents.wanted && job.is_page && is_document(response);
}

WorkerResult make_result(const WorkerJob& job, Response response, const Judge& judge,
                         const WorkOptions& options, Converter* converter) {
  WorkerResult result;
  result.id = job.id;
  result.response = std::move(response);
  if (needs_conversion(job, result.response, options)) {
    result.document = make_document(result.response, converter, options.documents.limits,
                                    options.documents.kinds);
  }
  const Document* document = result.document ? &*result.document : nullptr;
  if (job.is_page && options.archive && result.response.failure == Failure::kNone) {
    result.archive = archive_form(result.response, "", 0, document);
  }
  if (!job.is_page || result.response.is_redirect()) return result;
  result.page = make_page(result.response, options.parse, options.sitemaps, document);
  if (!result.response.ok()) return result;
  if (options.documents.wanted && !result.document) {
    result.document = document_of_page(result.page, result.response.body, options.documents.kinds);
  }
  result.judgement = judge.judge(result.page);
  if (options.sketches) result.sketch = sketch_of(result.page.text);
  return result;
}

std::optional<WorkerResult> InlineWorkers::next(std::optional<Time> until) {
  if (started_.empty()) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  const WorkerJob job = std::move(started_.front());
  started_.pop_front();
  Response response = web_.get(job.url);
  response.url = job.url;
  response.fetched_at = clock_.now();
  if (options_.documents.wanted && job.is_page && response.ok()) {
    // As on the live web, where the body is not even read.
    const std::string type = response.content_type();
    if (may_be_document(job.url, type)) {
      response.failure = unwanted_size(job.url, type, response.body.size(), options_.documents);
      if (response.failure != Failure::kNone) response.body.clear();
    }
  }
  return make_result(job, std::move(response), judge_, options_, converter_);
}

}  // namespace dowser
