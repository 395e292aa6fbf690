#pragma once

#include "cli/commands.h"

namespace dowser {

int seeds_command(CommandLine);

}  // namespace dowser
