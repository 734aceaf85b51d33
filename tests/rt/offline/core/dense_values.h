// Random vectors, and the size of a matrix that may be empty.
#pragma once

#include <Eigen/Core>

#include <random>

namespace tactus::tests {

inline Eigen::VectorXd randomVector(int size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd v(size);
  for (double& x : v) x = normal(random);
  return v;
}

/// Largest magnitude of the coefficients.
inline double largest(const Eigen::MatrixXd& m) {
  return m.size() == 0 ? 0.0 : m.cwiseAbs().maxCoeff();
}

}  // namespace tactus::tests
