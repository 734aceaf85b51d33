// A road: a plane, fixed in the world, with obstacles across it and a surface upon it, straight or along a line.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/elements/road_line.h"
#include "rt/model/elements/road_mark.h"
#include "rt/model/elements/surface_grid.h"

#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

/// Half a cylinder that lies across a road.
struct HalfCylinderSpec {
  double position = 0;  ///< of its axis along the road, m from the origin
  double radius = 0;    ///< m

  static Fields fields();
};

struct RoadSpec {
  std::string name;
  std::string description;
  Vector3d origin = Vector3d::Zero();  ///< a point of the plane, m
  Vector3d up = Vector3d::Zero();      ///< normal of the plane
  Vector3d along = Vector3d::Zero();   ///< direction in which the road runs; its part in the plane counts
  std::vector<HalfCylinderSpec> half_cylinders;
  double friction = 1;                       ///< factor on the friction of tyres
  std::optional<SurfaceGridSpec> heights;    ///< above the plane, m
  std::optional<SurfaceGridSpec> frictions;  ///< factors on `friction`
  std::optional<RoadLineSpec> line;          ///< along which the road runs; default: straight along `along`
  std::vector<RoadMarkSpec> marks = {};      ///< for pictures only

  static Fields fields();
};

struct HalfCylinder {
  double position, radius;  ///< m

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(position, radius);
  }
};

/// A plane with obstacles across it and a surface upon it, world axes.
struct Road {
  Vector3d origin, up, along;  ///< a point; unit vectors, perpendicular
  std::vector<HalfCylinder> half_cylinders;
  double friction = 1;
  SurfaceGrid heights, frictions;
  RoadLine line;  ///< empty: straight

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(origin, up, along);
    visit.structure(half_cylinders);
    visit.numbers(friction);
    heights.constants(visit);
    frictions.constants(visit);
    line.constants(visit);
  }
};

void check(const RoadSpec& road, const FindingPlace& at);
Road makeRoad(const RoadSpec& spec);

}  // namespace tactus::rt
