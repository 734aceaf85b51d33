// Two products with a constant matrix against Eigen's.
#include "rt/mechanics/weighted_rows.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <vector>

using namespace tactus::rt;

namespace {

constexpr double kRoundOff = 1e-13;  // sums of up to 50 numbers of order 1
constexpr double kUntouched = 7;

double numberOf(Eigen::Index i) {
  return std::sin(1.0 + static_cast<double>(i));
}

}  // namespace

TEST_CASE("rows are weighted sums of coordinates, wherever they lie, and the way back is the transpose",
          "[rt][mechanics]") {
  // Rows that follow each other, with gaps, and more of both than go into six vectors.
  std::vector<int> with_gaps{2, 3, 4, 9, 10, 30}, many(30);
  std::iota(many.begin(), many.end(), 1);
  for (const std::vector<int>& rows : {std::vector<int>{5}, with_gaps, many})
    for (const int coordinates : {1, 6, 42}) {
      CAPTURE(rows.size(), coordinates);
      const auto count = static_cast<Eigen::Index>(rows.size());
      // Early coordinates are in no late row.
      const Eigen::MatrixXd weights = Eigen::MatrixXd::NullaryExpr(
          coordinates, count,
          [](Eigen::Index i, Eigen::Index r) { return i + 2 < r / 2 ? 0.0 : numberOf(3 * i + 7 * r); });
      const WeightedRows weighted(rows, weights);
      Eigen::VectorXd x(coordinates), back(coordinates);
      for (Eigen::Index i = 0; i < coordinates; ++i) {
        x[i] = numberOf(2 * i);
        back[i] = 10 * numberOf(5 * i);
      }
      std::vector<double> of_rows(40, kUntouched);
      weighted.sum(x.data(), of_rows.data());
      Eigen::VectorXd y(count);
      for (Eigen::Index r = 0; r < count; ++r) {
        double& value = of_rows[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])];
        CHECK(std::abs(value - weights.col(r).dot(x)) < kRoundOff);
        y[r] = value;
        value = kUntouched;
      }
      for (const double value : of_rows) CHECK(value == kUntouched);  // no other row is written
      for (Eigen::Index r = 0; r < count; ++r)
        of_rows[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])] = y[r];
      const Eigen::VectorXd expected = back + weights * y;
      weighted.add(of_rows.data(), back.data());
      CHECK((back - expected).cwiseAbs().maxCoeff() < 10 * kRoundOff);  // of numbers up to 40
    }
}
