// Derivatives of the loads on a body: of inertia and of the actuators. Derivatives by position are by (dr,
// dphi) in world axes and hold v, omega_w, a and alpha_w fixed.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/model/elements/body.h"

#include <span>
#include <vector>

namespace tactus::rt {

struct Model;

/// Derivatives of the inertia torque R (J alpha + omega x J omega) by dphi, omega_w and alpha_w, all in world axes.
struct InertiaTorqueDerivatives {
  Matrix3d by_rotation, by_rate, by_acceleration;
};

/// Reads R, omega_w and alpha_w.
InertiaTorqueDerivatives differentiateInertiaTorque(const Body& body, const BodyMotion& motion) noexcept;

/// Derivative of the load (force; torque about the center of mass) on one body by the dphi of another or the same.
struct LoadDerivative {
  int loaded, turned;  ///< body indices
  Eigen::Matrix<double, 6, 3> by_rotation;
};

/// Every dependence of the actuators' loads on the motion of the bodies; no load depends on a translation or on a
/// velocity. Reads R of the motions.
/// @param[in] input  value of each actuator, N or N m
std::vector<LoadDerivative> differentiateActuatorLoads(const Model& model, std::span<const double> input,
                                                       const BodyMotion* motions);

}  // namespace tactus::rt
