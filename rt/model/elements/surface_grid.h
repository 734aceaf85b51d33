// Values over a rectangle of a road.
#pragma once

#include "rt/model/elements/element.h"

#include <optional>
#include <vector>

namespace tactus::rt {

/// Values row by row along the road.
struct SurfaceGridSpec {
  double along = 0, across = 0;  ///< of the first point, m from the origin of the road; across counts to the left
  double spacing = 0;            ///< m along the road
  int columns = 0;               ///< points across
  std::vector<double> values;    ///< rows * columns
  std::optional<double> across_spacing = std::nullopt;  ///< m, across the road; default: spacing

  static Fields fields();
};

/// Empty if the road has none.
struct SurfaceGrid {
  double along = 0, across = 0, spacing = 1;  ///< first point and spacing, m
  int rows = 0, columns = 0;
  std::vector<double> values;
  double across_spacing = 0;  ///< m; 0: as spacing

  double acrossSpacing() const noexcept { return across_spacing > 0 ? across_spacing : spacing; }

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(along, across, spacing);
    visit.structure(rows, columns);
    visit.numbers(values);
    if (across_spacing > 0) visit.numbers(across_spacing);
  }
};

void check(const SurfaceGridSpec& grid, const FindingPlace& at);
SurfaceGrid makeGrid(const SurfaceGridSpec& spec);

}  // namespace tactus::rt
