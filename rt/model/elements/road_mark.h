// A painted line on a road, for pictures alone: it has no part in the motion nor in the model hash.
#pragma once

#include "rt/model/elements/element.h"

#include <optional>
#include <vector>

namespace tactus::rt {

struct RoadMarkSpec {
  std::vector<double> points;     ///< way along the road and position to its left, point by point, m
  double width = 0.12;            ///< m
  std::optional<Vector3d> color;  ///< red, green, blue
  double dash = 0, gap = 0;       ///< lengths of the painted pieces and between them, m; 0: no gaps

  static Fields fields();
};

/// The rules on the list of a road; `at` is the road.
void checkRoadMarks(const std::vector<RoadMarkSpec>& marks, const FindingPlace& at);

}  // namespace tactus::rt
