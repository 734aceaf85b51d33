// A force or a torque on one body, along a direction that is fixed in the body or in the world, for any scalar: double,
// or Lanes.
#pragma once

#include "rt/model/frame.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tactus::rt {

template <class T>
struct BodyAction {
  using Vector = Eigen::Matrix<T, 3, 1>;
  bool is_force;     ///< else a torque
  Frame frame;       ///< of the direction
  Vector direction;  ///< 1
  Vector point;      ///< of a force: where it acts, body axes, m
  T value;           ///< N or N m
};

template <class T>
Eigen::Matrix<T, 3, 1> worldDirection(const BodyAction<T>& action, const Eigen::Matrix<T, 3, 3>& R) noexcept {
  if (action.frame == Frame::kWorld) return action.direction;
  return R * action.direction;
}

/// Adds its force and its torque about the center of mass, world axes.
template <class T>
void addAction(const BodyAction<T>& action, const Eigen::Matrix<T, 3, 3>& R, Eigen::Matrix<T, 3, 1>& force,
               Eigen::Matrix<T, 3, 1>& torque) noexcept {
  const Eigen::Matrix<T, 3, 1> load = worldDirection(action, R) * action.value;
  if (!action.is_force) {
    torque += load;
    return;
  }
  force += load;
  torque += Eigen::Matrix<T, 3, 1>(R * action.point).cross(load);
}

/// The rate that it works along: power over value.
template <class T>
T actionRate(const BodyAction<T>& action, const Eigen::Matrix<T, 3, 3>& R, const Eigen::Matrix<T, 3, 1>& v,
             const Eigen::Matrix<T, 3, 1>& omega_w) noexcept {
  const Eigen::Matrix<T, 3, 1> direction = worldDirection(action, R);
  if (!action.is_force) return direction.dot(omega_w);
  return direction.dot(v + omega_w.cross(Eigen::Matrix<T, 3, 1>(R * action.point)));
}

}  // namespace tactus::rt
