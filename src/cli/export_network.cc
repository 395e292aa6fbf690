#include <fmt/format.h>

#include "cli/export.h"
#include "report/graph_file.h"
#include "run/link_network.h"

namespace dowser {
namespace {

using Type = GraphColumn::Type;

Status write_network(const LinkNetwork& network, const std::string& to, GraphFormat format,
                     bool dynamic) {
  auto file = GraphFile::create(
      to, format,
      {{{"url", Type::kText},
        {"host", Type::kText},
        {"relevance", Type::kReal},
        {"relevant", Type::kBoolean},
        {"cluster", Type::kInteger}},
       {{"count", Type::kInteger}, {"weight", Type::kReal}, {"similarity", Type::kReal}},
       dynamic});
  if (!file) return file.error();
  const auto days = [&](const auto& x) {
    return dynamic ? std::optional<GraphDays>({x.first, x.last}) : std::nullopt;
  };
  for (size_t i = 0; i < network.nodes.size(); ++i) {
    const NetworkNode& n = network.nodes[i];
    const GraphValue cluster = n.cluster > 0 ? GraphValue(n.cluster) : GraphValue();
    const GraphValue values[] = {std::string_view(n.url), std::string_view(n.host), n.relevance,
                                 n.relevant, cluster};
    if (Status s = file->node(i, n.title.empty() ? n.url : n.title, values, days(n)); !s) return s;
  }
  for (const NetworkEdge& e : network.edges) {
    const GraphValue similarity = e.similarity ? GraphValue(*e.similarity) : GraphValue();
    const GraphValue values[] = {e.count, e.weight, similarity};
    if (Status s = file->edge(e.from, e.to, values, days(e)); !s) return s;
  }
  return file->finish();
}

}  // namespace

int export_network(const std::vector<std::string>& folders, const std::string& format,
                   const std::string& to, bool all) {
  if (to.empty()) {
    return fail("export", Error{fmt::format("say where to write the {} with --to FILE", format)},
                kUsage);
  }
  const auto network = read_link_network({folders.begin(), folders.end()}, all);
  if (!network) return fail("export", network.error());
  const bool is_gexf = format == "gexf";
  if (Status s = write_network(*network, to, is_gexf ? GraphFormat::kGexf : GraphFormat::kGraphMl,
                               is_gexf && folders.size() > 1);
      !s) {
    return fail("export", s.error());
  }
  fmt::print("{} pages and {} links: {}\n", network->nodes.size(), network->edges.size(), to);
  return kDone;
}

}  // namespace dowser
