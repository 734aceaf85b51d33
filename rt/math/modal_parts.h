// Rigid parts of a flexible body: from a Craig-Bampton model to a body of the mean motion, interface bodies and bodies
// that carry free modes, with one stiffness matrix between them. The derivation is in rt/doc/modal.md.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace tactus::rt {

/// A flexible body in Craig-Bampton form: n interfaces with six coordinates each (displacement; rotation vector), then
/// N modes with fixed interfaces, each scaled to a modal mass of 1.
struct CraigBampton {
  std::vector<Eigen::Vector3d> points;  ///< of the interfaces, m
  Eigen::MatrixXd stiffness, mass;      ///< at the interfaces, 6n x 6n
  Eigen::VectorXd mode_stiffness;       ///< N, rad^2/s^2
  Eigen::MatrixXd coupling;             ///< mass between interfaces and modes, 6n x N

  Eigen::Index coordinates() const noexcept { return mass.rows() + mode_stiffness.size(); }
  /// Rigid motions: motion of the origin -> all coordinates. @returns (6n + N) x 6
  Eigen::MatrixXd rigidMotions() const;
  /// Of all coordinates.
  Eigen::MatrixXd fullMass() const;
  Eigen::MatrixXd fullStiffness() const;
};

/// A rigid mass that an interface body takes over, its center at the point of the interface.
struct InterfaceMass {
  double mass;              ///< kg
  Eigen::Matrix3d inertia;  ///< kg m^2
};

/// fullMass() without that of the interface bodies. @returns (6n + N) x (6n + N)
Eigen::MatrixXd restMass(const CraigBampton& body, const std::vector<InterfaceMass>& interfaces);

/// A 6 x 6 mass of rigid motions about a point, as mass, center and inertia about the center. `deviation` is what does
/// not have this form, relative to the mass and to the inertia.
struct RigidMass {
  double mass;              ///< kg
  Eigen::Vector3d center;   ///< m
  Eigen::Matrix3d inertia;  ///< kg m^2
  double deviation;
};
RigidMass rigidMass(const Eigen::Matrix<double, 6, 6>& mass);

/// Motion of a point at the arm `s` from that of another point: (u + phi x s; phi).
Eigen::Matrix<double, 6, 6> motionAt(const Eigen::Vector3d& s);

struct ModalParts {
  RigidMass mean;   ///< of the body of the mean motion together with the mode bodies
  double share;     ///< of mean.mass and mean.inertia that each mode body has
  int mode_bodies;  ///< their centers are that of the mean motion
  Eigen::MatrixXd
      stiffness;  ///< between displacements against the mean body: of interfaces, then of mode bodies; six each
};

/// @param interfaces  so light that restMass() is positive definite
/// @param modes       free modes of the rest that keep their mass: a multiple of six, at most 6n + N - 6
ModalParts modalParts(const CraigBampton& body, const std::vector<InterfaceMass>& interfaces, int modes);

}  // namespace tactus::rt
