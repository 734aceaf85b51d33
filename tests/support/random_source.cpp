#include "tests/support/random_source.h"

#include "tests/support/dense_mechanism.h"

namespace tactus::tests {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

double RandomSource::uniform(double low, double high) {
  constexpr double kTwoToMinus53 = 1.0 / 9007199254740992.0;
  return low + (high - low) * static_cast<double>(engine_() >> 11) * kTwoToMinus53;
}

int RandomSource::index(int count) {
  return static_cast<int>(engine_() % static_cast<std::uint64_t>(count));
}

Vector3d RandomSource::inBox(double half_side) {
  const double x = uniform(-half_side, half_side), y = uniform(-half_side, half_side);
  return {x, y, uniform(-half_side, half_side)};
}

Vector3d RandomSource::unitVector() {
  Vector3d v = inBox(1);
  while (v.norm() < 0.1 || v.norm() > 1) v = inBox(1);
  return v.normalized();
}

Vector3d RandomSource::unitAcross(const Vector3d& axis) {
  Vector3d v = axis.cross(unitVector());
  while (v.norm() < 0.1 * axis.norm()) v = axis.cross(unitVector());
  return v.normalized();
}

Vector4d RandomSource::orientation() {
  const Vector3d half = 0.5 * uniform(-3, 3) * unitVector();
  Vector4d p;
  p << std::cos(half.norm()), std::sin(half.norm()) / half.norm() * half;
  return p.normalized();
}

Matrix3d RandomSource::inertia(double mass, double size) {
  // Second moments of mass along three axes; each principal moment is the sum of two of them.
  Vector3d second;
  for (int k = 0; k < 3; ++k) second[k] = mass * size * size * uniform(0.1, 0.6);
  const Vector3d principal(second[1] + second[2], second[2] + second[0], second[0] + second[1]);
  const Matrix3d R = rotationOf(orientation());
  const Matrix3d J = R * principal.asDiagonal() * R.transpose();
  return 0.5 * (J + J.transpose());
}

}  // namespace tactus::tests
