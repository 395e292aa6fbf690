#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "library/query.h"
#include "library/search.h"
#include "library/snippet.h"
#include "library/word_forms.h"
#include "store/library_writer.h"

// Queries: any bytes. What is understood has a text form that means the same, is accepted by the
// index, and finds what a snippet can mark; what is not understood has a place within the query.

namespace {

using namespace dowser;

constexpr char kText[] =
    "the focused crawler of Zürich\nit's a deep web: 東京都の図書館\nISTANBUL'da kütüphane 2004\n";

LibraryReader make_library() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("query-fuzz-" + std::to_string(getpid()));
  Result<LibraryWriter> writer = LibraryWriter::create(path);
  if (!writer) __builtin_trap();
  for (int i = 0; i < 3; ++i) {
    LibraryItem item;
    item.url = "http://a" + std::to_string(i) + ".org/crawler";
    item.host = "a" + std::to_string(i) + ".org";
    item.title = i == 0 ? "Focused crawlers" : "Other";
    if (!writer->add(index_text(item, i < 2 ? kText : "nothing"))) __builtin_trap();
  }
  if (!writer->finish()) __builtin_trap();
  Result<LibraryReader> library = LibraryReader::open(path);
  if (!library) __builtin_trap();
  std::filesystem::remove(path);
  return std::move(*library);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static LibraryReader library = make_library();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ParsedQuery parsed = parse_query(text);
  if (!parsed.query) {
    if (parsed.error.message.empty() || parsed.error.at > size) __builtin_trap();
    (void)caret_lines(text, parsed.error.at);
    return 0;
  }
  const std::string form = text_of(*parsed.query);
  const ParsedQuery again = parse_query(form);
  // The form has more parentheses than the query, and may be too long for it.
  if (again.query ? text_of(*again.query) != form
                  : form.size() <= kLongestQuery &&
                        again.error.message.find("parentheses") == std::string::npos) {
    __builtin_trap();
  }
  if (!find_forms(library, *parsed.query)) __builtin_trap();
  const Result<LibraryHits> found = search(library, nullptr, *parsed.query, {});
  if (!found || found->total > 3) __builtin_trap();
  std::vector<const Query*> phrases;
  collect_wanted(*parsed.query, phrases);
  const MarkedText shown = snippet(kText, phrases, 20 + size % 100);
  size_t last = 0;
  for (const auto& [begin, end] : shown.marks) {
    if (begin < last || begin >= end || end > shown.text.size()) __builtin_trap();
    last = end;
  }
  (void)marked(text, phrases, QueryField::kTitle);
  (void)snippet(text, phrases, 50);
  return 0;
}
