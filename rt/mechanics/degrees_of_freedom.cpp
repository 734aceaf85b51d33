#include "rt/mechanics/degrees_of_freedom.h"

#include "rt/math/cholesky.h"
#include "rt/math/rank.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

#include <Eigen/LU>

namespace tactus::rt {

namespace {

/// Singular directions of rows of unit length below this are taken for dependent.
constexpr double kDependent = 1e-8;

}  // namespace

DegreesOfFreedom countDegreesOfFreedom(const Model& model, const State& state) {
  std::vector<BodyMotion> motions;
  std::vector<Matrix3d> roots;  // J^-1 = root root^T, world axes
  for (int i = 0; i < model.bodyCount(); ++i) {
    motions.push_back(bodyMotion(state.view(), i));
    const Matrix3d J = worldInertia(model.bodies[static_cast<std::size_t>(i)], motions.back().R);
    roots.push_back(choleskyFactor3(J.inverse()));
  }

  DegreesOfFreedom count;
  for (const Joint& joint : model.joints) count.rows += joint.compliant() ? 0 : joint.row_count;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(count.rows, 6 * model.bodyCount());
  std::vector<double> phi(static_cast<std::size_t>(model.rows));
  std::vector<RowJacobian> jacobian(model.jacobianRows());
  evaluateAllRows(model, motions.data(), state.view().jointDisplacements(), phi.data(), jacobian.data());
  int row = 0;
  for (const Joint& joint : model.joints) {
    if (joint.compliant()) continue;
    for (int k = 0; k < joint.row_count; ++k, ++row) {
      forEachSide(model, joint, joint.first_row + k, jacobian.data(), [&](int body, const double* h) noexcept {
        const auto b = static_cast<std::size_t>(body);
        const Eigen::Map<const Vector3d> translation(h), rotation(h + 3);
        H.block<1, 3>(row, 6 * body) = translation.transpose() / std::sqrt(model.bodies[b].mass);
        H.block<1, 3>(row, 6 * body + 3) = rotation.transpose() * roots[b];
      });
      if (const double length = H.row(row).norm(); length > 0) H.row(row) /= length;
    }
  }
  if (count.rows > 0) count.rank = rankOf(H.transpose(), kDependent);
  count.count = 6 * model.bodyCount() - count.rank;
  count.redundant = count.rows - count.rank;
  return count;
}

}  // namespace tactus::rt
