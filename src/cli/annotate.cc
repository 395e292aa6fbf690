#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/library.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/progress.h"
#include "run/library.h"
#include "store/annotations.h"
#include "store/stored_pages.h"

// dowser annotate: notes about pages and documents.

namespace dowser {
namespace {

constexpr char kName[] = "annotate";
constexpr size_t kLongestNote = 100'000;  // bytes

struct Given {
  std::string folder, document, text, author, library;
  std::string remove;
  bool list = false, json = false;
};

std::filesystem::path notes_of(const Given& given) {
  return std::filesystem::path(given.folder) / Annotations::kFileName;
}

nlohmann::json json_of(const Annotation& note) {
  return {{"id", note.id},
          {"url", note.url},
          {"author", note.author},
          {"text", note.text},
          {"made_at", note.made_at}};
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

// The item that is meant; the library is built for it if it must be.
Result<LibraryItem> item_of(const Given& given) {
  ProgressLine line;
  LibraryOptions options;
  options.file = given.library;
  options.watch = [&](const Progress& progress) { return line.watch(progress); };
  options.tell = [&](const std::string& sentence) {
    line.clear();
    print_to_stderr(fmt::format("dowser {}: {}\n", kName, sentence));
  };
  Result<LibraryReader> library = open_library(given.folder, options);
  if (!library) return library.error();
  return item_named(*library, given.folder, given.document);
}

int add(const Given& given) {
  const Result<LibraryItem> item = item_of(given);
  if (!item) return fail_or_stop(kName, item.error());
  Result<Annotations> notes = Annotations::create(notes_of(given));
  if (!notes) return fail(kName, notes.error());
  const Result<int64_t> id =
      notes->add({0, item->url, given.author, given.text, to_iso8601(wall_time())});
  if (!id) return fail(kName, id.error());
  fmt::print("note {} on {}\n", *id, item->url);
  return kDone;
}

int remove(const Given& given) {
  int64_t id = 0;
  const char* end = given.remove.data() + given.remove.size();
  const auto [stop, failed] = std::from_chars(given.remove.data(), end, id);
  if (failed != std::errc() || stop != end || id < 1) {
    return fail(kName,
                Error{fmt::format("--remove takes the number of a note, as --list prints it, not "
                                  "'{}'",
                                  given.remove)},
                kUsage);
  }
  Result<std::optional<Annotations>> exists = Annotations::open(notes_of(given));
  if (!exists) return fail(kName, exists.error());
  const std::string none = fmt::format("there is no note {} in {}", id, given.folder);
  if (!*exists) return fail(kName, Error{none});
  exists->reset();
  Result<Annotations> notes = Annotations::create(notes_of(given));
  if (!notes) return fail(kName, notes.error());
  const Result<bool> removed = notes->remove(id);
  if (!removed) return fail(kName, removed.error());
  if (!*removed) return fail(kName, Error{none});
  fmt::print("removed note {}\n", id);
  return kDone;
}

int list(const Given& given) {
  std::string url;
  if (!given.document.empty()) {
    const Result<LibraryItem> item = item_of(given);
    if (!item) return fail_or_stop(kName, item.error());
    url = item->url;
  }
  Result<std::optional<Annotations>> notes = Annotations::open(notes_of(given));
  if (!notes) return fail(kName, notes.error());
  std::vector<Annotation> all;
  if (*notes) {
    Result<std::vector<Annotation>> read = (*notes)->list(url);
    if (!read) return fail(kName, read.error());
    all = std::move(*read);
  }
  if (given.json) {
    nlohmann::json array = nlohmann::json::array();
    for (const Annotation& note : all) array.push_back(json_of(note));
    print_json(array, 1);
    return kDone;
  }
  if (all.empty()) fmt::print("Nothing has been annotated.\n");
  for (const Annotation& note : all) {
    fmt::print("{}  {}  {}\n   {}{}\n", note.id, note.made_at.substr(0, 10), note.url,
               note.author.empty() ? "" : one_line(note.author) + ": ", one_line(note.text));
  }
  return kDone;
}

Status check(const Given& given) {
  if (!given.remove.empty()) {
    if (!given.document.empty() || given.list) {
      return Error{"--remove takes the number of a note and nothing else"};
    }
    return {};
  }
  if (given.list) {
    if (!given.text.empty()) return Error{"--list only prints notes: leave out the text"};
    return {};
  }
  if (given.document.empty() || given.text.empty()) {
    return Error{
        "name the page and write the note: dowser annotate DIR ADDRESS \"text\" --author NAME"};
  }
  if (given.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{"the note is empty"};
  }
  if (given.text.size() > kLongestNote) {
    return Error{fmt::format("the note is longer than {} bytes", kLongestNote)};
  }
  return {};
}

}  // namespace

int annotate_command(CommandLine line) {
  Given given;
  Arguments arguments(kName, "Writes notes about pages and documents of a crawl.",
                      "dowser annotate birds Penguin.htm \"good pictures\" --author Ada");
  std::vector<std::string> words;
  arguments.word("DIR", "the folder of the crawl", &given.folder);
  arguments.words("DOC TEXT", "the page or document (an address or name), and the note about it",
                  &words, 0);
  arguments.option("author", "NAME", "the author of the note", &given.author);
  arguments.flag("list", "print the notes, all or those about DOC", &given.list);
  arguments.option("remove", "ID", "remove the note with this number", &given.remove);
  arguments.flag("json", "print the notes as one JSON array", &given.json);
  arguments.option("library", "FILE", "where the index is, if not in DIR",
                   library_file_option(&given.library));
  arguments.note(
      "Notes are kept in DIR/annotations.sqlite, even if the index is deleted or rebuilt. To "
      "search in\nthem: dowser search DIR note:pictures");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (words.size() > 2) {
    return fail(kName, Error{"write the note in quotation marks after the address"}, kUsage);
  }
  if (!words.empty()) given.document = words[0];
  if (words.size() > 1) given.text = words[1];
  if (Status s = check(given); !s) return fail(kName, s.error(), kUsage);
  if (!StoredPages::is_crawl(given.folder)) {
    return fail(kName,
                Error{fmt::format("{} is not the folder of a crawl: it has no catalogue.sqlite",
                                  given.folder)});
  }
  stop_gently();
  if (!given.remove.empty()) return remove(given);
  return given.list ? list(given) : add(given);
}

}  // namespace dowser
