#pragma once

#include "eval/course.h"
#include "eval/draw.h"
#include "eval/verdicts.h"

namespace dowser {

// The quality of what was said of the pages when they came. Pages that were given as examples are
// left out, since the judge had seen them, and a page that was fetched twice counts once.
std::optional<VerdictQuality> quality_at_fetch(const Course& course, const Draw& draw);

// The same when all of them have been judged again, as at the end of a crawl.
std::optional<VerdictQuality> final_quality(const HeldWeb& web, const Course& course,
                                            const Draw& draw);

}  // namespace dowser
