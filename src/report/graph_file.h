#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"

// A graph as a file that other programs open: GraphML (networkx, Gephi, yEd, igraph) or GEXF
// 1.2draft (Gephi, networkx), which may also say when a node or edge was there. It is written as it
// comes, all nodes before all edges, and appears under its name when it is whole.

namespace dowser {

enum class GraphFormat { kGraphMl, kGexf };

struct GraphColumn {
  enum class Type { kText, kReal, kInteger, kBoolean };
  std::string name;
  Type type = Type::kText;
};

// A value of a node or edge; none: it has no such value.
using GraphValue = std::variant<std::monostate, std::string_view, double, int64_t, bool>;

// Days, "2026-11-17": from the first to the last on which it was seen.
struct GraphDays {
  std::string first, last;
};

class GraphFile {
 public:
  struct Columns {
    std::vector<GraphColumn> nodes, edges;
    bool dynamic = false;  // nodes and edges have days; only GEXF writes them
  };

  static Result<GraphFile> create(const std::filesystem::path& path, GraphFormat format,
                                  Columns columns);

  // Values in the order of the columns. Text may be anything: what XML cannot hold becomes U+FFFD.
  Status node(uint64_t id, std::string_view label, std::span<const GraphValue> values,
              const std::optional<GraphDays>& days = {});
  Status edge(uint64_t from, uint64_t to, std::span<const GraphValue> values,
              const std::optional<GraphDays>& days = {});
  Status finish();

 private:
  GraphFile(NewFile file, GraphFormat format, Columns columns)
      : file_(std::move(file)), format_(format), columns_(std::move(columns)) {}
  Status begin();
  Status begin_edges();
  std::string values_of(std::span<const GraphValue> values, const std::vector<GraphColumn>& columns,
                        char prefix) const;

  NewFile file_;
  GraphFormat format_;
  Columns columns_;
  bool in_edges_ = false;
  uint64_t edges_ = 0;
};

}  // namespace dowser
