// The axis of a beam without load, cut into elements.
#pragma once

#include "rt/model/elements/element.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <vector>

namespace tactus::rt {

/// How the axis of a beam runs through its points.
enum class BeamCurve {
  kPolyline,  ///< straight from point to point
  kSpline     ///< rt::ChordalSpline: cubic, with continuous tangent and curvature
};
template <>
struct ChoiceOf<BeamCurve> {
  static constexpr int kCount = 2, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

struct BeamPointSpec {
  Vector3d position = Vector3d::Zero();  ///< world, m
  double twist = 0;                      ///< of the section about the axis of the beam, rad

  static Fields fields();
};

/// Turn of the axis at a point from which a polyline has a corner there, rad.
inline constexpr double kBeamCorner = 1.0;

/// 0 to pi, rad.
inline double angleBetween(const Vector3d& a, const Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Nodes at equal distances along the axis, and the tangents of each element at its two ends. Where the axis has no
/// corner, the elements beside a node have one tangent there. Lengths in m along the axis, angles in rad.
struct BeamShape {
  double spacing = 0;          ///< of the nodes along the curve
  std::vector<double> places;  ///< of the points, from the first
  std::vector<Vector3d> nodes, chords;
  std::vector<double> lengths;                    ///< of elements: of a polyline along the arc that their tangents make
  std::vector<std::array<Vector3d, 2>> tangents;  ///< of elements, at their ends
  std::vector<double> twists;                     ///< of nodes, linear between points
  std::vector<double> turns;                      ///< of a polyline at each node, of a spline in the element before it

  /// @param points    at least two, each apart from the one before
  /// @param elements  at least one
  BeamShape(const std::vector<BeamPointSpec>& points, BeamCurve curve, int elements);

 private:
  void followPolyline(const std::vector<BeamPointSpec>& points, int elements);
  void followSpline(const std::vector<BeamPointSpec>& points, int elements);
};

}  // namespace tactus::rt
