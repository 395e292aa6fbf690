#include "eval/held_web.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

#include "archive/archive_index.h"
#include "base/hash.h"
#include "model/redirects.h"
#include "model/url_canonical.h"
#include "parse/parse_page.h"

namespace dowser {
namespace {

// Reads and parses the page at each address, on several threads.
void read_answers(const ArchiveSet& archives, size_t threads,
                  std::vector<HeldWeb::Answer>& answers) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next++) < answers.size();) {
      Result<Response> response = archives.load(*archives.find(archives.urls()[i]));
      const Result<Url> url = Url::parse(archives.urls()[i]);
      if (!response || !url || !url->is_http()) continue;
      HeldWeb::Answer& answer = answers[i];
      answer.url = canonical(*url);
      response->url = answer.url;
      if (!response->is_redirect()) answer.page = parse_page(*response);
      response->body = {};
      answer.head = std::move(*response);
    }
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min(threads, answers.size()); ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace

Result<HeldWeb> HeldWeb::load(std::span<const std::filesystem::path> files, size_t threads) {
  const Result<ArchiveSet> archives = ArchiveSet::open(files);
  if (!archives) return archives.error();
  std::vector<Answer> answers(archives->urls().size());
  read_answers(*archives, threads, answers);
  std::erase_if(answers, [](const Answer& answer) { return answer.url.empty(); });
  if (answers.empty()) return Error{"the archive has no pages"};
  return HeldWeb(std::move(answers));
}

HeldWeb::HeldWeb(std::vector<Answer> answers) : answers_(std::move(answers)) {
  for (size_t i = 0; i < answers_.size(); ++i) {
    const auto index = static_cast<uint32_t>(i);
    const auto [it, is_new] = by_address_.try_emplace(hash64(answers_[i].url.href()), index);
    // Two addresses of an archive may have one canonical form: a page is preferred to a "not
    // found".
    if (!is_new && answers_[i].head.ok() && !answers_[it->second].head.ok()) it->second = index;
  }
  number_nodes();
  link_nodes();
}

const HeldWeb::Answer* HeldWeb::find(const Url& url) const {
  const auto it = by_address_.find(hash64(url.href()));
  return it == by_address_.end() ? nullptr : &answers_[it->second];
}

void HeldWeb::number_nodes() {
  absl::flat_hash_map<std::string, Node> by_key;
  for (size_t i = 0; i < answers_.size(); ++i) {
    if (!answers_[i].head.ok()) continue;
    const auto [it, is_new] =
        by_key.try_emplace(seen_key(answers_[i].url), static_cast<Node>(pages_.size()));
    if (is_new) pages_.push_back(static_cast<uint32_t>(i));
    answers_[i].node = it->second;
  }
}

HeldWeb::Node HeldWeb::resolve(const Answer* answer) const {
  const auto end = end_of_redirects(answer, [&](const Answer* at) -> std::optional<const Answer*> {
    if (!at || !at->head.is_redirect()) return std::nullopt;
    const Url target = at->head.redirect_target();
    return target.empty() ? nullptr : find(canonical(target));
  });
  return end && *end ? (*end)->node : kNone;
}

HeldWeb::Node HeldWeb::node_of(const Url& url) const { return resolve(find(canonical(url))); }

void HeldWeb::link_nodes() {
  LinkGraphBuilder links;
  links.need_nodes(pages_.size());
  for (const Answer& answer : answers_) {
    if (answer.node == kNone) continue;
    for (const Link& link : answer.page.links) {
      const Node to = link.nofollow ? kNone : node_of(link.url);
      if (to != kNone) links.add(answer.node, to);
    }
  }
  links_ = links.freeze();
}

namespace {

// Breadth-first search from all of `starts`.
std::vector<uint32_t> distances(const Rows& rows, std::span<const HeldWeb::Node> starts) {
  std::vector<uint32_t> distance(rows.nodes(), HeldWeb::kNone);
  std::deque<HeldWeb::Node> queue;
  for (const HeldWeb::Node start : starts) {
    if (distance[start] == 0) continue;
    distance[start] = 0;
    queue.push_back(start);
  }
  while (!queue.empty()) {
    const HeldWeb::Node node = queue.front();
    queue.pop_front();
    for (const HeldWeb::Node next : rows.of(node)) {
      if (distance[next] != HeldWeb::kNone) continue;
      distance[next] = distance[node] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

}  // namespace

std::vector<uint32_t> distances_to(const LinkGraph& links, std::span<const HeldWeb::Node> targets) {
  return distances(links.in(), targets);
}

std::vector<char> reachable_from(const LinkGraph& links, std::span<const HeldWeb::Node> starts) {
  const std::vector<uint32_t> distance = distances(links.out(), starts);
  std::vector<char> reachable(distance.size());
  for (size_t i = 0; i < distance.size(); ++i) reachable[i] = distance[i] != HeldWeb::kNone;
  return reachable;
}

}  // namespace dowser
