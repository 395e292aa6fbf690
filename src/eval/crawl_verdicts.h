#pragma once

#include "eval/course.h"
#include "eval/draw.h"
#include "eval/verdicts.h"

namespace dowser {

// The quality of the verdicts at fetch. Pages that were given as examples are left out, since the
// judge had seen them, and a page that was fetched twice counts once.
std::optional<VerdictQuality> quality_at_fetch(const Course& course, const Draw& draw);

// The same for the verdicts after all pages have been judged again, as at the end of a crawl.
std::optional<VerdictQuality> final_quality(const HeldWeb& web, const Course& course,
                                            const Draw& draw);

}  // namespace dowser
