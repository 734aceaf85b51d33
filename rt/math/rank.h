// The rank of a dense matrix.
#pragma once

#include <Eigen/Core>

namespace tactus::rt {

/// Number of pivots of a QR decomposition with column pivoting above `threshold` times the largest. Set-up: allocates.
int rankOf(const Eigen::MatrixXd& m, double threshold);

}  // namespace tactus::rt
