#include "rt/model/rules.h"

#include "rt/model/directions.h"
#include "rt/model/model_spec.h"

#include <cmath>

namespace tactus::rt {

bool requireFinite(const std::string& path, double value, FindingList& out) {
  if (std::isfinite(value)) return true;
  out.error(path, printed(value), "must be a finite number");
  return false;
}

bool requireFinite(const std::string& path, const Vector3d& value, FindingList& out) {
  if (value.allFinite()) return true;
  out.error(path, printed(value), "must be finite numbers");
  return false;
}

void requirePositive(const std::string& path, double value, FindingList& out) {
  if (!(std::isfinite(value) && value > 0)) out.error(path, printed(value), "must be finite and above zero");
}

void requireNotNegative(const std::string& path, double value, FindingList& out) {
  if (requireFinite(path, value, out) && value < 0) out.error(path, printed(value), "must not be below zero");
}

void requireWithin(const std::string& path, double value, double low, double high, FindingList& out) {
  if (!(value >= low && value <= high))
    out.error(path, printed(value), "must be from " + printed(low) + " to " + printed(high));
}

void requireDirection(const std::string& path, const Vector3d& value, FindingList& out) {
  if (!requireFinite(path, value, out)) return;
  if (!(value.cwiseAbs().maxCoeff() > kShortestDirection))
    out.error(path, printed(value), "must be a direction: not of zero length");
}

void requireUnitQuaternion(const std::string& path, const Vector4d& value, FindingList& out) {
  if (!value.allFinite()) {
    out.error(path, printed(value), "must be finite numbers");
    return;
  }
  const double norm = value.stableNorm();
  if (std::abs(norm - 1) <= 1e-6) return;  // what six digits of a file leave
  const bool has_direction = value.cwiseAbs().maxCoeff() > kShortestDirection;
  out.error(path, printed(value),
            "must be a unit quaternion [e0, e1, e2, e3], scalar first; its norm is " + printed(norm),
            has_direction ? "normalized it is " + printed(unitVector(value)) : "no rotation is [1, 0, 0, 0]");
}

bool requireCount(const std::string& path, const std::vector<double>& list, std::size_t fewest, std::size_t most,
                  FindingList& out) {
  if (list.size() >= fewest && list.size() <= most) return true;
  out.error(path, std::to_string(list.size()) + " numbers",
            "must be " + std::to_string(fewest) + " to " + std::to_string(most) + " numbers");
  return false;
}

bool requireSameCount(const std::string& path, const std::vector<double>& list, const char* other, std::size_t count,
                      FindingList& out) {
  if (list.size() == count) return true;
  out.error(path, std::to_string(list.size()) + " numbers",
            std::string("must be as many as ") + other + ": " + std::to_string(count));
  return false;
}

bool requireIncreasing(const std::string& path, const std::vector<double>& list, FindingList& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string at = element(path.c_str(), i);
    if (!requireFinite(at, list[i], out)) return false;
    if (i == 0 || list[i] > list[i - 1]) continue;
    out.error(at, printed(list[i]), "must be above the one before");
    return false;
  }
  return true;
}

void requireTwoBodies(const FindingPlace& at, const std::string& body_1, const std::string& body_2) {
  if (body_1 == body_2 && !body_1.empty()) at.error(".body_2", printed(body_2), "must differ from body_1");
}

void requireApart(const FindingPlace& at, const std::string& body_1, const Vector3d& point_1, const std::string& body_2,
                  const Vector3d& point_2, const char* hint) {
  if (!point_1.allFinite() || !point_2.allFinite()) return;
  const auto pose_1 = at.references.declaredPose(body_1), pose_2 = at.references.declaredPose(body_2);
  if (!pose_1 || !pose_2) return;
  const double apart = (pose_2->toWorld(point_2) - pose_1->toWorld(point_1)).norm();
  if (!(apart > kNearestPoints))
    at.error("", "points " + printed(apart) + " m apart", "must have its points apart in the declared state", hint);
}

void requireSameWay(const FindingPlace& at, const JointSpec& joint, const Vector3d& axis_1, const Vector3d& axis_2) {
  // Antiparallel axes satisfy the rows, but the angle and the torque would have two signs.
  const auto cosine = at.references.declaredCosine(joint, axis_1, axis_2);
  constexpr double kAcross = 1e-9;  // round-off of a right angle
  if (cosine && !(*cosine > kAcross))
    at.error(
        ".axis_2", printed(axis_2), "must point the same way as axis_1 in the declared state",
        *cosine < -kAcross ? "turn it round: " + printed(Vector3d(Vector3d::Zero() - axis_2)) : "it is across axis_1");
}

}  // namespace tactus::rt
