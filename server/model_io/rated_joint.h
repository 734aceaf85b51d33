// A joint of a model message, as far as its rates move bodies.
#pragma once

#include "rt/model/finding_list.h"
#include "server/model_io/attached_vectors.h"

#include "tactus/v1/model.pb.h"

#include <Eigen/Core>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

inline constexpr int kGroundBody = -1;

/// A joint with what is needed of it here.
struct RatedJoint {
  int body_1 = kGroundBody, body_2 = kGroundBody;  ///< indices
  bool holds = false;    ///< whether body 2 follows body 1 but for the displacements of the joint
  bool couples = false;  ///< whether it is a coupler of other joints, without bodies
  bool has_angle = false, has_travel = false;
  Eigen::Vector3d point_1 = Eigen::Vector3d::Zero(), point_2 = Eigen::Vector3d::Zero(),
                  axis_1 = Eigen::Vector3d::UnitX();
  double pitch = 0;  ///< of a screw, m per turn
  double initial_angle = 0;
  std::optional<double> angle, travel;  ///< rates
};

inline bool isRated(const RatedJoint& joint) {
  return joint.angle || joint.travel;
}

/// Without rates.
/// @param bodies  index of each body; other names are ground
RatedJoint ratedJoint(const v1::Joint& joint, const std::map<std::string, int>& bodies);

/// Takes the rate of a joint; of a screw, that of its angle and of its travel. @returns whether it can be had; findings
/// go to `out`
/// @param path  of the rate
bool takeRate(const v1::InitialRate& rate, const std::string& path, RatedJoint& joint, rt::FindingList& out);

/// The pose of a body, or of ground.
inline Isometry poseOf(int body, const std::vector<Isometry>& poses) {
  return body == kGroundBody ? Isometry{} : poses[static_cast<std::size_t>(body)];
}

/// Gives a model a drive for each rate of its joints, unless one drives that angle or travel already.
/// @param poses  of the bodies of the model
void addDrives(const std::vector<RatedJoint>& joints, const std::vector<Isometry>& poses, v1::Model& trial);

}  // namespace tactus::server
