#pragma once

#include <string>

#include "base/result.h"
#include "cli/commands.h"
#include "store/library_reader.h"

// What the commands about libraries share.

namespace dowser {

// The item that a person means: by its address, before or after redirects; by the name of an added
// file; or by the end of its address, such as "Bird.htm", if no other item has that ending.
Result<LibraryItem> item_named(LibraryReader& library, const std::string& crawl_folder,
                               const std::string& name);

int annotate_command(CommandLine line);
int search_command(CommandLine line);
int library_command(CommandLine line);
int library_add_command(CommandLine line);
int library_build_command(CommandLine line);
int library_list_command(CommandLine line);
int library_remove_command(CommandLine line);

}  // namespace dowser
