#include "server/import/placements.h"

#include "rt/math/euler_parameters.h"
#include "rt/math/shortest_rotation.h"

#include <Eigen/Geometry>

#include <cctype>

namespace tactus::server {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

Matrix3d rollPitchYaw(const Vector3d& angles) {
  return eulerRotation("XYZ", angles);
}

Matrix3d eulerRotation(const std::string& sequence, const Vector3d& angles) {
  Matrix3d rotation = Matrix3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[static_cast<std::size_t>(i)];
    const Vector3d axis = Vector3d::Unit(std::tolower(static_cast<unsigned char>(letter)) - 'x');
    const Matrix3d turn = AngleAxisd(angles[i], axis).toRotationMatrix();
    rotation =
        std::islower(static_cast<unsigned char>(letter)) != 0 ? Matrix3d(rotation * turn) : Matrix3d(turn * rotation);
  }
  return rotation;
}

Matrix3d rotationFromZ(const Vector3d& direction) {
  return rt::shortestRotation(Vector3d::UnitZ(), direction).toRotationMatrix();
}

Vector4d quaternionOf(const Matrix3d& rotation) {
  const Eigen::Quaterniond q(rotation);
  const Vector4d p(q.w(), q.x(), q.y(), q.z());
  return rt::normalized(p[0] < 0 ? Vector4d(-p) : p);
}

}  // namespace tactus::server
