#include "rt/model/elements/road.h"

#include "rt/model/directions.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxObstacles = 64;  ///< of a road: every tyre looks at all of them in each tick

}  // namespace

Fields HalfCylinderSpec::fields() {
  static constexpr Field kFields[] = {
      field<&HalfCylinderSpec::position>("position",
                                         "Position of its axis along the road, from the origin of the road.",
                                         {.unit = "m", .range = Range::kFinite}),
      field<&HalfCylinderSpec::radius>("radius", "Radius.", {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

Fields RoadSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RoadSpec::name>("name", "Name of the road.", {.rule = "unique among all named elements"}),
      field<&RoadSpec::description>("description", "Free text."),
      field<&RoadSpec::origin>("origin", "A point of the plane, world frame.", {.unit = "m", .range = Range::kFinite}),
      field<&RoadSpec::up>("up", "Normal of the plane, world frame.",
                           {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&RoadSpec::along>("along", "Direction of the road, world frame; its component in the plane counts.",
                              {.unit = "1", .range = Range::kDirection, .required = true, .rule = "not along up"}),
      field<&RoadSpec::half_cylinders>("half_cylinders", "Obstacles across the road.", {.rule = "at most 64"}),
      field<&RoadSpec::friction>("friction", "Factor on the friction of tyres.",
                                 {.unit = "1", .range = Range::kPositive}),
      field<&RoadSpec::heights>("heights",
                                "Heights above the plane; smooth between the points, constant beyond the grid.",
                                {.unit = "m", .otherwise = "0"}),
      field<&RoadSpec::frictions>("frictions", "Factors on `friction`; linear between the points.",
                                  {.unit = "1", .otherwise = "1", .rule = "no value below zero"}),
      field<&RoadSpec::line>("line", "Line in the plane along which the road runs.",
                             {.otherwise = "straight along `along` from the origin"}),
      field<&RoadSpec::marks>("marks", "Painted lines; they have no part in the motion.",
                              {.rule = "at most 4096, of 200 000 points in all"}),
  };
  return kFields;
}

void check(const RoadSpec& road, const FindingPlace& at) {
  constexpr double kParallel = 0.999;
  const double product = road.up.norm() * road.along.norm();
  if (product > 0 && std::isfinite(product) && std::abs(road.up.dot(road.along)) > kParallel * product)
    at.error(".along", printed(road.along), "must not run along up");
  if (road.half_cylinders.size() > kMaxObstacles)
    at.error(".half_cylinders", std::to_string(road.half_cylinders.size()) + " elements",
             "must be at most " + std::to_string(kMaxObstacles));
  if (road.heights) check(*road.heights, at.within(".heights"));
  if (road.line) check(*road.line, at.within(".line"));
  checkRoadMarks(road.marks, at);
  if (!road.frictions) return;
  check(*road.frictions, at.within(".frictions"));
  const std::vector<double>& factors = road.frictions->values;
  const auto below = std::find_if(factors.begin(), factors.end(), [](double factor) { return factor < 0; });
  if (below != factors.end())
    at.error('.' + element("frictions.values", static_cast<std::size_t>(below - factors.begin())), printed(*below),
             "must not be below zero");
}

Road makeRoad(const RoadSpec& spec) {
  Road road{spec.origin, unitVector(spec.up), unitVector(spec.along), {}, spec.friction, {}, {}, {}};
  road.along = unitVector<Vector3d>(road.along - road.along.dot(road.up) * road.up);
  for (const HalfCylinderSpec& bump : spec.half_cylinders) road.half_cylinders.push_back({bump.position, bump.radius});
  if (spec.heights) road.heights = makeGrid(*spec.heights);
  if (spec.frictions) road.frictions = makeGrid(*spec.frictions);
  if (spec.line) road.line = makeRoadLine(*spec.line);
  return road;
}

}  // namespace tactus::rt
