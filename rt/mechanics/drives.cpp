#include "rt/mechanics/drives.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

DriveValue polynomial(const std::vector<double>& c, double t) noexcept {
  // Horner for the value and both derivatives at once.
  DriveValue d;
  for (std::size_t i = c.size(); i-- > 0;) {
    d.acceleration = d.acceleration * t + 2 * d.rate;
    d.rate = d.rate * t + d.value;
    d.value = d.value * t + c[i];
  }
  return d;
}

DriveValue harmonic(const std::vector<double>& c, double t) noexcept {
  const double phase = c[2] * t + c[3], s = std::sin(phase), k = std::cos(phase);
  return {c[0] + c[1] * s, c[1] * c[2] * k, -c[1] * c[2] * c[2] * s};
}

DriveValue table(const Drive& d, double t) noexcept {
  if (t <= d.times.front()) return {d.values.front(), 0, 0};
  if (t >= d.times.back()) return {d.values.back(), 0, 0};
  const auto right = static_cast<std::size_t>(std::upper_bound(d.times.begin(), d.times.end(), t) - d.times.begin());
  const std::size_t left = right - 1;
  const double h = d.times[right] - d.times[left];
  const double a = (d.times[right] - t) / h, b = (t - d.times[left]) / h;
  const double y_0 = d.values[left], y_1 = d.values[right], m_0 = d.second_derivatives[left],
               m_1 = d.second_derivatives[right];
  return {a * y_0 + b * y_1 + ((a * a * a - a) * m_0 + (b * b * b - b) * m_1) * h * h / 6,
          (y_1 - y_0) / h + ((3 * b * b - 1) * m_1 - (3 * a * a - 1) * m_0) * h / 6, a * m_0 + b * m_1};
}

}  // namespace

DriveValue evaluateDrive(const Drive& drive, double time, std::span<const double> input) noexcept {
  switch (drive.kind) {
    case DriveKind::kPolynomial: return polynomial(drive.coefficients, time);
    case DriveKind::kHarmonic: return harmonic(drive.coefficients, time);
    case DriveKind::kTable: return table(drive, time);
    case DriveKind::kInput: break;
  }
  const auto given = [&](int order) noexcept {
    const int actuator = drive.actuator[order];
    return actuator < 0 ? 0.0 : input[static_cast<std::size_t>(actuator)];
  };
  return {given(0), given(1), given(2)};
}

}  // namespace tactus::rt
