#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "learn/hmm_file.h"
#include "model/page.h"
#include "model/session.h"

// From browsing sessions to the model of the hidden Markov crawler (learn/hmm_model.h).

namespace dowser {

// Several sessions as one graph: a page that was visited in several sessions is one node, and a
// target if it was marked in any of them.
struct SessionGraph {
  std::vector<const SessionPage*> pages;             // of the sessions, which must outlive it
  std::vector<std::pair<uint32_t, uint32_t>> links;  // those of the sessions, in order, each once
  std::vector<char> is_target;                       // by page
};
SessionGraph merge_sessions(std::span<const Session> sessions);

// Which links are learned from.
enum class SessionLinks {
  kOwn,  // those between two pages of one session
  kAll,  // those between any two pages that were visited
};

// Pages with what a model is learned from.
struct PagesToModel {
  std::vector<const Page*> pages;
  std::vector<std::pair<uint32_t, uint32_t>> links;
  std::vector<char> is_target;
};
// `with_words`: the model names words, for people. Without them it is made faster.
Result<HmmFile> learn_pages(const PagesToModel& pages, const HmmOptions& options, bool with_words,
                            const HmmModel::Progress& progress = {});

struct LearnedSessions {
  HmmFile file;
  std::vector<std::pair<uint32_t, uint32_t>> links;  // between the pages of `file`
  size_t without_html = 0;  // pages that were left out because their HTML was not kept
};
// `more` are further pages to learn from, which nobody visited, such as those that link to the
// pages where people began; they are treated like visited pages that were not marked.
Result<LearnedSessions> learn_sessions(std::span<const Session> sessions, const HmmOptions& options,
                                       SessionLinks links = SessionLinks::kAll,
                                       const HmmModel::Progress& progress = {},
                                       std::span<const Page* const> more = {});

// The pages that the sessions came to without following a link: first pages, typed addresses and
// bookmarks. Each address once.
std::vector<const SessionPage*> top_pages(std::span<const Session> sessions);

}  // namespace dowser
