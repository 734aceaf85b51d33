// The steady motions of a mechanism: those along which nothing changes but the place.
//
//   u = U(q) p,   U = [X Y] N,   H U = 0,   L U = 0,   ud* = Omega x u                            (13), (14)
//
// X are the six velocities of a rigid motion of the whole mechanism, Y the spins of bodies about an axis of symmetry, N
// the combinations along which neither constraints nor loads change: a vehicle goes along a plane road, turns about its
// normal and has wheels that roll. rt/doc/analysis.md derives the equations.
#pragma once

#include "rt/offline/core/equations_of_motion.h"

#include <vector>

namespace tactus::rt::offline {

class SteadyMotions {
 public:
  /// None: a mechanism at rest.
  SteadyMotions() = default;

  /// Finds them at a point with accelerations and multipliers.
  SteadyMotions(const EquationsOfMotion& system, const MotionPoint& at);

  int count() const { return static_cast<int>(N_.cols()); }

  MatrixXd velocities(const EquationsOfMotion& system, const MotionPoint& at) const;  ///< U, size x count

  /// The effect of a displacement y of the bodies on U p.
  VectorXd velocityChange(const EquationsOfMotion& system, const MotionPoint& at, const VectorXd& p,
                          const VectorXd& y) const;

  bool canTurn() const;  ///< whether the whole mechanism may turn
  /// Rate at which the whole mechanism turns, rad/s, world axes.
  Vector3d turning(const VectorXd& p) const;

  /// The point to which the motion leads in a time: positions, velocities, accelerations, internal states.
  MotionPoint pointAfter(const EquationsOfMotion& system, const MotionPoint& at, const VectorXd& p, double time) const;

  /// Follows the motion: the road may end in a bump, a turn may lead into the wind.
  /// @throws Error that names the body that accelerates first, if the surroundings change along it; Interrupted
  void requireThatItLasts(const EquationsOfMotion& system, const MotionPoint& at, const VectorXd& p) const;

 private:
  /// A body that may turn about an axis of symmetry through its center of mass.
  struct Spin {
    int body;
    Vector3d axis_b;
  };

  VectorXd rates(const VectorXd& p) const;  ///< V at the center, Omega, rates of the spins
  MatrixXd candidates(const EquationsOfMotion& system, const MotionPoint& at) const;  ///< [X Y]

  Vector3d center_ = Vector3d::Zero();
  std::vector<Spin> spins_;
  MatrixXd N_;
};

/// Orthonormal coordinates beside those of the columns.
MatrixXd beside(const MatrixXd& columns);

}  // namespace tactus::rt::offline
