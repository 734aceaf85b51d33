// A joint of a model message, as far as its rates move bodies.
#pragma once

#include "tactus/v1/model.pb.h"

#include <Eigen/Core>

#include <map>
#include <optional>
#include <string>

namespace tactus::server {

inline constexpr int kGroundBody = -1;

/// A joint with what is needed of it here.
struct RatedJoint {
  int body_1 = kGroundBody, body_2 = kGroundBody;  ///< indices
  bool holds = false;  ///< whether body 2 follows body 1 but for the displacements of the joint
  bool has_angle = false, has_travel = false;
  Eigen::Vector3d point_1 = Eigen::Vector3d::Zero(), point_2 = Eigen::Vector3d::Zero(),
                  axis_1 = Eigen::Vector3d::UnitX();
  double pitch = 0;  ///< of a screw, m per turn
  double initial_angle = 0;
  std::optional<double> angle, travel;  ///< rates
};

/// Without rates.
/// @param bodies  index of each body; other names are ground
RatedJoint ratedJoint(const v1::Joint& joint, const std::map<std::string, int>& bodies);

}  // namespace tactus::server
