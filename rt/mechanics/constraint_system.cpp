#include "rt/mechanics/constraint_system.h"

#include "rt/error.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

#include <Eigen/LU>

namespace tactus::rt {

using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

namespace {

/// Compliance of a row relative to that of its bodies; keeps redundant rows solvable.
constexpr double kRelativeCompliance = 1e-9;

}  // namespace

std::vector<BodyMotion> bodyMotions(const State& state) {
  std::vector<BodyMotion> motions;
  for (int i = 0; i < state.layout().bodies; ++i) motions.push_back(bodyMotion(state.view(), i));
  return motions;
}

ConstraintSystem::ConstraintSystem(const Model& model)
    : model_(model),
      H_(model.rows, 6 * model.bodyCount()),
      W_(6 * model.bodyCount(), 6 * model.bodyCount()),
      phi_(VectorXd::Zero(model.rows)) {}

void ConstraintSystem::evaluate(const std::vector<BodyMotion>& motions, const State& state,
                                const std::vector<DriveValue>& drives) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<RowJacobian> jacobian(model_.jacobianRows());
  evaluateAllRows(model_, motions.data(), state.view().jointDisplacements(), phi_.data(), jacobian.data());
  for (const Joint& joint : model_.joints) {
    if (joint.compliant()) phi_.segment(joint.first_row, joint.row_count).setZero();
    if (joint.compliant()) continue;
    if (joint.law == LawKind::kDriven) phi_[joint.first_row] -= drives[static_cast<std::size_t>(joint.law_index)].value;
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      forEachSide(model_, joint, row, jacobian.data(), [&](int body, const double* h) {
        for (int c = 0; c < 6; ++c) entries.emplace_back(row, 6 * body + c, h[c]);
      });
  }
  H_.setFromTriplets(entries.begin(), entries.end());

  entries.clear();
  for (int i = 0; i < model_.bodyCount(); ++i) {
    const Body& body = model_.bodies[static_cast<std::size_t>(i)];
    const Matrix3d inverse = worldInertia(body, motions[static_cast<std::size_t>(i)].R).inverse();
    for (int r = 0; r < 3; ++r) {
      entries.emplace_back(6 * i + r, 6 * i + r, 1.0 / body.mass);
      for (int c = 0; c < 3; ++c) entries.emplace_back(6 * i + 3 + r, 6 * i + 3 + c, inverse(r, c));
    }
  }
  W_.setFromTriplets(entries.begin(), entries.end());

  if (model_.rows == 0) return;
  Sparse Y = H_ * W_ * Sparse(H_.transpose());
  const auto regularize = [&Y](int row, int rows) {
    double mean = 0;
    for (int k = 0; k < rows; ++k) mean += Y.coeff(row + k, row + k) / rows;
    if (mean == 0) mean = 1 / kRelativeCompliance;  // of a compliant row, which is empty here
    for (int k = 0; k < rows; ++k) Y.coeffRef(row + k, row + k) += kRelativeCompliance * mean;
  };
  for (const Primitive& p : model_.primitives) regularize(p.row, rowsOf(p.kind));
  for (const Coupler& coupler : model_.couplers) regularize(coupler.terms.front().row, 1);
  factor_.compute(Y);
  if (factor_.info() != Eigen::Success) throw Error("model: the constraints cannot be factored at this state");
}

VectorXd ConstraintSystem::correct(const VectorXd& residual, VectorXd& multipliers) const {
  if (model_.rows == 0) {
    multipliers = VectorXd();
    return VectorXd::Zero(6 * model_.bodyCount());
  }
  multipliers = factor_.solve(residual);
  return -(W_ * (H_.transpose() * multipliers));
}

}  // namespace tactus::rt
