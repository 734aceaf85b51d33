#include "tests/support/closed_forms.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tactus::tests {

namespace {

/// Jacobi's sn(u, m) by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
double jacobiSn(double u, double m) {
  std::array<double, 12> a{}, c{};
  a[0] = 1;
  double b = std::sqrt(1 - m);
  int n = 0;
  for (c[0] = std::sqrt(m); std::abs(c[static_cast<std::size_t>(n)]) > 1e-16 && n < 11; ++n) {
    const auto k = static_cast<std::size_t>(n);
    a[k + 1] = (a[k] + b) / 2;
    c[k + 1] = (a[k] - b) / 2;
    b = std::sqrt(a[k] * b);
  }
  double phase = std::ldexp(a[static_cast<std::size_t>(n)] * u, n);
  for (int k = n; k > 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    phase = (phase + std::asin(c[i] / a[i] * std::sin(phase))) / 2;
  }
  return std::sin(phase);
}

}  // namespace

double pendulumFromHorizontal(double t, double gravity) {
  const double modulus = std::numbers::sqrt2 / 2;
  return 2 * std::asin(modulus * jacobiSn(std::sqrt(gravity) * t + std::comp_ellint_1(modulus), 0.5));
}

}  // namespace tactus::tests
