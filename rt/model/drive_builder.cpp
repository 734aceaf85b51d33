#include "rt/model/drive_builder.h"

#include <Eigen/Dense>

namespace tactus::rt {

namespace {

/// Second derivatives at the points of the cubic spline that is at rest at both ends.
std::vector<double> splineBends(const std::vector<double>& t, const std::vector<double>& y) {
  const auto n = static_cast<Eigen::Index>(t.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  const auto at = [](const std::vector<double>& v, Eigen::Index i) { return v[static_cast<std::size_t>(i)]; };
  const auto h = [&](Eigen::Index i) { return at(t, i + 1) - at(t, i); };
  const auto slope = [&](Eigen::Index i) { return (at(y, i + 1) - at(y, i)) / h(i); };
  A(0, 0) = h(0) / 3;
  A(0, 1) = h(0) / 6;
  b[0] = slope(0);
  for (Eigen::Index i = 1; i + 1 < n; ++i) {
    A(i, i - 1) = h(i - 1) / 6;
    A(i, i) = (h(i - 1) + h(i)) / 3;
    A(i, i + 1) = h(i) / 6;
    b[i] = slope(i) - slope(i - 1);
  }
  A(n - 1, n - 2) = h(n - 2) / 6;
  A(n - 1, n - 1) = h(n - 2) / 3;
  b[n - 1] = -slope(n - 2);
  const Eigen::VectorXd bends = A.partialPivLu().solve(b);
  return {bends.data(), bends.data() + n};
}

}  // namespace

Drive makeDrive(const DriveSpec& spec) {
  Drive drive;
  if (const auto* polynomial = std::get_if<PolynomialSpec>(&spec.function)) {
    drive.kind = DriveKind::kPolynomial;
    drive.coefficients = polynomial->coefficients;
  } else if (const auto* harmonic = std::get_if<HarmonicSpec>(&spec.function)) {
    drive.kind = DriveKind::kHarmonic;
    drive.coefficients = {harmonic->offset, harmonic->amplitude, harmonic->angular_frequency, harmonic->phase};
  } else if (const auto* table = std::get_if<TableSpec>(&spec.function)) {
    drive.kind = DriveKind::kTable;
    drive.times = table->times;
    drive.values = table->values;
    drive.bends = splineBends(table->times, table->values);
  } else {
    drive.kind = DriveKind::kInput;
  }
  return drive;
}

}  // namespace tactus::rt
