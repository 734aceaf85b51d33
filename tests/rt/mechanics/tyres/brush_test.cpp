// The brush model: what the laws of tyres do not share.
#include "rt/mechanics/tyres/brush.h"
#include "rt/model/model.h"

#include "tests/rt/mechanics/tyres/one_wheel.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("all of the contact of a brush slides at its limit, and the trail is gone", "[rt][mechanics][tyres]") {
  const rt::Model model = rt::buildModel(wheel(rt::BrushTyreSpec{8e4, 6e4, 0.9, 1, 0.06}, 0, 0));
  const rt::SlipTyre& tyre = only(model);
  const rt::BrushGrip& grip = std::get<rt::BrushGrip>(tyre.grip);
  const rt::SlipStiffness stiffness = rt::BrushLaw::stiffness(grip, tyre, kLoad, 0);
  const double sliding = 3 * 0.9 * kLoad / stiffness.lateral;  // tangent at which theta is 1
  CHECK(rt::BrushLaw::limit(grip, tyre, {0, 0.9 * sliding, 0, kLoad}, stiffness, 10) == 1);
  CHECK(rt::BrushLaw::limit(grip, tyre, {0, 2 * sliding, 0, kLoad}, stiffness, 10) == Approx(0.5));
  const rt::SlipForce below = rt::BrushLaw::force(grip, tyre, {0, 0.1 * sliding, 0, kLoad}, stiffness);
  const rt::SlipForce beyond = rt::BrushLaw::force(grip, tyre, {0, 1.5 * sliding, 0, kLoad}, stiffness);
  CHECK(below.lateral < 0.9 * kLoad);
  CHECK(below.aligning < 0);
  CHECK(beyond.lateral == Approx(0.9 * kLoad));
  CHECK(beyond.aligning == 0);
  CHECK(rt::BrushLaw::speed(3, 5) == 3);
}
