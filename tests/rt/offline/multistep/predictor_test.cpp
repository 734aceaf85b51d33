#include "rt/offline/multistep/predictor.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt::offline;

TEST_CASE("predictors are exact for cubics and quintics at uneven and at decreasing times", "[rt][offline]") {
  const auto at = [](double t, int degree) {
    double value = 0, rate = 0;
    for (int k = 0; k <= degree; ++k) {
      value += (k + 1) * std::pow(t, k);
      rate += k == 0 ? 0 : (k + 1) * k * std::pow(t, k - 1);
    }
    return RatePoint{t, VectorXd::Constant(1, value), VectorXd::Constant(1, rate)};
  };
  const RatePoint a = at(0.1, 3), b = at(0.6, 3);
  CHECK(predictSecondOrder(0.9, b, a).value() == Approx(at(0.9, 3).rate.value()));
  CHECK(predictSecondOrder(0.3, b, a).value() == Approx(at(0.3, 3).rate.value()));
  CHECK(predictFourthOrder(1.0, at(0.7, 5), at(0.4, 5), at(0, 5)).value() == Approx(at(1.0, 5).rate.value()));
  CHECK(predictFourthOrder(1.0, at(1.1, 5), at(0.5, 5), at(0, 5)).value() == Approx(at(1.0, 5).rate.value()));
  // Points too close together for the step: the last rate.
  CHECK(predictSecondOrder(9, at(0.11, 3), a).value() == at(0.11, 3).rate.value());
}
