// Derivatives of direct loads, all kinds at once, against differences.
#include "rt/mechanics/force_element_derivatives.h"

#include "tests/rt/mechanics/elements/direct_loads.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("derivatives of drags, air and anti-roll bars agree with differences", "[rt][mechanics][elements]") {
  std::mt19937 random(821);
  for (int repeat = 0; repeat < 6; ++repeat) {
    Model model = directLoads(repeat % 2 == 1);
    if (repeat > 2) {
      model.air_loads[0].side = 0.9;
      model.air_loads[0].across = Vector3d(0.8, 0, 0.6);
    }
    const Motions motions = randomMotions(random);
    const std::vector<double> angles = anglesOf(model, motions);
    // The angle of a bar's joint holds for parallel axes: its rate is exact for turning about the axis alone.
    for (const bool velocity : {false, true}) {
      const Eigen::MatrixXd D = derivativesOf(model, motions, angles, velocity);
      for (int c = 0; c < 6 * kBodies; ++c) {
        if (!velocity && c < 18 && c % 6 >= 3) continue;
        CAPTURE(repeat, velocity, c);
        CHECK((D.col(c) - differenceOf(model, motions, angles, velocity, c)).norm() < kDifferenceTolerance);
      }
    }
  }
}
