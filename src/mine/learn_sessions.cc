#include "mine/learn_sessions.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/url_canonical.h"
#include "parse/parse_page.h"
#include "text/link_terms.h"
#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kMostWords = 30;  // of a cluster, as in the paper

using Links = std::vector<std::pair<uint32_t, uint32_t>>;

void sort_links(Links& links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

// A word for each term of the space: the first one in the pages that has it.
std::vector<std::string> words_of(const LsiSpace& space, std::span<const Page* const> pages) {
  std::map<TermId, std::string> words;
  for (const Page* page : pages) {
    for (Term& term : text_terms(page->title + "\n" + page->text, page->language)) {
      words.try_emplace(term.id, std::move(term.word));
    }
  }
  std::vector<std::string> out;
  for (const uint32_t term : space.parts().terms) out.push_back(words[term]);
  return out;
}

std::vector<HmmFile::Word> named(std::span<const ClusterWord> words, const HmmFile& file) {
  const std::vector<uint32_t>& terms = file.model.space().parts().terms;
  std::vector<HmmFile::Word> out;
  for (const ClusterWord& w : words) {
    const auto at = std::lower_bound(terms.begin(), terms.end(), w.term) - terms.begin();
    out.push_back({file.words[static_cast<size_t>(at)], w.value});
  }
  return out;
}

void name_clusters(const HmmTraining& training, HmmFile& file) {
  const std::vector<uint32_t>& clusters = file.model.pages().parts().labels;
  for (const ClusterWords& words :
       cluster_words(training.pages, clusters, file.model.clusters(), kMostWords)) {
    file.clusters.push_back(
        {named(words.by_log_odds, file), named(words.by_mutual_information, file)});
  }
}

// The words of each link between two of the pages: those of the first link that has some.
std::vector<std::vector<TermCount>> words_of_links(const PagesToModel& pages) {
  std::map<uint64_t, uint32_t> by_address;
  for (uint32_t i = 0; i < pages.pages.size(); ++i) {
    by_address.try_emplace(seen_fingerprint(pages.pages[i]->url), i);
  }
  std::map<std::pair<uint32_t, uint32_t>, std::vector<TermCount>> words;
  for (uint32_t from = 0; from < pages.pages.size(); ++from) {
    const Page& page = *pages.pages[from];
    for (const Link& link : page.links) {
      const auto to = by_address.find(seen_fingerprint(link));
      if (to == by_address.end() || page.anchor(link).empty()) continue;
      const auto [it, is_new] = words.try_emplace({from, to->second});
      if (is_new) it->second = link_terms(page.anchor(link), link.url.href(), page.language);
    }
  }
  std::vector<std::vector<TermCount>> out;
  for (const auto& link : pages.links) out.push_back(words[link]);
  return out;
}

}  // namespace

SessionGraph merge_sessions(std::span<const Session> sessions) {
  SessionGraph graph;
  std::map<uint64_t, uint32_t> numbers;  // by the fingerprint of the address
  for (const Session& session : sessions) {
    std::vector<uint32_t> own;
    for (const SessionPage& page : session.pages) {
      const auto [it, is_new] = numbers.try_emplace(seen_fingerprint(page.url),
                                                    static_cast<uint32_t>(graph.pages.size()));
      if (is_new) {
        graph.pages.push_back(&page);
        graph.is_target.push_back(false);
      }
      const SessionPage*& known = graph.pages[it->second];
      if (!known->response && page.response) known = &page;
      graph.is_target[it->second] |= page.useful;
      own.push_back(it->second);
    }
    for (const SessionLink& link : session.links) {
      graph.links.emplace_back(own[link.from], own[link.to]);
    }
  }
  sort_links(graph.links);
  return graph;
}

Result<HmmFile> learn_pages(const PagesToModel& pages, const HmmOptions& options, bool with_words,
                            const HmmModel::Progress& progress) {
  HmmTraining training;
  for (const Page* page : pages.pages) training.pages.push_back(page->terms);
  training.links = pages.links;
  training.is_target = pages.is_target;
  training.link_words = words_of_links(pages);
  Result<HmmModel> model = HmmModel::train(training, options, progress);
  if (!model) return model.error();
  HmmFile file{.model = std::move(*model)};
  file.links = static_cast<uint32_t>(pages.links.size());
  file.smoothing = options.smoothing;
  file.seed = options.seed;
  for (const Page* page : pages.pages) file.addresses.emplace_back(page->url.href());
  if (with_words) {
    if (progress) progress("naming the groups");
    file.words = words_of(file.model.space(), pages.pages);
  } else {
    file.words.resize(file.model.space().parts().terms.size());
  }
  name_clusters(training, file);
  return file;
}

Result<LearnedSessions> learn_sessions(std::span<const Session> sessions, const HmmOptions& options,
                                       SessionLinks links, const HmmModel::Progress& progress,
                                       std::span<const Page* const> more) {
  if (progress) progress("reading the pages");
  const SessionGraph graph = merge_sessions(sessions);
  std::vector<Page> parsed;
  std::vector<uint32_t> numbers(graph.pages.size(), UINT32_MAX);  // of those that have HTML
  PagesToModel pages;
  for (size_t i = 0; i < graph.pages.size(); ++i) {
    if (!graph.pages[i]->response) continue;
    numbers[i] = static_cast<uint32_t>(parsed.size());
    parsed.push_back(parse_page(*graph.pages[i]->response));
    parsed.back().url = graph.pages[i]->url;
    pages.is_target.push_back(graph.is_target[i]);
  }
  if (parsed.empty())
    return Error{"none of the sessions' pages has its HTML, so there are no words to learn from"};
  for (const Page& page : parsed) pages.pages.push_back(&page);
  std::map<uint64_t, uint32_t> by_address;
  for (uint32_t i = 0; i < parsed.size(); ++i) by_address[seen_fingerprint(parsed[i].url)] = i;
  for (const Page* page : more) {
    const auto number = static_cast<uint32_t>(pages.pages.size());
    if (!by_address.try_emplace(seen_fingerprint(page->url), number).second) continue;
    pages.pages.push_back(page);
    pages.is_target.push_back(false);
  }
  if (links == SessionLinks::kOwn) {
    for (const auto& [from, to] : graph.links) {
      if (numbers[from] != UINT32_MAX && numbers[to] != UINT32_MAX) {
        pages.links.emplace_back(numbers[from], numbers[to]);
      }
    }
  } else {
    for (uint32_t from = 0; from < pages.pages.size(); ++from) {
      for (const Link& link : pages.pages[from]->links) {
        const auto to = by_address.find(seen_fingerprint(link));
        if (to != by_address.end() && to->second != from) {
          pages.links.emplace_back(from, to->second);
        }
      }
    }
    sort_links(pages.links);
  }
  Result<HmmFile> file = learn_pages(pages, options, true, progress);
  if (!file) return file.error();
  std::set<std::string> topics;
  for (const Session& session : sessions) {
    if (!session.topic.empty()) topics.insert(session.topic);
  }
  file->topics.assign(topics.begin(), topics.end());
  file->sessions = static_cast<uint32_t>(sessions.size());
  return LearnedSessions{std::move(*file), std::move(pages.links),
                         graph.pages.size() - parsed.size()};
}

std::vector<const SessionPage*> top_pages(std::span<const Session> sessions) {
  std::set<uint64_t> seen;
  std::vector<const SessionPage*> tops;
  for (const Session& session : sessions) {
    for (const SessionStep& step : session.steps) {
      const SessionPage& page = session.pages[step.page];
      if (step.kind != StepKind::kStart || !seen.insert(seen_fingerprint(page.url)).second)
        continue;
      tops.push_back(&page);
    }
  }
  return tops;
}

}  // namespace dowser
