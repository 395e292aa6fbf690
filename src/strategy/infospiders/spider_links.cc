#include "strategy/infospiders/spider_links.h"

#include <algorithm>

namespace dowser {

const SpiderLink* SpiderLinks::find(uint64_t fingerprint) const {
  const auto at = links_.find(fingerprint);
  return at == links_.end() ? nullptr : &at->second;
}

void SpiderLinks::put(uint64_t fingerprint, SpiderLink link) {
  links_.insert_or_assign(fingerprint, std::move(link));
}

std::optional<SpiderLink> SpiderLinks::visit(uint64_t fingerprint) {
  visited_.insert(fingerprint);
  const auto at = links_.find(fingerprint);
  if (at == links_.end()) return std::nullopt;
  std::optional<SpiderLink> link = std::move(at->second);
  links_.erase(at);
  return link;
}

void SpiderLinks::trim(List& list, size_t most) {
  if (list.size() <= most + most / 4) return;  // so that it is not sorted for every new link
  std::vector<double> scores;
  for (const uint64_t link : list) scores.push_back(at(link).score);
  std::nth_element(scores.begin(), scores.begin() + static_cast<ptrdiff_t>(most) - 1, scores.end(),
                   std::greater<>());
  const double least = scores[most - 1];
  const auto better = std::count_if(list.begin(), list.end(),
                                    [&](uint64_t link) { return at(link).score > least; });
  size_t equal = most - static_cast<size_t>(better);  // places left for equal ones, oldest first
  std::erase_if(list, [&](uint64_t link) {
    const double score = at(link).score;
    if (score > least) return false;
    if (score == least && equal > 0) {
      --equal;
      return false;
    }
    erase(link);
    return true;
  });
}

void SpiderLinks::save(ByteWriter& out) const {
  std::vector<uint64_t> visited(visited_.begin(), visited_.end());
  std::sort(visited.begin(), visited.end());
  out.number(static_cast<uint64_t>(visited.size()));
  for (const uint64_t v : visited) out.number(v);
}

void SpiderLinks::load(ByteReader& in) {
  for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
    visited_.insert(in.number<uint64_t>());
  }
}

void SpiderLinks::save_list(const List& list, ByteWriter& out) const {
  out.number(static_cast<uint32_t>(list.size()));
  for (const uint64_t fingerprint : list) {
    const SpiderLink& link = at(fingerprint);
    out.number(fingerprint);
    out.text(link.url.href());
    out.number(link.page);
    out.number(link.bonus);
    out.number(link.score);
    out.number(link.owner);
    out.number(static_cast<uint32_t>(link.inputs.size()));
    for (const KeywordInput& in : link.inputs) {
      out.number(in.keyword);
      out.number(in.value);
    }
  }
}

Result<SpiderLinks::List> SpiderLinks::load_list(ByteReader& in) {
  List list;
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    list.push_back(in.number<uint64_t>());
    SpiderLink link;
    const Result<Url> url = Url::parse(in.text());
    if (!url) return Error{"the saved links of the agents hold a broken address"};
    link.url = *url;
    link.page = in.number<double>();
    link.bonus = in.number<double>();
    link.score = in.number<double>();
    link.owner = in.number<uint32_t>();
    for (uint32_t inputs = in.number<uint32_t>(); inputs > 0 && in.ok(); --inputs) {
      const auto keyword = in.number<uint32_t>();
      link.inputs.push_back({keyword, in.number<double>()});
    }
    put(list.back(), std::move(link));
  }
  return list;
}

}  // namespace dowser
