#include "rt/model/elements/table.h"

#include "rt/math/lu.h"
#include "rt/model/model.h"
#include "rt/model/rules.h"

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxTableRows = 1024;  ///< the spline is solved densely, once

/// Second derivatives, at the points, of the cubic spline whose rate is zero at both ends.
std::vector<double> splineSecondDerivatives(const std::vector<double>& t, const std::vector<double>& y) {
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
  const Eigen::VectorXd second_derivatives = LuFactors(A).solve(b);
  return {second_derivatives.data(), second_derivatives.data() + n};
}

}  // namespace

Fields TableSpec::fields() {
  static constexpr Field kFields[] = {
      field<&TableSpec::times>("times", "Times of the points since tick 0.",
                               {.unit = "s", .rule = "2 to 1024 numbers, increasing"}),
      field<&TableSpec::values>("values", "Values at the points.",
                                {.unit = "rad or m", .range = Range::kFinite, .rule = "one for each time"}),
  };
  return kFields;
}

void check(const TableSpec& spec, const FindingPlace& at) {
  requireCount(at.path + ".times", spec.times, 2, kMaxTableRows, at.out);
  requireSameCount(at.path + ".values", spec.values, "times", spec.times.size(), at.out);
  requireIncreasing(at.path + ".times", spec.times, at.out);
}

void build(const TableSpec& spec, Drive& drive) {
  drive.kind = DriveKind::kTable;
  drive.times = spec.times;
  drive.values = spec.values;
  drive.second_derivatives = splineSecondDerivatives(spec.times, spec.values);
}

}  // namespace tactus::rt
