// The constrained equations of motion as one vector of first-order equations, for general-purpose libraries.
//
//   y = (q, m, u):   q' = T(q) (u - c H^+ Phi) - c (|p|^2 - 1) p / 2,   m' = g(t, q, u, m),
//                    u' = ud(t, q, u, m) - c H^+ (H u - nu)
//
// q holds the coordinates of vector spaces and then the Euler parameters of each rotation, ud the accelerations of the
// index-1 form. Drift off the constraints decays at the rate c. On the constraints the added terms are zero and do not
// change the motion.
//
// With multipliers, for solvers of differential-algebraic equations, the form is
//
//   q' = T(q) u - c (|p|^2 - 1) p / 2,   m' = g,   M u' - Q + H^T lambda = 0,
//   H u' - gamma + 2 c (H u - nu) + c^2 Phi - E lambda = 0
//
// with the small compliance E of saddle_point.h, which keeps redundant rows solvable.
#pragma once

#include "rt/offline/core/stepper.h"
#include "rt/offline/core/tangent_space.h"

#include <span>

namespace tactus::rt::offline {

class FirstOrderForm {
 public:
  /// @param[in] stabilization  c, 1/s
  /// The system must outlive this.
  FirstOrderForm(const DynamicSystem& system, const MotionPoint& start, double stabilization);

  int size() const { return coordinates() + system_.internalStateCount() + system_.size(); }  ///< length of y
  int rows() const { return system_.rows(); }

  /// Writes y of a point.
  void write(const MotionPoint& point, std::span<double> y) const;

  /// Writes y' of a point on the constraints.
  void writeRate(const MotionPoint& point, std::span<double> yd) const;

  /// Takes the rank of an accepted point into account, if it is larger: a run may begin in a singular pose.
  void learnRank(const MotionPoint& accepted);

  /// The point of y at a time, without accelerations and multipliers. Angles are unwrapped from those of `near`.
  MotionPoint pointOf(double t, std::span<const double> y, const MotionPoint& near) const;

  /// Sets the accelerations and multipliers of a point by the index-1 form. @returns y', with the added terms
  VectorXd solve(MotionPoint& point, std::span<const double> y) const;

  /// Residual of the differential-algebraic form, size() + rows() values; the point has its accelerations and
  /// multipliers set.
  VectorXd residual(const MotionPoint& point, std::span<const double> y, std::span<const double> yd) const;

 private:
  int coordinates() const {
    return static_cast<int>(translations_.size()) + 4 * static_cast<int>(system_.rotations().size());
  }
  /// Writes T(q) w and the term that keeps Euler parameters at unit length.
  void writeCoordinateRates(const VectorXd& w, std::span<const double> y, double* rates) const;

  const DynamicSystem& system_;
  double stabilization_;
  RankRule rule_;                  ///< from the start and the accepted points
  std::vector<int> translations_;  ///< indices of the coordinates of vector spaces in a tangent vector
};

}  // namespace tactus::rt::offline
