#include "cli/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/progress.h"
#include "cli/subcommands.h"
#include "document/converter.h"
#include "report/numbers.h"
#include "run/added_files.h"
#include "run/library.h"
#include "store/catalogue_reader.h"
#include "store/stored_pages.h"
#include "text/printable.h"

// dowser library: builds the index of a crawl, and puts files of one's own into it.

namespace dowser {
namespace {

constexpr Subcommand kParts[] = {
    {"add", "add papers and other files of your own to the library of a crawl",
     "dowser library add birds paper.pdf thesis.ps.gz", library_add_command},
    {"build", "build the index again", "dowser library build birds", library_build_command},
    {"list", "the files that were added", "dowser library list birds", library_list_command},
    {"remove", "remove files that were added", "dowser library remove birds paper.pdf",
     library_remove_command},
};

Result<bool> is_crawl(const std::string& folder) {
  if (StoredPages::is_crawl(folder)) return true;
  return Error{fmt::format("{} is not the folder of a crawl: it has no catalogue.sqlite", folder)};
}

}  // namespace

Result<LibraryItem> item_named(LibraryReader& library, const std::string& crawl_folder,
                               const std::string& name) {
  std::vector<std::string> addresses = {name, std::string(kAddedScheme) + name};
  if (const Result<Url> url = Url::parse(name)) {
    addresses.emplace_back(url->href());
    if (Result<CatalogueReader> catalogue = CatalogueReader::open(crawl_folder)) {
      const auto page = catalogue->page_at(url->href());
      if (page && *page) addresses.push_back((*page)->final_url);
    }
  }
  for (const std::string& address : addresses) {
    Result<std::optional<LibraryItem>> item = library.item_at(address);
    if (!item) return item.error();
    if (*item) return std::move(**item);
  }
  constexpr size_t kShown = 3;
  // "Penguin.htm" means the file of that name rather than Emperor_Penguin.htm.
  Result<std::vector<LibraryItem>> items = library.items_ending("/" + name, kShown + 1);
  if (items && items->empty()) items = library.items_ending(name, kShown + 1);
  if (!items) return items.error();
  if (items->size() == 1) return std::move(items->front());
  if (items->empty()) {
    return Error{
        fmt::format("the library has no '{}': give an address as `dowser search` prints "
                    "it, or the name of an added file",
                    name)};
  }
  std::string examples;
  for (size_t i = 0; i < std::min(items->size(), kShown); ++i) examples += " " + (*items)[i].url;
  return Error{fmt::format("'{}' is ambiguous, it may be{}{}: give more of the address", name,
                           examples, items->size() > kShown ? " and others" : "")};
}

int library_build_command(CommandLine line) {
  constexpr char kName[] = "library build";
  Arguments arguments(kName, "Builds the index of a crawl's library again, from its archive.",
                      "dowser library build birds");
  std::string folder, file;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.option("library", "FILE", "write it there instead of to DIR/library.sqlite",
                   library_file_option(&file));
  arguments.note(
      "`dowser search` does this by itself when necessary; a library may be deleted at any "
      "time.\nAnnotations and added files are stored elsewhere and are not lost.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  stop_gently();
  ProgressLine progress;
  LibraryOptions options;
  options.file = file;
  options.rebuild = true;
  options.watch = [&](const Progress& p) { return progress.watch(p); };
  const Result<LibraryReader> library = open_library(folder, options);
  progress.clear();
  if (!library) return fail_or_stop(kName, library.error());
  std::error_code failed;
  const auto path = library_file(folder, options);
  fmt::print("{}: {} items, {:.1f} MB\n", path.string(), grouped(library->items()),
             static_cast<double>(std::filesystem::file_size(path, failed)) / 1e6);
  return kDone;
}

int library_add_command(CommandLine line) {
  constexpr char kName[] = "library add";
  Arguments arguments(kName, "Adds files of your own to the library of a crawl.",
                      "dowser library add birds paper.pdf thesis.ps.gz");
  std::string folder;
  std::vector<std::string> files;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.words("FILE", "PDF, PostScript, Word, OpenDocument, RTF, TeX, XML, HTML or text",
                  &files);
  arguments.note(
      "Files are copied to DIR/added, with their text and a description that can be corrected by "
      "hand\n(NAME.json). The next search finds them.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (const auto crawl = is_crawl(folder); !crawl) return fail(kName, crawl.error());
  Result<std::unique_ptr<Converter>> converter = Converter::start("/proc/self/exe");
  if (!converter) return fail(kName, converter.error());
  stop_gently();
  AddedFiles added(folder);
  int code = kDone;
  for (const std::string& file : files) {
    if (interrupted()) return fail_or_stop(kName, stopped(), "the files named so far were added");
    const Result<AddedFiles::Added> one = added.add(file, **converter);
    if (!one) {
      code = fail(kName, one.error());
      continue;
    }
    const LibraryItem& item = one->item;
    fmt::print("{}{}: {}{}{}\n", added_name(item), one->is_new ? "" : " (was already there)",
               printable(item.title), item.authors.empty() ? "" : ", " + printable(item.authors),
               item.year ? fmt::format(", {}", *item.year) : "");
  }
  return code;
}

int library_list_command(CommandLine line) {
  constexpr char kName[] = "library list";
  Arguments arguments(kName, "Lists the files that were added to the library of a crawl.",
                      "dowser library list birds");
  std::string folder;
  bool json = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.flag("json", "print one JSON array", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (const auto crawl = is_crawl(folder); !crawl) return fail(kName, crawl.error());
  const Result<std::vector<LibraryItem>> items = AddedFiles(folder).list();
  if (!items) return fail(kName, items.error());
  nlohmann::json array = nlohmann::json::array();
  for (const LibraryItem& item : *items) {
    if (json) {
      array.push_back({{"name", added_name(item)},
                       {"title", item.title},
                       {"authors", item.authors},
                       {"year", item.year ? nlohmann::json(*item.year) : nlohmann::json()},
                       {"kind", item.kind},
                       {"format", item.format},
                       {"added_at", item.fetched_at}});
    } else {
      fmt::print("{}  {}  {}\n", item.fetched_at.substr(0, 10), added_name(item),
                 printable(item.title));
    }
  }
  if (json) {
    print_json(array, 1);
  } else if (items->empty()) {
    fmt::print("No files were added to {}: dowser library add {} FILE…\n", folder, folder);
  }
  return kDone;
}

int library_remove_command(CommandLine line) {
  constexpr char kName[] = "library remove";
  Arguments arguments(kName, "Removes files that were added to a library.",
                      "dowser library remove birds paper.pdf");
  std::string folder;
  std::vector<std::string> names;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.words("NAME", "the name that `dowser library list` prints", &names);
  arguments.note(
      "The copy in DIR/added is deleted. Pages and documents of the crawl itself cannot be "
      "removed.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (const auto crawl = is_crawl(folder); !crawl) return fail(kName, crawl.error());
  AddedFiles added(folder);
  int code = kDone;
  for (std::string name : names) {
    if (name.starts_with(kAddedScheme)) name.erase(0, kAddedScheme.size());
    const Result<bool> removed = added.remove(name);
    if (!removed) {
      code = fail(kName, removed.error());
    } else if (!*removed) {
      code = fail(kName,
                  Error{fmt::format(
                      "no file '{}' was added to {}: dowser library list {} shows those that were",
                      name, folder, folder)});
    }
  }
  return code;
}

int library_command(CommandLine line) {
  return run_subcommand("library", "The library of a crawl: its index, and files of your own.",
                        kParts, line);
}

}  // namespace dowser
