#include "rt/math/condensation.h"

#include "rt/math/symmetric_eigen.h"

#include <Eigen/Cholesky>

namespace tactus::rt {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::optional<CondensedStructure> condense(const PartedStructure& parts, int modes) {
  const auto& [K_ii, K_ib, K_bb, M_ii, M_bb] = parts;
  const bool inside = K_ii.rows() > 0;
  // modal.md (1), (2): motion of the inner coordinates with that of the interfaces; modes with fixed interfaces.
  const Eigen::LLT<MatrixXd> factor(K_ii);
  if (inside && factor.info() != Eigen::Success) return {};
  const MatrixXd Psi = inside ? MatrixXd(-factor.solve(K_ib)) : MatrixXd(K_ib);
  MatrixXd K = K_bb;
  K += K_ib.transpose() * Psi;
  MatrixXd M = M_bb;
  M += Psi.transpose() * M_ii * Psi;
  CondensedStructure condensed{.stiffness = 0.5 * (K + K.transpose()),
                               .mass = 0.5 * (M + M.transpose()),
                               .mode_stiffness = VectorXd(modes),
                               .coupling = MatrixXd(K.rows(), modes)};
  if (modes > 0) {
    const Eigen::LLT<MatrixXd> half(M_ii);
    const MatrixXd scaled = half.matrixL().solve(half.matrixL().solve(K_ii).transpose());
    const SymmetricEigen eigen = symmetricEigen(0.5 * (scaled + scaled.transpose()));
    const MatrixXd shapes = half.matrixU().solve(eigen.vectors.leftCols(modes));
    condensed.mode_stiffness = eigen.values.head(modes);
    condensed.coupling = Psi.transpose() * M_ii * shapes;
  }
  return condensed;
}

}  // namespace tactus::rt
