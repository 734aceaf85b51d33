// The marks of a lane of OpenDRIVE: painted lines along its outer edge, for pictures alone.
#pragma once

#include "server/import/xml_tree.h"

#include <Eigen/Core>

#include <vector>

namespace tactus::server {

/// A painted line along the outer edge of a lane, or along the middle of the road.
struct LaneMark {
  double from = 0;           ///< way in the section; up to the next mark of its lane, m
  double beside = 0;         ///< outwards of the edge, m
  double width = 0;          ///< m; 0: nothing is painted
  double dash = 0, gap = 0;  ///< m
  Eigen::Vector3d color = Eigen::Vector3d::Ones();

  bool looksLike(const LaneMark& other) const {
    return width == other.width && dash == other.dash && gap == other.gap && color == other.color;
  }
};

/// The <roadMark> of a lane by rising `from`; several from one place on lie side by side. Errors go to the report.
std::vector<LaneMark> readLaneMarks(const XmlNode& lane);

}  // namespace tactus::server
