#pragma once

#include "cli/commands.h"

namespace dowser {

int diff_command(CommandLine);

}  // namespace dowser
