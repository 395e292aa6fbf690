#pragma once

#include "cli/commands.h"

namespace dowser {

int stats_command(CommandLine);

}  // namespace dowser
