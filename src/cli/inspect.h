#pragma once

#include "cli/commands.h"

// `dowser inspect WHAT`: shows how Dowser reads a single input. One file per kind of input.

namespace dowser {

int inspect_archive_command(CommandLine);
int inspect_document_command(CommandLine);
int inspect_model_command(CommandLine);
int inspect_page_command(CommandLine);
int inspect_robots_command(CommandLine);
int inspect_url_command(CommandLine);

}  // namespace dowser
