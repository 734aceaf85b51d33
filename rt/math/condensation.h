// Condensation of a linear structure to some of its coordinates (Craig and Bampton): rt/doc/modal.md (1), (2).
#pragma once

#include <Eigen/Core>

#include <optional>

namespace tactus::rt {

/// Parts of stiffness and mass: i are the inner coordinates, b those that stay. The mass does not couple the two.
struct PartedStructure {
  Eigen::MatrixXd K_ii, K_ib, K_bb, M_ii, M_bb;
};

/// What remains: coordinates b, then modes of unit modal mass with b held.
struct CondensedStructure {
  Eigen::MatrixXd stiffness, mass;  ///< of b; symmetric
  Eigen::VectorXd mode_stiffness;   ///< squared frequencies, rad^2/s^2, rising
  Eigen::MatrixXd coupling;         ///< mass between b (rows) and the modes (columns)
};

/// @param modes  at most the number of inner coordinates
/// @returns nothing where b does not hold the inner coordinates: K_ii is not positive definite
std::optional<CondensedStructure> condense(const PartedStructure& parts, int modes);

}  // namespace tactus::rt
