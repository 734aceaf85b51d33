// How bodies of a model message move, and who says it.
#pragma once

#include "server/model_io/attached_vectors.h"

#include "tactus/v1/model.pb.h"

#include <Eigen/Core>

#include <set>
#include <string>
#include <vector>

namespace tactus::server {

/// How a body moves: velocity of its center of mass and angular velocity, world axes.
struct Motion {
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), omega = Eigen::Vector3d::Zero();

  Eigen::Vector3d at(const Eigen::Vector3d& arm) const { return v + omega.cross(arm); }
};

/// Three finite numbers, or none.
inline bool isMotion(const Numbers& numbers) {
  return isVectorOrNone(numbers) && vectorOf(numbers).allFinite();
}

inline bool isGiven(const Numbers& numbers) {
  return numbers.size() == 3 && isMotion(numbers);
}

/// Which velocities a state gives of each body.
struct Given {
  bool velocity = false, angular_velocity = false;
};
using GivenVelocities = std::vector<Given>;

/// The velocities that the model gives and that are not zero.
/// @param moved  bodies whose velocity the model does not give: it follows from their angular velocity
inline GivenVelocities declaredVelocities(const v1::Model& model, const std::set<std::string>& moved) {
  const auto moves = [](const Numbers& numbers) { return isGiven(numbers) && !vectorOf(numbers).isZero(0); };
  GivenVelocities declared;
  for (const v1::Body& body : model.bodies())
    declared.push_back({moves(body.velocity()) && moved.count(body.name()) == 0, moves(body.angular_velocity())});
  return declared;
}

}  // namespace tactus::server
