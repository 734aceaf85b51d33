#include "rt/model/elements/road_mark.h"

#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

ModelSpec withMarks(const std::vector<RoadMarkSpec>& marks) {
  ModelSpec spec = sampleModel();
  if (spec.roads.empty()) {
    RoadSpec road;
    road.name = "flat";
    road.up = Vector3d::UnitZ();
    road.along = Vector3d::UnitX();
    spec.roads.push_back(road);
  }
  spec.roads[0].marks = marks;
  return spec;
}

RoadMarkSpec solid() {
  RoadMarkSpec mark;
  mark.points = {0, 1, 10, 1.5, 20, 1};
  return mark;
}

template <typename Change>
ModelSpec changed(Change change) {
  RoadMarkSpec mark = solid();
  change(mark);
  return withMarks({solid(), mark});
}

}  // namespace

TEST_CASE("marks of a road have no part in the model and its hash", "[rt][model]") {
  REQUIRE(checkModel(withMarks({solid()})).empty());
  CHECK(buildModel(withMarks({solid()})).hash == buildModel(withMarks({})).hash);
}

TEST_CASE("each rule of a mark is a finding at the mark", "[rt][model]") {
  const std::string at = "roads[0].marks[1].";
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.points.pop_back(); }), at + "points", "2 or more points");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.points = {0, 1}; }), at + "points", "2 or more points");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.points[4] = 10; }), at + "points[4]",
                         "farther along the road");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.points[1] = std::numeric_limits<double>::quiet_NaN(); }),
                         at + "points[1]", "finite");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.width = 0; }), at + "width", "above zero");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.color = Vector3d(0, 0, 2); }), at + "color", "from 0 to 1");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.dash = -1; }), at + "dash", "not be below zero");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.gap = 3; }), at + "gap", "without dashes");
  TACTUS_REQUIRE_FINDING(changed([](RoadMarkSpec& m) { m.dash = 0.05; }), at + "dash", "0.1 m or more");
  TACTUS_REQUIRE_FINDING(withMarks(std::vector<RoadMarkSpec>(4097, solid())), "roads[0].marks", "at most 4096");
  RoadMarkSpec longest = solid();
  for (int i = 0; i < 200'000; ++i) longest.points.insert(longest.points.end(), {21.0 + i, 0});
  TACTUS_REQUIRE_FINDING(withMarks({longest}), "roads[0].marks", "at most 200000 in all");
}
