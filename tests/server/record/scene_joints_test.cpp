#include "server/record/scene_joints.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "server/record/scene_message.h"
#include "server/record/scene_values.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace tactus;
using namespace tactus::server;

namespace {

constexpr double kExact = 1e-12;  // m, rounding

std::map<std::string, foxglove::SceneEntity> entitiesOf(const v1::Model& model) {
  std::map<std::string, foxglove::SceneEntity> found;
  const foxglove::SceneUpdate scene = sceneOf(model, 0);
  for (const foxglove::SceneEntity& entity : scene.entities()) found[entity.id()] = entity;
  return found;
}

template <class Primitive>
Eigen::Vector3d centerOf(const Primitive& primitive) {
  const auto& at = primitive.pose().position();
  return {at.x(), at.y(), at.z()};
}

/// The direction of a cylinder in the frame of its body.
Eigen::Vector3d axisOf(const foxglove::CylinderPrimitive& cylinder) {
  const auto& turn = cylinder.pose().orientation();
  return Eigen::Quaterniond(turn.w(), turn.x(), turn.y(), turn.z()) * Eigen::Vector3d::UnitZ();
}

/// Whether a solid of a list is at a point.
template <class List>
bool hasAt(const List& solids, const Eigen::Vector3d& point) {
  return std::any_of(solids.begin(), solids.end(),
                     [&](const auto& solid) { return (centerOf(solid) - point).norm() < kExact; });
}

}  // namespace

TEST_CASE("each frame of a recorded scene is one that the recording has", "[server][record][scene]") {
  for (const std::string name : {"sedan", "hmmwv", "four_bar", "gear_train", "chain:n=3", "beam_chain:n=4",
                                 "sedan_flexible", "rack_steering", "flexible_four_bar"}) {
    CAPTURE(name);
    const ModelDocument document = openBuiltInModel(name);
    const rt::Model model = rt::buildModel(document.spec);
    const std::set<std::string> frames(model.body_names.begin(), model.body_names.end());
    for (const auto& [id, entity] : entitiesOf(document.message)) {
      CAPTURE(id);
      CHECK((entity.frame_id() == "world" || frames.contains(entity.frame_id())));
    }
  }
}

TEST_CASE("a joint with an axis is a pin along it, and another one a ball", "[server][record][scene]") {
  const ModelDocument bars = openBuiltInModel("four_bar");
  auto entities = entitiesOf(bars.message);
  int pins = 0;
  for (const v1::Joint& joint : bars.message.joints()) {
    if (!joint.has_revolute()) continue;
    const std::string& first = joint.body_1();
    const auto point = scene::vectorOf(joint.revolute().point_1()), axis = scene::vectorOf(joint.revolute().axis_1());
    const auto& pin = std::as_const(entities).at(first).cylinders();
    CHECK(std::any_of(pin.begin(), pin.end(), [&](const foxglove::CylinderPrimitive& cylinder) {
      return (centerOf(cylinder) - point).norm() < kExact && axisOf(cylinder).cross(axis).norm() < kExact;
    }));
    ++pins;
  }
  CHECK(pins > 0);

  const ModelDocument chain = openBuiltInModel("chain:n=3");
  entities = entitiesOf(chain.message);
  for (const v1::Joint& joint : chain.message.joints())
    CHECK(hasAt(entities.at(joint.body_2()).spheres(), scene::vectorOf(joint.spherical().point_2())));
  // A ball that holds a node of a beam is in the frame of the node.
  v1::Model wire = openBuiltInModel("beam_chain:n=4").message;
  v1::Joint& ball = *wire.add_joints();
  ball.set_body_2("wire.4");
  ball.mutable_spherical();
  const foxglove::SceneEntity node = entitiesOf(wire).at("wire.4");
  CHECK(node.frame_id() == "wire.4");
  CHECK(node.spheres_size() == 1);
}

TEST_CASE("gears have the radii of their wheels", "[server][record][scene]") {
  const ModelDocument train = openBuiltInModel("gear_train");
  const auto entities = entitiesOf(train.message);
  int gears = 0;
  for (const v1::Joint& joint : train.message.joints()) {
    if (!joint.has_gear()) continue;
    ++gears;
    const auto& wheels = entities.at(joint.body_2()).cylinders();
    if (!joint.gear().internal())
      CHECK(std::any_of(wheels.begin(), wheels.end(), [&](const foxglove::CylinderPrimitive& wheel) {
        return wheel.size().x() == Approx(2 * joint.gear().radius_2());
      }));
  }
  CHECK(gears > 0);
}

TEST_CASE("a body without shapes is a link between its points, or a box around many", "[server][record][scene]") {
  const ModelDocument chain = openBuiltInModel("chain:n=3");
  // A link of 1 m that two joints hold at its ends: a cylinder as long.
  const foxglove::SceneEntity link = entitiesOf(chain.message).at("link_2");
  REQUIRE(link.cylinders_size() == 1);
  CHECK(link.cylinders(0).size().z() == Approx(1));
  CHECK(link.cubes_size() == 0);
  CHECK(Attachments(chain.message).size() == Approx(0.5));  // m, from the center of a link to its end

  v1::Model bare = openBuiltInModel("sedan").message;
  for (v1::Body& body : *bare.mutable_bodies()) body.clear_visuals();
  const Attachments attachments(bare);
  const foxglove::SceneEntity chassis = entitiesOf(bare).at("chassis");
  REQUIRE(chassis.cubes_size() == 1);
  const foxglove::CubePrimitive& box = chassis.cubes(0);
  CHECK(box.color().a() < 1);
  REQUIRE(attachments.of("chassis").size() >= 5);
  const Eigen::Vector3d half = 0.5 * Eigen::Vector3d(box.size().x(), box.size().y(), box.size().z());
  for (const Eigen::Vector3d& point : attachments.of("chassis"))
    CHECK(((point - centerOf(box)).cwiseAbs().array() < half.array()).all());
}

TEST_CASE("a bushing is a ball at its point, and ground has its joints in the world", "[server][record][scene]") {
  v1::Model model;
  v1::Body& body = *model.add_bodies();
  body.set_name("a");
  body.set_mass(1);
  v1::Force& force = *model.add_forces();
  force.mutable_bushing()->set_body_1("a");
  force.mutable_bushing()->set_body_2("ground");
  for (const double value : {0.1, 0.2, 0.3}) force.mutable_bushing()->add_point_1(value);
  v1::Joint& joint = *model.add_joints();
  joint.set_body_1("a");
  joint.set_body_2("ground");
  for (const double value : {1, 2, 3}) joint.mutable_spherical()->add_point_2(value);
  const auto entities = entitiesOf(model);
  CHECK(hasAt(entities.at("a").spheres(), {0.1, 0.2, 0.3}));
  CHECK(entities.at("ground").frame_id() == "world");
  CHECK(hasAt(entities.at("ground").spheres(), {1, 2, 3}));
}
