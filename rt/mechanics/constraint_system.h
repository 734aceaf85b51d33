// The constraints of a mechanism at one configuration, factored in the metric of the masses. For set-up, not for a
// tick.
#pragma once

#include "rt/mechanics/drives.h"
#include "rt/mechanics/kinematics.h"
#include "rt/state/state.h"

#include <Eigen/SparseCholesky>

#include <vector>

namespace tactus::rt {

struct Model;

/// Motions of all bodies in a State.
std::vector<BodyMotion> bodyMotions(const State& state);

/// Rows phi, their Jacobian H and the inverse masses W of a Model, with the factor of H W H^T. Compliant rows constrain
/// nothing: their part of phi and H is zero. The columns of H are (velocity, angular velocity in world axes) of each
/// body.
class ConstraintSystem {
 public:
  explicit ConstraintSystem(const Model& model);

  const Eigen::VectorXd& phi() const { return phi_; }          ///< m or rad, one value a row of the Model
  const Eigen::SparseMatrix<double>& H() const { return H_; }  ///< rows x 6 bodies
  const Eigen::SparseMatrix<double>& W() const { return W_; }  ///< 6 bodies x 6 bodies, 1/kg and 1/(kg m^2)

  /// Evaluates rows, Jacobian and masses at a configuration and factors H W H^T. Redundant rows are no error: each row
  /// has a compliance of 1e-9 of that of its bodies.
  /// @throws Error if the factorization fails
  void evaluate(const std::vector<BodyMotion>& motions, const State& state, const std::vector<DriveValue>& drives);

  /// The change of the bodies that removes a residual of the rows, -W H^T multipliers, with the multipliers
  /// (H W H^T)^-1 residual.
  Eigen::VectorXd correct(const Eigen::VectorXd& residual, Eigen::VectorXd& multipliers) const;

 private:
  const Model& model_;
  Eigen::SparseMatrix<double> H_, W_;
  Eigen::VectorXd phi_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

}  // namespace tactus::rt
