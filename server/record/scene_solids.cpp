#include "server/record/scene_solids.h"

#include "rt/math/shortest_rotation.h"
#include "server/record/scene_values.h"

namespace tactus::server::scene {
namespace {

/// @param size  of the bounding box
template <typename Primitive>
Primitive& put(Primitive& primitive, const Place& place, const Eigen::Vector3d& size) {
  set(*primitive.mutable_pose(), place.position, place.turn);
  set(*primitive.mutable_size(), size);
  *primitive.mutable_color() = place.color;
  return primitive;
}

}  // namespace

foxglove::Color grey(double level) {
  foxglove::Color color;
  set(color, level, level, level);
  return color;
}

void addBox(const Place& place, const Eigen::Vector3d& sides, foxglove::SceneEntity& entity) {
  put(*entity.add_cubes(), place, sides);
}

void addSphere(const Place& place, double radius, foxglove::SceneEntity& entity) {
  put(*entity.add_spheres(), place, Eigen::Vector3d::Constant(2 * radius));
}

void addCylinder(const Place& place, double radius, double length, foxglove::SceneEntity& entity) {
  foxglove::CylinderPrimitive& cylinder = put(*entity.add_cylinders(), place, {2 * radius, 2 * radius, length});
  cylinder.set_bottom_scale(1);
  cylinder.set_top_scale(1);
}

void addDisc(const Eigen::Vector3d& center, const Eigen::Vector3d& axis, double radius, double width,
             const foxglove::Color& color, foxglove::SceneEntity& entity) {
  addCylinder({center, rt::shortestRotation(Eigen::Vector3d::UnitZ(), axis), color}, radius, width, entity);
}

void addRod(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, const foxglove::Color& color,
            foxglove::SceneEntity& entity) {
  addDisc((from + to) / 2, to - from, radius, (to - from).norm(), color, entity);
}

}  // namespace tactus::server::scene
