#pragma once

#include "cli/commands.h"

// `dowser inspect WHAT`: what Dowser makes of one input. One file = one input.

namespace dowser {

int inspect_archive_command(CommandLine);
int inspect_document_command(CommandLine);
int inspect_model_command(CommandLine);
int inspect_page_command(CommandLine);
int inspect_robots_command(CommandLine);
int inspect_url_command(CommandLine);

}  // namespace dowser
