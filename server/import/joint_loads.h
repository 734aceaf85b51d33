// Springs, dampers, friction, limits and actuators of the joints of a tree, as force elements and actuators of a model.
#pragma once

#include "server/import/link_tree.h"
#include "server/import/tree_names.h"

#include <Eigen/Core>

#include <string>

namespace tactus::server {

/// A joint of a tree as the model has it.
struct MadeJoint {
  const TreeJoint* source = nullptr;
  std::string name, body_1, body_2;
  Eigen::Vector3d point_1 = Eigen::Vector3d::Zero(), axis_1 = Eigen::Vector3d::Zero();  ///< on body 1, at coordinate 0
  Eigen::Vector3d point_2 = Eigen::Vector3d::Zero();                                    ///< on body 2
  double start = 0;    ///< coordinate in the declared state
  double inertia = 0;  ///< of everything behind the joint about its axis, kg m^2, or its mass, kg
};

/// A limit becomes a stop of the stiffness inertia * kStopRate^2 and the damping 2 * inertia * kStopRate.
inline constexpr double kStopRate = 100;  ///< rad/s
/// Dry friction yields elastically with the stiffness inertia * kStickRate^2 before it slides.
inline constexpr double kStickRate = 200;  ///< rad/s

/// Adds the force elements of a joint itself.
void addJointLoads(const MadeJoint& joint, ImportedModel& model, TreeNames& names, ImportReport& report);

/// Adds an actuator, with the spring or damper that it brings.
void addActuator(const TreeActuator& actuator, const MadeJoint& joint, ImportedModel& model, TreeNames& names,
                 ImportReport& report);

}  // namespace tactus::server
