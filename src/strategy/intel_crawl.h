#pragma once

#include "strategy/strategy.h"

namespace dowser {

MakeStrategy make_intel_crawl;

}  // namespace dowser
