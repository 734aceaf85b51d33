#include "server/import/mass_properties.h"

#include "rt/math/symmetric_eigen.h"

#include <cmath>
#include <numbers>

namespace tactus::server {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Inertia of a unit point mass about the origin, by the parallel-axis theorem.
Matrix3d pointInertia(const Vector3d& at) {
  return at.squaredNorm() * Matrix3d::Identity() - at * at.transpose();
}

MassProperties centered(double mass, const Vector3d& moments) {
  return {mass, Vector3d::Zero(), moments.asDiagonal()};
}

}  // namespace

MassProperties MassProperties::in(const Placement& frame) const {
  return {mass, frame.point(center), frame.rotation * inertia * frame.rotation.transpose()};
}

MassProperties MassProperties::operator+(const MassProperties& other) const {
  if (mass == 0 && inertia.isZero(0)) return other;
  if (other.mass == 0 && other.inertia.isZero(0)) return *this;
  const double total = mass + other.mass;
  if (!(total > 0)) return {total, center, inertia + other.inertia};
  const Vector3d common = (mass * center + other.mass * other.center) / total;
  return {total, common,
          inertia + mass * pointInertia(center - common) + other.inertia +
              other.mass * pointInertia(other.center - common)};
}

double MassProperties::momentAbout(const Vector3d& point, const Vector3d& axis) const {
  return axis.dot((inertia + mass * pointInertia(center - point)) * axis);
}

MassProperties boxMass(double mass, const Vector3d& sides) {
  const Vector3d s = sides.cwiseAbs2();
  return centered(mass, mass / 12 * Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]));
}

MassProperties ellipsoidMass(double mass, const Vector3d& radii) {
  const Vector3d s = radii.cwiseAbs2();
  return centered(mass, mass / 5 * Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]));
}

MassProperties cylinderMass(double mass, double radius, double length) {
  const double across = mass / 12 * (3 * radius * radius + length * length);
  return centered(mass, {across, across, mass / 2 * radius * radius});
}

MassProperties capsuleMass(double mass, double radius, double length) {
  const double of_cylinder = mass * cylinderVolume(radius, length) / capsuleVolume(radius, length);
  const double of_ends = mass - of_cylinder;  // of both half spheres
  const double along = (of_cylinder / 2 + of_ends * 2 / 5) * radius * radius;
  // The center of a half sphere lies 3/8 of its radius above its plane.
  const double across = of_cylinder / 12 * (3 * radius * radius + length * length) +
                        of_ends * (2.0 / 5 * radius * radius + 3.0 / 8 * radius * length + length * length / 4);
  return centered(mass, {across, across, along});
}

double boxVolume(const Vector3d& sides) {
  return sides.prod();
}

double ellipsoidVolume(const Vector3d& radii) {
  return 4.0 / 3 * std::numbers::pi * radii.prod();
}

double cylinderVolume(double radius, double length) {
  return std::numbers::pi * radius * radius * length;
}

double capsuleVolume(double radius, double length) {
  return cylinderVolume(radius, length) + ellipsoidVolume(Vector3d::Constant(radius));
}

Matrix3d balancedInertia(const Matrix3d& inertia) {
  rt::SymmetricEigen3 principal = rt::symmetricEigen3(inertia);
  Vector3d& moments = principal.values;
  if (moments[0] + moments[1] >= moments[2]) return inertia;
  moments[0] = moments[2] - moments[1];
  return principal.vectors * moments.asDiagonal() * principal.vectors.transpose();
}

}  // namespace tactus::server
