#include "report/graph_file.h"

#include <fmt/format.h>

#include <cmath>

#include "base/xml_writer.h"

namespace dowser {
namespace {

using Type = GraphColumn::Type;

// The name of a type; GraphML and GEXF agree on all of these.
std::string_view name_of(Type type) {
  switch (type) {
    case Type::kText:
      return "string";
    case Type::kReal:
      return "double";
    case Type::kInteger:
      return "long";
    case Type::kBoolean:
      return "boolean";
  }
  return "string";
}

std::string text_of(const GraphValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return xml_text(*text);
  // XML Schema writes these so; "inf" would not be read by all.
  if (const auto* real = std::get_if<double>(&value)) {
    if (std::isnan(*real)) return "NaN";
    if (std::isinf(*real)) return *real > 0 ? "INF" : "-INF";
    return fmt::format("{}", *real);
  }
  if (const auto* integer = std::get_if<int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  return "";
}

std::string days_of(const std::optional<GraphDays>& days) {
  if (!days) return "";
  return fmt::format(" start=\"{}\" end=\"{}\"", xml_text(days->first), xml_text(days->last));
}

}  // namespace

Result<GraphFile> GraphFile::create(const std::filesystem::path& path, GraphFormat format,
                                    Columns columns) {
  Result<NewFile> file = NewFile::create(path);
  if (!file) return file.error();
  GraphFile graph(std::move(*file), format, std::move(columns));
  if (Status s = graph.begin(); !s) return s.error();
  return graph;
}

Status GraphFile::begin() {
  const bool graphml = format_ == GraphFormat::kGraphMl;
  std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  head += graphml ? "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                  : fmt::format(
                        "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
                        "<graph defaultedgetype=\"directed\"{}>\n",
                        columns_.dynamic ? " mode=\"dynamic\" timeformat=\"date\"" : "");
  for (const bool nodes : {true, false}) {
    const std::vector<GraphColumn>& columns = nodes ? columns_.nodes : columns_.edges;
    const std::string_view whose = nodes ? "node" : "edge";
    if (!graphml) head += fmt::format("<attributes class=\"{}\">\n", whose);
    for (size_t i = 0; i < columns.size(); ++i) {
      head += fmt::format(
          fmt::runtime(
              graphml ? "<key id=\"{0}{1}\" for=\"{2}\" attr.name=\"{3}\" attr.type=\"{4}\"/>\n"
                      : "<attribute id=\"{0}{1}\" title=\"{3}\" type=\"{4}\"/>\n"),
          whose.front(), i, whose, xml_text(columns[i].name), name_of(columns[i].type));
    }
    if (!graphml) head += "</attributes>\n";
  }
  head += graphml ? "<key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
                    "<graph edgedefault=\"directed\">\n"
                  : "<nodes>\n";
  return file_.append(head);
}

std::string GraphFile::values_of(std::span<const GraphValue> values,
                                 const std::vector<GraphColumn>& columns, char prefix) const {
  std::string all;
  for (size_t i = 0; i < values.size() && i < columns.size(); ++i) {
    if (std::holds_alternative<std::monostate>(values[i])) continue;
    const std::string text = text_of(values[i]);
    all += format_ == GraphFormat::kGraphMl
               ? fmt::format("<data key=\"{}{}\">{}</data>", prefix, i, text)
               : fmt::format("<attvalue for=\"{}{}\" value=\"{}\"/>", prefix, i, text);
  }
  if (format_ == GraphFormat::kGraphMl || all.empty()) return all;
  return "<attvalues>" + all + "</attvalues>";
}

Status GraphFile::node(uint64_t id, std::string_view label, std::span<const GraphValue> values,
                       const std::optional<GraphDays>& days) {
  const std::string inside = values_of(values, columns_.nodes, 'n');
  if (format_ == GraphFormat::kGraphMl) {
    return file_.append(fmt::format("<node id=\"{}\">{}<data key=\"label\">{}</data></node>\n", id,
                                    inside, xml_text(label)));
  }
  return file_.append(fmt::format("<node id=\"{}\" label=\"{}\"{}>{}</node>\n", id, xml_text(label),
                                  days_of(days), inside));
}

Status GraphFile::begin_edges() {
  in_edges_ = true;
  return file_.append(format_ == GraphFormat::kGraphMl ? "" : "</nodes>\n<edges>\n");
}

Status GraphFile::edge(uint64_t from, uint64_t to, std::span<const GraphValue> values,
                       const std::optional<GraphDays>& days) {
  if (!in_edges_) {
    if (Status s = begin_edges(); !s) return s;
  }
  const std::string inside = values_of(values, columns_.edges, 'e');
  if (format_ == GraphFormat::kGraphMl) {
    return file_.append(
        fmt::format("<edge source=\"{}\" target=\"{}\">{}</edge>\n", from, to, inside));
  }
  // Gephi reads a weight from the edge itself, not from its values.
  std::string weight;
  for (size_t i = 0; i < values.size() && i < columns_.edges.size(); ++i) {
    if (columns_.edges[i].name == "weight") weight = " weight=\"" + text_of(values[i]) + "\"";
  }
  return file_.append(fmt::format("<edge id=\"{}\" source=\"{}\" target=\"{}\"{}{}>{}</edge>\n",
                                  edges_++, from, to, weight, days_of(days), inside));
}

Status GraphFile::finish() {
  if (!in_edges_) {
    if (Status s = begin_edges(); !s) return s;
  }
  if (Status s = file_.append(format_ == GraphFormat::kGraphMl ? "</graph>\n</graphml>\n"
                                                               : "</edges>\n</graph>\n</gexf>\n");
      !s) {
    return s;
  }
  return file_.finish();
}

}  // namespace dowser
