#include "server/record/scene_roads.h"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

using namespace tactus;
using namespace tactus::server;

namespace {

/// A road along -y at the height of 2 m.
v1::Road someRoad() {
  v1::Road road;
  for (const double value : {0, 0, 2}) road.add_origin(value);
  for (const double value : {0, 0, 1}) road.add_up(value);
  for (const double value : {0, -1, 0}) road.add_along(value);
  return road;
}

Eigen::Vector3d inWorld(const foxglove::Pose& pose, const Eigen::Vector3d& point) {
  const foxglove::Quaternion& q = pose.orientation();
  return Eigen::Vector3d(pose.position().x(), pose.position().y(), pose.position().z()) +
         Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z()) * point;
}

}  // namespace

TEST_CASE("a plane is a grid of lines in it", "[server][record][scene]") {
  foxglove::SceneEntity entity;
  addRoad(someRoad(), entity);
  REQUIRE(entity.lines_size() == 1);
  const foxglove::LinePrimitive& lines = entity.lines(0);
  CHECK(lines.points_size() == 4 * 41);  // both ways, from -200 m to 200 m, every 10 m
  for (const foxglove::Point3& point : lines.points())
    CHECK(inWorld(lines.pose(), {point.x(), point.y(), point.z()}).z() == Approx(2));
}

TEST_CASE("a half cylinder lies across the road at its place", "[server][record][scene]") {
  v1::Road road = someRoad();
  road.add_half_cylinders()->set_position(5);
  road.mutable_half_cylinders(0)->set_radius(0.25);
  foxglove::SceneEntity entity;
  addRoad(road, entity);
  REQUIRE(entity.cylinders_size() == 1);
  const foxglove::CylinderPrimitive& cylinder = entity.cylinders(0);
  CHECK(cylinder.size().x() == Approx(0.5));
  // Its axis, z, lies along x of the world: across a road along y.
  CHECK((inWorld(cylinder.pose(), Eigen::Vector3d::Zero()) - Eigen::Vector3d(0, -5, 2)).norm() ==
        Approx(0).margin(1e-12));  // rounding
  CHECK(std::abs((inWorld(cylinder.pose(), Eigen::Vector3d::UnitZ()) - Eigen::Vector3d(0, -5, 2)).x()) == Approx(1));
}

TEST_CASE("heights are a surface through their points, thinned out where there are many", "[server][record][scene]") {
  v1::Road road = someRoad();
  v1::SurfaceGrid& grid = *road.mutable_heights();
  grid.set_along(1);
  grid.set_across(-1);
  grid.set_spacing(0.5);
  grid.set_columns(3);
  for (int k = 0; k < 12; ++k) grid.add_values(0.1 * k);
  foxglove::SceneEntity entity;
  addRoad(road, entity);
  REQUIRE(entity.triangles_size() == 1);
  const foxglove::TriangleListPrimitive& surface = entity.triangles(0);
  REQUIRE(surface.points_size() == 12);
  CHECK(surface.indices_size() == 3 * 2 * 2 * 3);  // two triangles for each of 2 by 3 fields
  // The last point: 2.5 m along, 0 m across, 1.1 m up. Along is -y; to the left of it is x.
  const foxglove::Point3& last = surface.points(11);
  const Eigen::Vector3d place = inWorld(surface.pose(), {last.x(), last.y(), last.z()});
  CHECK((place - Eigen::Vector3d(0, -2.5, 3.1)).norm() == Approx(0).margin(1e-12));  // rounding

  grid.set_columns(1000);
  grid.mutable_values()->Resize(1'000 * 500, 0.0);
  foxglove::SceneEntity thinned;
  addRoad(road, thinned);
  CHECK(thinned.triangles(0).points_size() == 251 * 251);  // every fourth across and every second along, and the last

  // A long narrow road keeps its sides and its end.
  grid.set_columns(9);
  grid.mutable_values()->Resize(9 * 2100, 0.0);
  foxglove::SceneEntity narrow;
  addRoad(road, narrow);
  const foxglove::TriangleListPrimitive& strip = narrow.triangles(0);
  REQUIRE(strip.points_size() == 9 * 235);  // every ninth along, and the last
  CHECK(strip.indices_size() == 3 * 2 * 8 * 234);
  CHECK(strip.points(0).y() == Approx(-1));
  CHECK(strip.points(8).y() == Approx(3));
  CHECK(strip.points(strip.points_size() - 1).x() == Approx(1 + 0.5 * 2099));
}

TEST_CASE("marks are strips of their width and color on the surface, dashed where they say so",
          "[server][record][scene]") {
  v1::Road road = someRoad();
  v1::SurfaceGrid& grid = *road.mutable_heights();
  grid.set_across(-5);
  grid.set_spacing(10);
  grid.set_columns(2);
  for (const double height : {0, 0, 1, 1}) grid.add_values(height);
  v1::RoadMark& solid = *road.add_marks();
  for (const double number : {0, 1, 8, 2}) solid.add_points(number);
  solid.set_width(0.2);
  for (const double part : {1.0, 0.8, 0.0}) solid.add_color(part);
  v1::RoadMark& dashed = *road.add_marks();
  for (const double number : {0, -1, 10, -1}) dashed.add_points(number);
  dashed.set_dash(3);
  dashed.set_gap(1.5);
  foxglove::SceneEntity entity;
  addRoad(road, entity);
  REQUIRE(entity.triangles_size() == 3);  // the surface and both marks
  const foxglove::TriangleListPrimitive &strip = entity.triangles(1), &pieces = entity.triangles(2);
  CHECK(strip.color().g() == Approx(0.8));
  CHECK(pieces.color().b() == 1);
  REQUIRE(strip.points_size() == 10);  // pieces of 2 m
  CHECK(strip.indices_size() == 24);
  for (int k = 0; k < 10; ++k) {
    const foxglove::Point3& point = strip.points(k);
    const double way = 2 * (k / 2);
    CHECK(point.x() == Approx(way));
    CHECK(point.y() == Approx(1 + way / 8 + (k % 2 == 0 ? -0.1 : 0.1)));
    CHECK(point.z() == Approx(0.1 * way + 0.01));  // a centimeter above the surface
  }
  // 0 to 3, 4.5 to 7.5, 9 to 10 m: two, two and one pieces of at most 2 m.
  REQUIRE(pieces.points_size() == 16);
  CHECK(pieces.indices_size() == 30);
  CHECK(pieces.points(6).x() == Approx(4.5));
  CHECK(pieces.points(15).x() == Approx(10));
}
