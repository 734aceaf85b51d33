#include "server/record/scene_lines.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "server/record/scene_values.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

using namespace tactus;
using namespace tactus::server;

namespace {

/// All bodies at the places of the declared state, as their declaration says it.
rt::Snapshot declaredState(const rt::Model& model) {
  rt::Snapshot snapshot(model);
  const rt::InitialCondition& declared = model.initial_conditions.front();
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    double* body = snapshot.state.data() + rt::kBodyStride * static_cast<std::ptrdiff_t>(i);
    Eigen::Map<Eigen::Vector3d>(body + rt::kOffsetR) = declared.position[i];
    Eigen::Map<Eigen::Vector4d>(body + rt::kOffsetP) = declared.orientation[i];
  }
  return snapshot;
}

Eigen::Vector3d pointOf(const foxglove::LinePrimitive& line, int k) {
  return {line.points(k).x(), line.points(k).y(), line.points(k).z()};
}

struct Drawn {
  ModelDocument document;
  rt::Model model;
  foxglove::SceneUpdate update;
  std::map<std::string, foxglove::LinePrimitive> lines, rods_inside;  // the first line of an entity, and the second

  explicit Drawn(const std::string& name) : document(openBuiltInModel(name)), model(rt::buildModel(document.spec)) {
    const SceneLines lines_of_model(document.message, model);
    // Twice: what is there is overwritten.
    for (int round = 0; round < 2; ++round) lines_of_model.write(declaredState(model), 1'500'000'000, update);
    for (const foxglove::SceneEntity& entity : update.entities()) {
      CHECK(entity.frame_id() == "world");
      CHECK(entity.timestamp().seconds() == 1);
      REQUIRE((entity.lines_size() == 1 || entity.lines_size() == 2));
      lines[entity.id()] = entity.lines(0);
      if (entity.lines_size() == 2) rods_inside[entity.id()] = entity.lines(1);
    }
  }
};

}  // namespace

TEST_CASE("the struts of the car are rods in coils between their ends", "[server][record][scene]") {
  Drawn drawn("sedan");
  int springs = 0;
  for (const v1::Composite& composite : drawn.document.message.composites()) {
    if (!composite.has_strut()) continue;
    ++springs;
    CAPTURE(composite.name());
    REQUIRE(drawn.lines.contains(composite.name()));
    const foxglove::LinePrimitive& coil = drawn.lines[composite.name()];
    CHECK(coil.points_size() > 20);
    const rt::Snapshot state = declaredState(drawn.model);
    const v1::Strut& spring = composite.strut();
    const auto placeOf = [&](const std::string& body, const auto& point) {
      const auto at = std::find(drawn.model.body_names.begin(), drawn.model.body_names.end(), body);
      const Eigen::Vector3d local(point[0], point[1], point[2]);
      if (at == drawn.model.body_names.end()) return local;
      const auto i = static_cast<std::size_t>(at - drawn.model.body_names.begin());
      const rt::InitialCondition& declared = drawn.model.initial_conditions.front();
      const Eigen::Vector4d p = declared.orientation[i];
      return Eigen::Vector3d(declared.position[i] + Eigen::Quaterniond(p[0], p[1], p[2], p[3]) * local);
    };
    const Eigen::Vector3d from = placeOf(spring.body_1(), spring.point_1());
    const Eigen::Vector3d to = placeOf(spring.body_2(), spring.point_2());
    CHECK((pointOf(coil, 0) - from).norm() == Approx(0).margin(1e-12));                     // rounding
    CHECK((pointOf(coil, coil.points_size() - 1) - to).norm() == Approx(0).margin(1e-12));  // rounding
    REQUIRE(drawn.rods_inside.contains(composite.name()));
    const foxglove::LinePrimitive& rod = drawn.rods_inside[composite.name()];
    REQUIRE(rod.points_size() == 2);
    CHECK((pointOf(rod, 0) - from).norm() == Approx(0).margin(1e-12));  // rounding
    CHECK((pointOf(rod, 1) - to).norm() == Approx(0).margin(1e-12));    // rounding
    CHECK(rod.thickness() > coil.thickness());
    // The turns of a coil are about its line, at no more than 0.12 of its length.
    const Eigen::Vector3d axis = (to - from).normalized();
    for (int k = 1; k + 1 < coil.points_size(); ++k) {
      const double away = (pointOf(coil, k) - from).cross(axis).norm();
      CHECK(away > 0);
      CHECK(away <= 0.12 * (to - from).norm() * (1 + 1e-9));  // rounding
    }
  }
  CHECK(springs == 4);
}

TEST_CASE("a beam is a line through its nodes, of which ground holds the first one", "[server][record][scene]") {
  Drawn drawn("cantilever:n=8");
  REQUIRE(drawn.lines.size() == 1);
  const auto& [name, beam] = *drawn.lines.begin();
  REQUIRE(beam.points_size() == 9);
  // 1 m, cut into eight equal elements.
  // The last node lies where its mass is: within its half of an element.
  for (int k = 1; k < 9; ++k)
    CHECK((pointOf(beam, k) - pointOf(beam, 0)).norm() == Approx(k / 8.0).margin(k == 8 ? 1.0 / 16 : 1e-12));
}

TEST_CASE("rods hold their points, and a model without such elements has no lines", "[server][record][scene]") {
  Drawn drawn("spatial_pendulum");
  REQUIRE(drawn.lines.size() == 1);
  const foxglove::LinePrimitive& rod = drawn.lines.begin()->second;
  REQUIRE(rod.points_size() == 2);
  CHECK((pointOf(rod, 1) - pointOf(rod, 0)).norm() == Approx(0.08));  // 80 mm

  const ModelDocument chain = openBuiltInModel("chain:n=3");
  CHECK(SceneLines(chain.message, rt::buildModel(chain.spec)).empty());
}

TEST_CASE("an elastic body is rods from its mean body to its interfaces", "[server][record][scene]") {
  Drawn drawn("sedan_flexible");
  int rods = 0;
  for (const v1::Composite& composite : drawn.document.message.composites()) {
    if (!composite.has_modal_body()) continue;
    for (const v1::ModalInterface& interface : composite.modal_body().interfaces()) {
      const std::string end = composite.name() + "." + interface.name();
      CAPTURE(end);
      REQUIRE(drawn.lines.contains(end));
      REQUIRE(drawn.lines[end].points_size() == 2);
      // m; the points are from the origin of the body, the mean body is at the center of all its masses.
      const double length = (pointOf(drawn.lines[end], 1) - pointOf(drawn.lines[end], 0)).norm();
      CHECK(length == Approx(scene::vectorOf(interface.point()).norm()).epsilon(0).margin(0.02));
      ++rods;
    }
  }
  CHECK(rods > 0);
}
