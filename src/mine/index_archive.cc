#include "mine/index_archive.h"

#include <absl/container/flat_hash_set.h>

#include <optional>

#include "base/ordered_work.h"
#include "parse/parse_page.h"
#include "store/library_writer.h"

namespace dowser {
namespace {

std::optional<IndexText> prepare(const ArchiveSet& archive, const std::string& url,
                                 const IndexArchiveOptions& options) {
  const auto record = archive.find(url);
  if (!record) return std::nullopt;
  const Result<Response> response = archive.load(*record);
  if (!response || response->status != 200) return std::nullopt;
  ParseOptions parse;
  parse.detect_language = parse.count_terms = false;
  Page page = parse_page(*response, parse);
  if (page.blocks.empty()) return std::nullopt;
  if (options.mark) options.mark(page);
  IndexText text = index_text(page);
  text.item.kind = "page";
  text.item.format = page.content_type == "text/plain" ? "text" : "html";
  return text;
}

}  // namespace

Result<bool> index_archive(const ArchiveSet& archive, const std::filesystem::path& index,
                           const IndexArchiveOptions& options) {
  Result<LibraryWriter> writer = LibraryWriter::create(index);
  if (!writer) return writer.error();
  const size_t all = archive.urls().size();
  {
    // In the order of the archive, so that the same archive gives the same index.
    OrderedWork<std::optional<IndexText>> preparation(all, [&](size_t place) {
      return prepare(archive, archive.urls()[place], options);
    });
    absl::flat_hash_set<std::string> seen;  // redirects may lead to one page
    for (size_t done = 0; done < all; ++done) {
      if (done % 64 == 0 && !options.progress(done, all)) return false;
      const std::optional<IndexText> text = preparation.next();
      if (!text || !seen.insert(text->item.url).second) continue;
      if (Status s = writer->add(*text); !s) return s.error();
    }
  }
  if (!options.progress(all, all)) return false;
  if (Status s = writer->set_note("source", options.source); !s) return s.error();
  if (Status s = writer->finish(); !s) return s.error();
  return true;
}

}  // namespace dowser
