#include "report/topics_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/csv.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kEvidence = 20;  // items of a topic

std::string count_text(const std::optional<uint64_t>& count) {
  return count ? fmt::to_string(*count) : "?";
}

std::string_view plural(size_t n) { return n == 1 ? "" : "s"; }

// Phrases are cut by characters, so that columns stay in line.
std::string column(const std::string& text, size_t width) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) == 0x80) continue;
    if (characters++ == width - 1 && i + 1 < text.size()) return text.substr(0, i) + "…";
  }
  return text + std::string(width - characters, ' ');
}

std::string p_text(const std::optional<Chance>& chance) {
  if (!chance) return "";
  if (chance->p_value < 1e-99) return "<1e-99";
  return fmt::format("{:.2g}", chance->p_value);
}

void add_rows(const TopicsFound& found, TopicType type, size_t most, std::string& text) {
  const size_t all = found.of_type(type);
  if (all == 0) return;
  static constexpr const char* kTitles[] = {"Type I, sub-topics", "Type II, hardly related",
                                            "Type III, more general, or of unknown frequency"};
  text += fmt::format("\n{} ({})\n", kTitles[static_cast<int>(type)], all);
  text += fmt::format("  {} {:>7} {:>8} {:>7} {:>8} {:>8}\n", column("", 35), "support", "n(CP)",
                      "n(both)", "S1", found.collection ? "p" : "");
  size_t shown = 0;
  for (const ScoredTopic& topic : found.topics) {
    if (topic.type != type) continue;
    if (shown++ == most) break;
    text += fmt::format("{} {} {:>7} {:>8} {:>7} {:>8.4f} {:>8}\n",
                        topic.candidate.starred ? "*" : " ", column(topic.candidate.phrase, 35),
                        topic.candidate.support, count_text(topic.counts.candidate),
                        count_text(topic.counts.both), topic.scores.s1, p_text(topic.chance));
  }
  if (all > most) text += fmt::format("  and {} more: --all, --csv or --html\n", all - most);
}

std::string about(const TopicsFound& found) {
  std::string text = fmt::format("{}: {} pages", found.keyword, found.usable);
  if (found.noisy > 0) text += fmt::format(" ({} noisy)", found.noisy);
  if (found.repeated > 0) text += fmt::format(" ({} near duplicates)", found.repeated);
  text += fmt::format(", {} lists, {} items, {} candidate{}\n", found.items.lists,
                      found.items.items.size(), found.topics.size(), plural(found.topics.size()));
  if (found.collection) {
    text += fmt::format("counts: {}, {} of {} pages contain the keyword\n", found.counts,
                        count_text(found.keyword_count), *found.collection);
  } else {
    text += fmt::format("counts: {}, {} pages contain the keyword\n", found.counts,
                        count_text(found.keyword_count));
  }
  return text;
}

Json json_count(const std::optional<uint64_t>& count) { return count ? Json(*count) : Json(); }

Json evidence_json(const TopicsFound& found, const TopicCandidate& candidate) {
  Json list = Json::array();
  for (const uint32_t number : candidate.items) {
    if (list.size() == kEvidence) break;
    const ListItem& item = found.items.items[number];
    const ItemPage& page = found.items.pages[item.page];
    list.push_back({{"url", page.url},
                    {"title", page.title},
                    {"heading", found.items.headings[item.heading]},
                    {"item", item.text},
                    {"starred", item.starred}});
  }
  return list;
}

Json topic_json(const TopicsFound& found, const ScoredTopic& topic) {
  Json json = {{"phrase", topic.candidate.phrase},
               {"type", name_of(topic.type)},
               {"starred", topic.candidate.starred},
               {"support", topic.candidate.support},
               {"n_candidate", json_count(topic.counts.candidate)},
               {"n_both", json_count(topic.counts.both)},
               {"s1", topic.scores.s1},
               {"s2", topic.scores.s2},
               {"s3", topic.scores.s3},
               {"s4", topic.scores.s4},
               {"s5", topic.scores.s5},
               {"s6", topic.scores.s6}};
  if (topic.chance) {
    json["expected"] = topic.chance->expected;
    json["expected_by_host"] = topic.chance->by_host;
    json["p"] = topic.chance->p_value;
  }
  json["evidence"] = evidence_json(found, topic.candidate);
  return json;
}

Json found_json(const TopicsFound& found) {
  Json topics = Json::array(), left_out = Json::object();
  for (const ScoredTopic& topic : found.topics) topics.push_back(topic_json(found, topic));
  for (int i = 1; i < kItemFaults; ++i) {
    left_out[std::string(name_of(static_cast<ItemFault>(i)))] =
        found.items.faults[static_cast<size_t>(i)];
  }
  left_out["template"] = found.items.in_templates;
  left_out["candidates that are rows of forms"] = found.rows;
  left_out["candidates that are parts of items"] = found.parts;
  left_out["candidates that are names"] = found.names;
  return {{"keyword", found.keyword},
          {"search", found.search},
          {"counts", found.counts},
          {"collection", json_count(found.collection)},
          {"n_keyword", json_count(found.keyword_count)},
          {"pages", found.usable},
          {"failed", found.failed},
          {"noisy", found.noisy},
          {"repeated", found.repeated},
          {"lists", found.items.lists},
          {"items", found.items.items.size()},
          {"items_left_out", left_out},
          {"tested", found.candidates_tested},
          {"topics", topics},
          {"warnings", found.warnings}};
}

}  // namespace

std::string topics_text(const TopicMap& map, size_t rows) {
  std::string text;
  for (const TopicsFound& found : map.found) {
    if (!text.empty()) text += "\n";
    text += about(found);
    add_rows(found, TopicType::kOne, found.topics.size(), text);
    add_rows(found, TopicType::kTwo, rows, text);
    add_rows(found, TopicType::kThree, rows, text);
  }
  if (map.budget_is_spent) {
    text += "\nThe budget of keywords is used up: look up more of them with --budget N.\n";
  }
  return text;
}

std::string topics_json(const TopicMap& map) {
  Json found = Json::array(), nodes = Json::array(), edges = Json::array();
  for (const TopicsFound& one : map.found) found.push_back(found_json(one));
  for (const TopicMap::Node& node : map.nodes) {
    nodes.push_back(
        {{"phrase", node.phrase}, {"depth", node.depth}, {"looked_up", node.found.has_value()}});
  }
  for (const TopicMap::Edge& edge : map.edges) {
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"s1", edge.s1}});
  }
  const Json all = {{"keywords", found},
                    {"map", {{"nodes", nodes}, {"edges", edges}}},
                    {"budget_is_spent", map.budget_is_spent}};
  return printable_json(all.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string topics_csv(const TopicMap& map) {
  std::string text =
      "keyword,phrase,type,starred,support,n_keyword,n_candidate,n_both,s1,s2,s3,s4,s5,s6,"
      "expected,expected_by_host,p\n";
  const auto count = [](const std::optional<uint64_t>& n) {
    return n ? fmt::to_string(*n) : std::string();
  };
  for (const TopicsFound& found : map.found) {
    for (const ScoredTopic& topic : found.topics) {
      const TopicScores& s = topic.scores;
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g}",
                      csv_field(found.keyword), csv_field(topic.candidate.phrase),
                      name_of(topic.type), topic.candidate.starred ? 1 : 0, topic.candidate.support,
                      count(topic.counts.keyword), count(topic.counts.candidate),
                      count(topic.counts.both), s.s1, s.s2, s.s3, s.s4, s.s5, s.s6);
      text += topic.chance ? fmt::format(",{:.6g},{:.6g},{:.6g}\n", topic.chance->expected,
                                         topic.chance->by_host, topic.chance->p_value)
                           : ",,,\n";
    }
  }
  return text;
}

}  // namespace dowser
