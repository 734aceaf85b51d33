// The points, directions and orientations of a model message, by the frame that they are given in.
#pragma once

#include "tactus/v1/model.pb.h"

#include <google/protobuf/repeated_field.h>
#include <Eigen/Core>
#include <Eigen/Geometry>

#include <functional>
#include <string>

namespace tactus::server {

using Numbers = google::protobuf::RepeatedField<double>;

enum class VectorKind {
  kPoint,
  kOriginPoint,  ///< a point that is the origin of the frame where it is left out
  kDirection,
  kOrientation,  ///< a quaternion; [1, 0, 0, 0] where it is left out
};

/// Visits what elements give in the frames of bodies and of ground. @param visit  takes the name of the body
void eachAttached(v1::Model& model,
                  const std::function<void(const std::string& body, Numbers& numbers, VectorKind kind)>& visit);

/// Visits what elements give in the world frame whatever they are attached to: poses of bodies without a placement,
/// points of beams, roads, wind.
void eachInWorld(v1::Model& model, const std::function<void(Numbers& numbers, VectorKind kind)>& visit);

/// A change of frame: a point p becomes position + rotation p.
struct Isometry {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();

  Isometry operator*(const Isometry& inner) const {
    return {position + rotation * inner.position, rotation * inner.rotation};
  }
  Isometry inverse() const { return {-(rotation.conjugate() * position), rotation.conjugate()}; }
};

/// Brings numbers into another frame. The identity leaves them alone, and so does what the rules refuse: lists of
/// another length, quaternions that have not the length one.
void transform(Numbers& numbers, VectorKind kind, const Isometry& into);

// Lists of numbers as vectors; none or a list of another length: the default.
Eigen::Vector3d vectorOf(const Numbers& numbers, const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero());
Eigen::Quaterniond quaternionOf(const Numbers& numbers);
/// Whether numbers are three, or left out.
bool isVectorOrNone(const Numbers& numbers);
void setVector(const Eigen::Vector3d& vector, Numbers& numbers);
void setQuaternion(const Eigen::Quaterniond& quaternion, Numbers& numbers);

}  // namespace tactus::server
