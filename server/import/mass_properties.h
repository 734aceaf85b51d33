// Mass, center of mass and inertia of shapes, and of several put together.
#pragma once

#include <Eigen/Core>

namespace tactus::server {

/// A frame in another one.
struct Placement {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< of the origin, m
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< from axes of the frame to those of the other one

  Eigen::Vector3d point(const Eigen::Vector3d& inside) const { return position + rotation * inside; }
  Placement operator*(const Placement& inside) const { return {point(inside.position), rotation * inside.rotation}; }
  Placement inverse() const { return {-(rotation.transpose() * position), rotation.transpose()}; }
};

struct MassProperties {
  double mass = 0;                                    ///< kg
  Eigen::Vector3d center = Eigen::Vector3d::Zero();   ///< center of mass, m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the center of mass, kg m^2

  /// In the frame in which `frame` is given.
  MassProperties in(const Placement& frame) const;
  /// Both together, in one frame.
  MassProperties operator+(const MassProperties& other) const;
  /// About an axis through a point, kg m^2. @param axis  of length one
  double momentAbout(const Eigen::Vector3d& point, const Eigen::Vector3d& axis) const;
};

// Full bodies of constant density about their center; axes as of the visuals of a model: along z. Lengths in m.
/// @param sides  lengths of the edges
MassProperties boxMass(double mass, const Eigen::Vector3d& sides);
MassProperties ellipsoidMass(double mass, const Eigen::Vector3d& radii);
MassProperties cylinderMass(double mass, double radius, double length);
/// @param length  between the centers of the half spheres
MassProperties capsuleMass(double mass, double radius, double length);

double boxVolume(const Eigen::Vector3d& sides);
double ellipsoidVolume(const Eigen::Vector3d& radii);
double cylinderVolume(double radius, double length);
double capsuleVolume(double radius, double length);

/// The inertia with the smallest principal moment raised to the difference of the other two, where it lies below it.
Eigen::Matrix3d balancedInertia(const Eigen::Matrix3d& inertia);

}  // namespace tactus::server
