#include "store/layer_links.h"

#include "store/catalogue_error.h"
#include "store/database.h"

namespace dowser {
namespace {

constexpr char kLayerLinks[] = R"sql(
WITH layers AS MATERIALIZED (
  SELECT page, MAX(CASE WHEN parts LIKE '%layer=1%' THEN 1 WHEN parts LIKE '%layer=2%' THEN 2
                        ELSE 0 END) AS layer
  FROM links WHERE won AND parts LIKE '%layer=%' GROUP BY page)
SELECT COALESCE(links.anchor, ''), COALESCE(source.language, ''), before.layer,
  CASE WHEN target.relevant_at_fetch THEN 1 ELSE after.layer END
FROM pages AS target
  JOIN pages AS source ON source.id = target.parent
  JOIN links ON links.page = target.parent AND links.position = target.parent_link
  JOIN layers AS before ON before.page = target.parent
  LEFT JOIN layers AS after ON after.page = target.id
WHERE target.status BETWEEN 200 AND 299 ORDER BY target.id
)sql";

}  // namespace

Status for_each_layer_link(const std::filesystem::path& catalogue,
                           const std::function<void(const LayerLink&)>& use) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return see_check(database.error(), catalogue);
  Result<Statement> rows = database->prepare(kLayerLinks);
  if (!rows) return see_check(rows.error(), catalogue);
  return rows->for_each([&](const Statement& row) {
    LayerLink link{row.text(0), row.text(1), static_cast<uint32_t>(row.integer(2)), {}};
    if (!row.is_null(3)) link.to = static_cast<uint32_t>(row.integer(3));
    use(link);
  });
}

}  // namespace dowser
