// MotionPoint: position, velocity and acceleration of a mechanism at one instant, in the unknowns of the equations of
// motion.
#pragma once

#include "rt/math/euler_parameters.h"

#include <Eigen/Core>

#include <vector>

namespace tactus::rt::offline {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A tangent vector has six entries a body: translation and rotation vector, world axes. `velocity` and `acceleration`
/// are tangent vectors, (v, omega_w) and (a, alpha_w) of each body.
struct MotionPoint {
  double t = 0;
  VectorXd position;                  ///< as long as a tangent vector; the entries of rotations are not used
  std::vector<Vector4d> orientation;  ///< one for each rotation of the system, scalar first
  VectorXd velocity, acceleration;
  VectorXd lambda;  ///< M a + H^T lambda = Q
  /// Angles of joints, rad, unwrapped: what a law that counts turns continues. Empty where nothing does.
  std::vector<double> angles = {};
  VectorXd internal_states = {},
           internal_rate = {};  ///< of elements that remember: states of first order, and their rates
};

}  // namespace tactus::rt::offline
