#include "rt/math/spectral_radius.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::rt {

double spectralRadius3(const Eigen::Matrix3d& m) noexcept {
  // lambda = mean + mu with mu^3 + p mu + q = 0.
  const double mean = m.trace() / 3;
  const Eigen::Matrix3d A = m - mean * Eigen::Matrix3d::Identity();
  const double p = -0.5 * (A * A).trace(), q = -A.determinant();
  const double discriminant = 0.25 * q * q + p * p * p / 27;
  if (discriminant > 0) {
    // One real root u + v, and a pair -(u + v) / 2 +- i sqrt(3) (u - v) / 2.
    const double u = std::cbrt(-0.5 * q - std::copysign(std::sqrt(discriminant), q));
    const double v = u == 0 ? 0.0 : -p / (3 * u);
    const double real = mean - 0.5 * (u + v), imaginary = 0.5 * std::numbers::sqrt3 * (u - v);
    return std::max(std::abs(mean + u + v), std::hypot(real, imaginary));
  }
  const double size = 2 * std::sqrt(std::max(0.0, -p / 3));
  if (size == 0) return std::abs(mean);
  const double angle = std::acos(std::clamp(3 * q / (p * size), -1.0, 1.0)) / 3;
  double largest = 0;
  for (int k = 0; k < 3; ++k)
    largest = std::max(largest, std::abs(mean + size * std::cos(angle - 2 * std::numbers::pi * k / 3)));
  return largest;
}

}  // namespace tactus::rt
