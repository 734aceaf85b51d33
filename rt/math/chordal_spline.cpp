#include "rt/math/chordal_spline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tactus::rt {

using Eigen::Vector3d;

namespace {

/// Of Gauss and Legendre on (-1, 1), order 10.
constexpr std::array<double, 5> kPlaces = {-0.906179845938663993, -0.538469310105683091, 0, 0.538469310105683091,
                                           0.906179845938663993};
constexpr std::array<double, 5> kWeights = {0.236926885056189088, 0.478628670499366468, 0.568888888888888889,
                                            0.478628670499366468, 0.236926885056189088};

/// Second derivatives at the points of the spline with these spans, tridiagonal after the ends are eliminated.
std::vector<Vector3d> secondDerivatives(const std::vector<Vector3d>& p, const std::vector<double>& h) {
  const std::size_t n = h.size();
  std::vector<Vector3d> m(n + 1, Vector3d::Zero());
  if (n == 1) return m;
  const auto bend = [&](std::size_t i) -> Vector3d {
    return 6 * ((p[i + 1] - p[i]) / h[i] - (p[i] - p[i - 1]) / h[i - 1]);
  };
  if (n == 2) {
    std::fill(m.begin(), m.end(), bend(1) / (3 * (h[0] + h[1])));
    return m;
  }
  // Rows 1 ... n - 1: h_(i-1) m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_i m_(i+1) = bend_i, where the third derivative does
  // not jump at the points 1 and n - 1.
  std::vector<double> below(n), diagonal(n), above(n);
  for (std::size_t i = 1; i < n; ++i) {
    below[i] = h[i - 1];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    above[i] = h[i];
    m[i] = bend(i);
  }
  const double first = h[0] / h[1], last = h[n - 1] / h[n - 2];
  diagonal[1] += h[0] * (1 + first);
  above[1] -= h[0] * first;
  diagonal[n - 1] += h[n - 1] * (1 + last);
  below[n - 1] -= h[n - 1] * last;
  for (std::size_t i = 2; i < n; ++i) {
    const double share = below[i] / diagonal[i - 1];
    diagonal[i] -= share * above[i - 1];
    m[i] -= share * m[i - 1];
  }
  m[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 2; i >= 1; --i) m[i] = (m[i] - above[i] * m[i + 1]) / diagonal[i];
  m[0] = (1 + first) * m[1] - first * m[2];
  m[n] = (1 + last) * m[n - 1] - last * m[n - 2];
  return m;
}

}  // namespace

ChordalSpline::ChordalSpline(std::vector<Vector3d> points) : points_(std::move(points)) {
  for (std::size_t i = 1; i < points_.size(); ++i) widths_.push_back((points_[i] - points_[i - 1]).norm());
  second_ = secondDerivatives(points_, widths_);
  lengths_.push_back(0);
  for (std::size_t i = 0; i < spans(); ++i)
    for (std::size_t k = 0; k < kPanels; ++k) {
      const double width = widths_[i] / kPanels;
      const auto from = static_cast<double>(k) * width;
      lengths_.push_back(lengths_.back() + lengthBetween(i, from, from + width));
    }
}

Vector3d ChordalSpline::at(std::size_t i, double u) const {
  const double h = widths_[i], v = h - u;
  return (v / h) * points_[i] + (u / h) * points_[i + 1] + (v * (v * v - h * h) / (6 * h)) * second_[i] +
         (u * (u * u - h * h) / (6 * h)) * second_[i + 1];
}

Vector3d ChordalSpline::rateAt(std::size_t i, double u) const {
  const double h = widths_[i], v = h - u;
  return (points_[i + 1] - points_[i]) / h + ((h * h - 3 * v * v) / (6 * h)) * second_[i] +
         ((3 * u * u - h * h) / (6 * h)) * second_[i + 1];
}

double ChordalSpline::lengthBetween(std::size_t span, double from, double to) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0;
  for (std::size_t k = 0; k < kPlaces.size(); ++k) sum += kWeights[k] * rateAt(span, middle + half * kPlaces[k]).norm();
  return half * sum;
}

std::pair<std::size_t, double> ChordalSpline::find(double s) const {
  // The last panel that begins before s.
  const auto behind = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, s);
  const auto panel = static_cast<std::size_t>(behind - lengths_.begin()) - 1;
  const std::size_t span = panel / kPanels;
  const double width = widths_[span] / kPanels, from = static_cast<double>(panel % kPanels) * width;
  const double wanted = s - lengths_[panel];
  // Newton's method on the length, with bisection where the curve nearly stops.
  double low = from, high = from + width, u = from + width * wanted / (lengths_[panel + 1] - lengths_[panel]);
  for (int k = 0; k < 60; ++k) {
    const double missing = wanted - lengthBetween(span, from, u);
    (missing > 0 ? low : high) = u;
    double next = u + missing / rateAt(span, u).norm();
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double step = std::abs(next - u);
    u = next;
    if (step <= 1e-15 * widths_[span]) break;  // round-off
  }
  return {span, u};
}

Vector3d ChordalSpline::position(double s) const {
  const auto [span, u] = find(s);
  return at(span, u);
}

Vector3d ChordalSpline::tangent(double s) const {
  const auto [span, u] = find(s);
  return rateAt(span, u).normalized();
}

}  // namespace tactus::rt
