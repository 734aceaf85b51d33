// The Magic Formula: what the laws of tyres do not share.
#include "rt/mechanics/tyres/magic_formula.h"

#include "rt/mechanics/tyres/tyre_law.h"
#include "tests/rt/mechanics/tyres/one_wheel.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("a mirrored tyre of the Magic Formula has the mirror image of the forces", "[rt][mechanics][tyres]") {
  rt::ModelSpec spec = wheel(magicFormula(), 0, 0);
  const rt::Model left = rt::buildModel(spec);
  std::get<rt::SlipTyreSpec>(spec.forces[0].kind).mirrored = true;
  const rt::Model right = rt::buildModel(spec);
  const rt::SlipForce a = rt::slipForce(only(left), {0.02, 0.03, 0.05, 3000}),
                      b = rt::slipForce(only(right), {0.02, -0.03, -0.05, 3000});
  CHECK(a.longitudinal == Approx(b.longitudinal));
  CHECK(a.lateral == Approx(-b.lateral));
  CHECK(a.aligning == Approx(-b.aligning));
  CHECK(rt::slipForce(only(left), {0, 0, 0, 3000}).lateral != Approx(0).margin(1));  // the coefficients have a side
}

TEST_CASE("the Magic Formula counts slip against the speed of the wheel's centre", "[rt][mechanics][tyres]") {
  CHECK(rt::MagicFormulaLaw::speed(3, 5) == 5);
}
