// Covers: server/record/scene_message.cpp, server/record/scene_solids.cpp, server/record/scene_solids.h, server/record/scene_values.h
#include "server/record/scene_shapes.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "server/record/scene_message.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::server;

namespace {

double areaOf(std::span<const double> outline, const std::vector<std::uint32_t>& triangles) {
  double sum = 0;
  for (std::size_t k = 0; k < triangles.size(); k += 3) {
    const auto x = [&](std::size_t i) { return outline[2 * triangles[k + i]]; };
    const auto y = [&](std::size_t i) { return outline[2 * triangles[k + i] + 1]; };
    sum += std::abs((x(1) - x(0)) * (y(2) - y(0)) - (y(1) - y(0)) * (x(2) - x(0))) / 2;
  }
  return sum;
}

double volumeOf(const foxglove::TriangleListPrimitive& solid) {
  double sum = 0;
  const auto at = [&](int k) {
    const foxglove::Point3& p = solid.points(static_cast<int>(solid.indices(k)));
    return Eigen::Vector3d(p.x(), p.y(), p.z());
  };
  for (int k = 0; k < solid.indices_size(); k += 3) sum += at(k).cross(at(k + 1)).dot(at(k + 2)) / 6;
  return std::abs(sum);
}

}  // namespace

TEST_CASE("triangles fill a polygon, whichever way round its corners go", "[server][record][scene]") {
  // An L of area 3, with three corners on one line; then the other way round.
  std::vector<double> outline = {0, 0, 1, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
  CHECK(areaOf(outline, trianglesOf(outline)) == Approx(3));
  std::vector<double> back;
  for (std::size_t k = outline.size(); k > 0; k -= 2) back.insert(back.end(), {outline[k - 2], outline[k - 1]});
  CHECK(areaOf(back, trianglesOf(back)) == Approx(3));
  // A star with ten corners, alternately at the radii 1 and 0.4: ten triangles from its center.
  std::vector<double> star;
  for (int k = 0; k < 10; ++k)
    for (const double angle : {k * std::numbers::pi / 5})
      star.insert(star.end(), {(k % 2 ? 0.4 : 1) * std::cos(angle), (k % 2 ? 0.4 : 1) * std::sin(angle)});
  CHECK(areaOf(star, trianglesOf(star)) == Approx(10 * 0.5 * 0.4 * std::sin(std::numbers::pi / 5)));
  CHECK(trianglesOf(std::vector<double>{0, 0, 1, 1, 1, 0, 0, 1}).size() <= 6);  // crossing sides: ends all the same
}

TEST_CASE("prisms and tubes are closed solids of the right volume", "[server][record][scene]") {
  v1::Visual visual;
  for (const double value : {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}) visual.mutable_prism()->add_outline(value);
  visual.mutable_prism()->set_length(0.5);
  foxglove::SceneEntity entity;
  addShape({}, visual, entity);
  CHECK(volumeOf(entity.triangles(0)) == Approx(1.5));
  visual.mutable_tube()->set_outer_radius(0.5);
  visual.mutable_tube()->set_inner_radius(0.25);
  visual.mutable_tube()->set_length(2);
  addShape({}, visual, entity);
  // A polygon of 40 sides has sin(2 pi / 40) / (2 pi / 40) of the area of its circle.
  const double share = std::sin(std::numbers::pi / 20) / (std::numbers::pi / 20);
  CHECK(volumeOf(entity.triangles(1)) == Approx(share * std::numbers::pi * (0.25 - 0.0625) * 2));
}

TEST_CASE("a scene has an entity for each body: its visuals or its tyre", "[server][record][scene]") {
  const ModelDocument document = openBuiltInModel("sedan");
  const foxglove::SceneUpdate scene = sceneOf(document.message, 1'500'000'000);
  REQUIRE(scene.entities_size() == document.message.bodies_size() + document.message.roads_size());
  for (const foxglove::SceneEntity& entity : scene.entities()) {
    if (entity.frame_id() == "world") continue;  // a road
    CAPTURE(entity.id());
    CHECK(entity.frame_id() == entity.id());
    CHECK(entity.frame_locked());
    CHECK(entity.timestamp().seconds() == 1);
    CHECK(entity.timestamp().nanos() == 500'000'000);
    CHECK(entity.cubes_size() + entity.spheres_size() + entity.cylinders_size() + entity.triangles_size() > 0);
  }
  v1::Model bare = document.message;
  for (v1::Body& body : *bare.mutable_bodies()) body.clear_visuals();
  const foxglove::SceneUpdate plain = sceneOf(bare, 0);
  int wheels = 0;
  for (const foxglove::SceneEntity& entity : plain.entities())
    if (entity.id().starts_with("wheel_")) {
      CHECK(entity.cubes_size() == 0);
      REQUIRE(entity.cylinders_size() > 0);
      CHECK(entity.cylinders(0).size().x() == Approx(2 * 0.31).margin(0.1));  // a tyre of a car, m
      ++wheels;
    }
  CHECK(wheels == 4);
}

TEST_CASE("the box of a body has its moments of inertia", "[server][record][scene]") {
  v1::Body body;
  body.set_mass(12);
  body.mutable_inertia()->set_xx(2 * 2 + 3 * 3);
  body.mutable_inertia()->set_yy(1 * 1 + 3 * 3);
  body.mutable_inertia()->set_zz(1 * 1 + 2 * 2);
  CHECK((inertiaBox(body) - Eigen::Vector3d(1, 2, 3)).norm() == Approx(0).margin(1e-12));  // rounding
}

TEST_CASE("frames are the poses of the snapshot", "[server][record][scene]") {
  const rt::Model model = rt::buildModel(openBuiltInModel("double_pendulum").spec);
  rt::Snapshot snapshot(model);
  for (std::size_t i = 0; i < snapshot.state.size(); ++i) snapshot.state[i] = static_cast<double>(i);
  foxglove::FrameTransforms frames;
  for (int round = 0; round < 2; ++round) writeFrames(model, snapshot, 7, frames);
  REQUIRE(frames.transforms_size() == static_cast<int>(model.body_names.size()));
  const foxglove::FrameTransform& second = frames.transforms(1);
  CHECK(second.parent_frame_id() == "world");
  CHECK(second.child_frame_id() == model.body_names[1]);
  CHECK(second.translation().y() == rt::kBodyStride + 1);
  CHECK(second.rotation().w() == rt::kBodyStride + rt::kOffsetP);
  CHECK(second.rotation().z() == rt::kBodyStride + rt::kOffsetP + 3);
}
