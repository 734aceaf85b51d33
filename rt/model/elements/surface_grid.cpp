#include "rt/model/elements/surface_grid.h"

#include "rt/model/rules.h"

#include <string>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxGridValues = 500'000;

}  // namespace

Fields SurfaceGridSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SurfaceGridSpec::along>("along",
                                     "Position of the first point along the road, from the origin of the road.",
                                     {.unit = "m", .range = Range::kFinite}),
      field<&SurfaceGridSpec::across>("across", "Position of the first point to the left of the origin of the road.",
                                      {.unit = "m", .range = Range::kFinite}),
      field<&SurfaceGridSpec::spacing>("spacing", "Distance between points along the road.",
                                       {.unit = "m", .range = Range::kPositive}),
      field<&SurfaceGridSpec::columns>("columns", "Points across the road.", {.rule = "2 or more"}),
      field<&SurfaceGridSpec::values>("values", "One row after the other along the road, each from right to left.",
                                      {.unit = "m or 1", .rule = "2 or more whole rows, at most 500 000 numbers"}),
      field<&SurfaceGridSpec::across_spacing>("across_spacing", "Distance between points across the road.",
                                              {.unit = "m", .range = Range::kPositive, .otherwise = "spacing"}),
  };
  return kFields;
}

void check(const SurfaceGridSpec& grid, const FindingPlace& at) {
  const std::size_t count = grid.values.size();
  if (grid.columns < 2) return at.error(".columns", std::to_string(grid.columns), "must be 2 or more");
  const auto columns = static_cast<std::size_t>(grid.columns);
  if (count % columns != 0 || count / columns < 2 || count > kMaxGridValues)
    at.error(".values", std::to_string(count) + " numbers",
             "must be 2 or more whole rows of " + std::to_string(columns) + ", at most 500 000 numbers");
  const std::string values = at.path + ".values";
  for (std::size_t i = 0; i < count; ++i)
    if (!requireFinite(element(values.c_str(), i), grid.values[i], at.out)) return;
}

SurfaceGrid makeGrid(const SurfaceGridSpec& spec) {
  const int rows = static_cast<int>(spec.values.size()) / spec.columns;
  return {spec.along, spec.across, spec.spacing, rows, spec.columns, spec.values, spec.across_spacing.value_or(0)};
}

}  // namespace tactus::rt
