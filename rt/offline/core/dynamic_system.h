// A mechanism as an integration method sees it: residuals, constraint rows and their derivatives, without bodies.
//
//   M(q) ud - Q(t, q, u, m) + H(q)^T lambda = 0,   Phi(t, q) = 0,   H u = nu(t),   H ud = gamma(t, q, u)
//   m' = g(t, q, u, m)
//
// nu is the rate that drives prescribe for their rows, zero for all others. u and ud are tangent vectors, m are the
// internal states of elements. A derivative by q is a derivative by a tangent increment, with u, ud and m held.
#pragma once

#include "rt/offline/core/motion_point.h"

#include <Eigen/SparseCore>

#include <vector>

namespace tactus::rt::offline {

using Sparse = Eigen::SparseMatrix<double>;

/// Derivatives of the residual by m, and of g by q, u and m; empty without internal states.
struct InternalStateDerivatives {
  Sparse residual_by_internal, rate_by_position, rate_by_velocity, rate_by_internal;
};

/// Derivatives of the residual M ud - Q + H^T lambda by ud, u and q.
struct ResidualDerivatives {
  Sparse M, C, K;
  InternalStateDerivatives internal_states = {};
};

/// Derivatives of the rows at velocity level, H u, and at acceleration level, H ud - gamma.
struct RowRateDerivatives {
  Sparse rate_by_position, second_rate_by_position, second_rate_by_velocity;
};

class DynamicSystem {
 public:
  virtual ~DynamicSystem() = default;

  virtual int size() const = 0;  ///< tangent unknowns
  virtual int rows() const = 0;
  /// Length that scales rotations in norms, m.
  virtual double length() const = 0;
  /// Index of each rotation in a tangent vector; all other entries are coordinates of a vector space.
  virtual const std::vector<int>& rotations() const = 0;

  virtual VectorXd constraints(const MotionPoint& at) const = 0;  ///< Phi; reads time and positions
  virtual Sparse jacobian(const MotionPoint& at) const = 0;       ///< H, rows x size; reads positions
  virtual VectorXd gamma(const MotionPoint& at) const = 0;        ///< reads time, positions and velocities
  virtual VectorXd residual(const MotionPoint& at) const = 0;     ///< M ud - Q, without H^T lambda
  virtual Sparse mass(const MotionPoint& at) const = 0;           ///< M; reads positions
  virtual ResidualDerivatives residualDerivatives(const MotionPoint& at) const = 0;
  virtual RowRateDerivatives rowRateDerivatives(const MotionPoint& at) const = 0;

  virtual int internalStateCount() const { return 0; }  ///< length of m
  virtual VectorXd internalStateRates(const MotionPoint& /*at*/) const {
    return VectorXd(0);
  }  ///< g; reads no rates of u and m

  /// Whether some rows are driven: Phi depends on time.
  virtual bool driven() const { return false; }
  /// nu, the prescribed H u.
  virtual VectorXd rowRates(double /*t*/) const { return VectorXd::Zero(rows()); }
  /// Unwraps the angles of a point: continues them from their present values to those of its positions.
  virtual void continueAngles(MotionPoint& /*at*/) const {}
};

}  // namespace tactus::rt::offline
