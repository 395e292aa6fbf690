#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/library.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "library/search.h"
#include "library/similar.h"
#include "library/snippet.h"
#include "library/word_forms.h"
#include "report/search_report.h"
#include "run/library.h"
#include "run/library_texts.h"

// dowser search: full-text search of what a crawl collected.

namespace dowser {
namespace {

constexpr char kName[] = "search";
constexpr size_t kMostHits = 10'000;

struct Given {
  std::string folder, like, html, library;
  std::vector<std::string> words;
  std::string order = "match";
  SearchOptions search;
  bool json = false;
};

Status set_years(ItemFilter& filter, std::string_view text) {
  const auto year = [](std::string_view digits, std::optional<int>& to) {
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, failed] = std::from_chars(digits.data(), end, value);
    if (failed != std::errc() || stop != end || value < 0 || value > 9999) return false;
    to = value;
    return true;
  };
  const size_t dots = text.find("..");
  const std::string_view from = text.substr(0, dots);
  const std::string_view to = dots == text.npos ? from : text.substr(dots + 2);
  const bool is_fine = (from.empty() || year(from, filter.year_from)) &&
                       (to.empty() || year(to, filter.year_to)) && !(from.empty() && to.empty());
  if (!is_fine) {
    return Error{
        fmt::format("--year takes a year or a range, as 2004, 1999..2004 or 1999.., not "
                    "'{}'",
                    text)};
  }
  return {};
}

Status set_order(Given& given, std::string_view text) {
  static constexpr std::pair<std::string_view, SearchOrder> kOrders[] = {
      {"match", SearchOrder::kMatch},
      {"relevance", SearchOrder::kRelevance},
      {"references", SearchOrder::kReferences},
      {"year", SearchOrder::kYear}};
  for (const auto& [name, order] : kOrders) {
    if (name != text) continue;
    given.search.order = order;
    given.order = text;
    return {};
  }
  return Error{fmt::format("--by takes match, relevance, references or year, not '{}'", text)};
}

void declare(Arguments& arguments, Given& given) {
  ItemFilter& filter = given.search.filter;
  arguments.word("DIR", "the folder of the crawl", &given.folder);
  arguments.words("QUERY", "what to search for, such as 'title:crawler AND (focused OR topical)'",
                  &given.words, 0);
  arguments.option("like", "DOC", "pages and documents similar to this one (an address or name)",
                   &given.like);
  arguments.list("kind", "KIND", "only page, paper, thesis, report, faq or other", &filter.kinds);
  arguments.option("year", "Y", "only from this year, or from a range of years: 1999..2004",
                   [&](auto text) { return set_years(given.search.filter, text); });
  arguments.list("host", "HOST", "only from this host or domain, such as edu or cs.cmu.edu",
                 &filter.hosts);
  arguments.list("format", "FORMAT", "only html, text, pdf, postscript, doc, docx, …",
                 &filter.formats);
  arguments.list("language", "CODE", "only in this language, such as en or ja", &filter.languages);
  arguments.flag("relevant", "only pages that the crawl judged relevant", &filter.only_relevant);
  arguments.option("relevance", "R", "only with at least this relevance to the topic, from 0 to 1",
                   [&](std::string_view text) -> Status {
                     double least = 0;
                     const Status set = real_number(&least, "relevance", 0, 1)(text);
                     if (set) given.search.filter.relevance_from = least;
                     return set;
                   });
  arguments.flag("copies", "include near duplicates of other pages", &filter.copies);
  arguments.option("by", "ORDER",
                   "match (default), relevance to the topic, references (pages that link to it) "
                   "or year",
                   [&](std::string_view text) { return set_order(given, text); });
  arguments.option("limit", "N", "print this number of results (default 10)",
                   whole_number(&given.search.limit, "limit", 1, kMostHits));
  arguments.option("offset", "N", "leave out the first N results (default 0)",
                   whole_number(&given.search.offset, "offset", 0));
  arguments.flag("json", "print one JSON object", &given.json);
  arguments.option("html", "FILE", "write the results as an HTML page", output_file(&given.html));
  arguments.option("library", "FILE", "keep the index there instead of in DIR/library.sqlite",
                   library_file_option(&given.library));
  arguments.note(
      "For several words, pages with all of them come first, then those with some. \"A phrase\" is "
      "written\nin quotation marks; crawl* finds all words that begin with crawl. Combine words "
      "with AND, OR, NOT\nand parentheses; title: author: abstract: keywords: text: url: host: "
      "note: search in one field.\ndocs/library.md has the grammar. The index is built by the "
      "first search.");
}

std::string filters_of(const ItemFilter& filter) {
  std::vector<std::string> parts;
  const auto list = [&](std::string_view name, const std::vector<std::string>& values) {
    if (!values.empty()) parts.push_back(fmt::format("{} {}", name, fmt::join(values, " or ")));
  };
  list("kind", filter.kinds);
  list("host", filter.hosts);
  list("format", filter.formats);
  list("language", filter.languages);
  if (filter.year_from && filter.year_from == filter.year_to) {
    parts.push_back(fmt::format("year {}", *filter.year_from));
  } else {
    if (filter.year_from) parts.push_back(fmt::format("since {}", *filter.year_from));
    if (filter.year_to) parts.push_back(fmt::format("up to {}", *filter.year_to));
  }
  if (filter.only_relevant) parts.push_back("only relevant ones");
  if (filter.relevance_from)
    parts.push_back(fmt::format("relevance from {}", *filter.relevance_from));
  return fmt::format("{}", fmt::join(parts, ", "));
}

class SearchCommand {
 public:
  explicit SearchCommand(const Given& given) : given_(given), texts_(given.folder) {}

  int run(const std::optional<Query>& query) {
    Result<SearchPage> page = find(query, false);
    // An index may be damaged where only this query reads it.
    if (!page && is_damaged_) {
      tell(fmt::format("{}; the library is being rebuilt", page.error().message));
      page = find(query, true);
    }
    line_.clear();
    if (!page) return fail_or_stop(kName, page.error());
    if (!given_.html.empty()) {
      if (Status s = write_file(given_.html, search_html(*page)); !s) return fail(kName, s.error());
      if (!given_.json) {
        fmt::print("{}; see {}\n", page->total == 0 ? "Nothing matches" : search_summary(*page),
                   given_.html);
        return kDone;
      }
    }
    const bool marks = isatty(STDOUT_FILENO) != 0 && !std::getenv("NO_COLOR");
    fmt::print("{}", given_.json ? search_json(*page) : search_text(*page, marks));
    return kDone;
  }

 private:
  void tell(const std::string& sentence) {
    line_.clear();
    print_to_stderr(fmt::format("dowser search: {}\n", sentence));
  }

  Result<SearchPage> find(const std::optional<Query>& query, bool rebuild) {
    LibraryOptions options;
    options.file = given_.library;
    options.rebuild = rebuild;
    options.watch = [this](const Progress& progress) { return line_.watch(progress); };
    options.tell = [this](const std::string& sentence) { tell(sentence); };
    Result<LibraryReader> library = open_library(given_.folder, options);
    if (!library) return library.error();
    Result<SearchPage> page = query ? find_query(*library, *query) : find_similar(*library);
    is_damaged_ = !page && library->is_damaged();
    return page;
  }

  Result<SearchPage> find_query(LibraryReader& library, Query query) {
    if (Status s = find_forms(library, query); !s) return s.error();
    Result<std::optional<Annotations>> notes = open_annotations();
    if (!notes) return notes.error();
    const Result<LibraryHits> found =
        search(library, *notes ? &**notes : nullptr, query, given_.search);
    if (!found) return found.error();
    SearchPage page;
    page.query = fmt::format("{}", fmt::join(given_.words, " "));
    std::vector<const Query*> phrases;
    collect_wanted(query, phrases);
    page.has_bare_words = has_bare_words(query);
    if (Status s = fill(library, *notes, *found, phrases, page); !s) return s.error();
    if (page.total == 0) {
      if (Status s = add_hints(library, *notes, query, page); !s) return s.error();
    }
    return page;
  }

  static bool has_bare_words(const Query& query) {
    if (query.kind == Query::Kind::kSome) return true;
    for (const Query& part : query.parts) {
      if (part.kind != Query::Kind::kNot && has_bare_words(part)) return true;
    }
    return false;
  }

  Result<SearchPage> find_similar(LibraryReader& library) {
    Result<LibraryItem> item = item_named(library, given_.folder, given_.like);
    if (!item) return item.error();
    if (Status s = texts_.open(archive_file_of(*item)); !s) return s.error();
    const Result<std::string> text = texts_.shown(*item);
    if (!text) return text.error();
    Result<SimilarItems> similar = search_similar(library, *item, *text, given_.search);
    if (!similar) return similar.error();
    Result<std::optional<Annotations>> notes = open_annotations();
    if (!notes) return notes.error();
    SearchPage page;
    page.like = item->title.empty() ? item->url : item->title;
    page.like_words = similar->words;
    // The words of the item are marked as if they had been searched for.
    std::vector<Query> words;
    for (const std::string& word : similar->words) {
      Query query;
      query.words = search_words_of(word);
      words.push_back(std::move(query));
    }
    std::vector<const Query*> phrases;
    for (const Query& word : words) phrases.push_back(&word);
    if (Status s = fill(library, *notes, similar->found, phrases, page); !s) return s.error();
    return page;
  }

  static std::vector<std::string> search_words_of(const std::string& words) {
    std::vector<std::string> list;
    for (size_t begin = 0; begin < words.size();) {
      const size_t end = std::min(words.find(' ', begin), words.size());
      list.push_back(words.substr(begin, end - begin));
      begin = end + 1;
    }
    return list;
  }

  Result<std::optional<Annotations>> open_annotations() const {
    return Annotations::open(std::filesystem::path(given_.folder) / Annotations::kFileName);
  }

  Status fill(LibraryReader& library, std::optional<Annotations>& notes, const LibraryHits& found,
              const std::vector<const Query*>& phrases, SearchPage& page) {
    page.folder = given_.folder;
    page.filters = filters_of(given_.search.filter);
    page.order = given_.order;
    page.total = found.total, page.with_all = found.with_all;
    page.items = library.items();
    page.offset = given_.search.offset;
    for (const LibraryHit& hit : found.hits) {
      Result<std::optional<LibraryItem>> item = library.item(hit.id);
      if (!item) return item.error();
      if (!*item) continue;
      ShownHit shown;
      shown.score = hit.score, shown.has_all = hit.has_all;
      if (notes) {
        Result<std::vector<Annotation>> list = notes->list((*item)->url);
        if (!list) return list.error();
        shown.notes = std::move(*list);
      }
      shown.title = marked((*item)->title, phrases, QueryField::kTitle);
      shown.link = link_of(**item);
      shown.item = std::move(**item);
      page.hits.push_back(std::move(shown));
    }
    // A text that cannot be read any more costs the snippet only.
    for (const ShownHit& hit : page.hits) (void)texts_.open(archive_file_of(hit.item));
    std::vector<MarkedText> made = snippets(
        page.hits.size(), [&](size_t i) { return texts_.shown(page.hits[i].item); }, phrases);
    for (size_t i = 0; i < made.size(); ++i) page.hits[i].snippet = std::move(made[i]);
    return {};
  }

  static std::set<std::string> archive_file_of(const LibraryItem& item) {
    if (!added_name(item).empty()) return {};
    return {item.archive_file};
  }

  std::string link_of(const LibraryItem& item) const {
    const std::string name = added_name(item);
    if (name.empty()) return item.url;
    std::error_code failed;
    const auto file = std::filesystem::absolute(given_.folder, failed) / "added" / name;
    return "file://" + file.string();
  }

  // Why there may be nothing.
  Status add_hints(LibraryReader& library, std::optional<Annotations>& notes, const Query& query,
                   SearchPage& page) {
    const Result<std::vector<MissingWord>> missing = missing_words(library, query);
    if (!missing) return missing.error();
    for (const MissingWord& word : *missing) {
      page.hints.push_back(fmt::format(
          "No page has the word \"{}\"{}", word.word,
          word.similar.empty() ? "." : fmt::format("; did you mean \"{}\"?", word.similar)));
    }
    if (!page.hints.empty()) return {};
    SearchOptions all;
    all.filter.copies = true;
    all.limit = 0;
    const Result<LibraryHits> found = search(library, notes ? &*notes : nullptr, query, all);
    if (!found) return found.error();
    if (found->total > 0) {
      page.hints.push_back(
          fmt::format("{} would match without {}.", found->total,
                      page.filters.empty() ? "leaving out copies (--copies)" : "these conditions"));
    } else if (is_on_notes(query) && !notes) {
      page.hints.push_back("Nothing has been annotated yet: see dowser annotate --help.");
    } else {
      page.hints.push_back(
          "Every word occurs, but not together: try fewer conditions, or plain words without "
          "quotation marks and AND.");
    }
    return {};
  }

  static bool is_on_notes(const Query& query) {
    if (query.kind == Query::Kind::kPhrase && query.field == QueryField::kNote) return true;
    return std::any_of(query.parts.begin(), query.parts.end(), is_on_notes);
  }

  const Given& given_;
  LibraryTexts texts_;
  ProgressLine line_;
  bool is_damaged_ = false;
};

}  // namespace

int search_command(CommandLine line) {
  Given given;
  Arguments arguments(kName, "Searches the pages and documents that a crawl collected.",
                      "dowser search birds 'title:penguin OR \"flightless bird\"' --relevant");
  declare(arguments, given);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  for (std::string& host : given.search.filter.hosts) {
    while (host.starts_with('.')) host.erase(0, 1);
  }
  const std::string text = fmt::format("{}", fmt::join(given.words, " "));
  if (given.like.empty() == given.words.empty()) {
    return fail(kName,
                Error{given.like.empty() ? "give words to search for: dowser search DIR 'words'"
                                         : "give words to search for or --like DOC, not both"},
                kUsage);
  }
  std::optional<Query> query;
  if (given.like.empty()) {
    ParsedQuery parsed = parse_query(text);
    if (!parsed.query) {
      const int code = fail(kName, Error{parsed.error.message}, kUsage);
      print_to_stderr(caret_lines(text, parsed.error.at));
      return code;
    }
    query = std::move(parsed.query);
  }
  stop_gently();
  return SearchCommand(given).run(query);
}

}  // namespace dowser
