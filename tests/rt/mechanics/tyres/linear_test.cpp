// The linear law against its closed forms, and a wheel that runs by it against the linear equations of a rolling tyre.
#include "rt/mechanics/tyres/linear.h"

#include "tests/rt/mechanics/tyres/one_wheel.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kAlong = 8e4, kAcross = 6e4, kCamber = 3e3, kMuX = 1.1, kMuY = 0.9, kTrail = 0.03;
const rt::LinearTyreSpec kSpec{kAlong, kAcross, kCamber, kMuX, kMuY, kTrail};
const rt::LinearGrip kGrip{kAlong, kAcross, kCamber, kMuX, kMuY, kTrail};

rt::SlipForce forceOf(const rt::TyreSlip& slip) {
  const rt::SlipTyre tyre{};
  return rt::LinearLaw::force(kGrip, tyre, slip, rt::LinearLaw::stiffness(kGrip, tyre, slip.load, slip.camber));
}

/// Linear force over the friction ellipse.
double shareOf(const rt::TyreSlip& s) {
  const double fx = kAlong * s.ratio, fy = kAcross * s.tangent - kCamber * s.camber, maximum = s.friction * s.load;
  return std::hypot(fx / (kMuX * maximum), fy / (kMuY * maximum));
}

}  // namespace

TEST_CASE("the linear tyre follows its closed form on and off the friction ellipse", "[rt][mechanics][tyres]") {
  for (double ratio = -0.4; ratio <= 0.4; ratio += 0.08)
    for (double tangent = -0.4; tangent <= 0.4; tangent += 0.08)
      for (const double camber : {-0.1, 0.0, 0.2})
        for (const double friction : {0.3, 1.0}) {
          const rt::TyreSlip slip{ratio, tangent, camber, kLoad, friction};
          const double rho = shareOf(slip), s = std::pow(1 + std::pow(rho, 4), -0.25);
          const rt::SlipForce f = forceOf(slip);
          CAPTURE(ratio, tangent, camber, friction);
          // The micronewton that keeps quotients finite, over 1 kN, to the power with which the trail fades.
          CHECK(f.longitudinal == Approx(kAlong * ratio * s).epsilon(2e-8).margin(1e-9));
          CHECK(f.lateral == Approx((kAcross * tangent - kCamber * camber) * s).epsilon(2e-8).margin(1e-9));
          CHECK(f.aligning == Approx(-kTrail * std::pow(s, 5) * kAcross * tangent).epsilon(2e-8).margin(1e-9));
          const double inside =
              std::hypot(f.longitudinal / (kMuX * friction * kLoad), f.lateral / (kMuY * friction * kLoad));
          CHECK(inside < 1);
          CHECK(inside == Approx(rho * s).epsilon(2e-8).margin(1e-9));
        }
}

TEST_CASE("the slope of the linear tyre's force is that of its closed form, and has no kink",
          "[rt][mechanics][tyres]") {
  const double h = 1e-6;
  for (double ratio = -0.3; ratio <= 0.3; ratio += 0.01) {
    const double slope =
        (forceOf({ratio + h, 0, 0, kLoad}).longitudinal - forceOf({ratio - h, 0, 0, kLoad}).longitudinal) / (2 * h);
    const double rho = shareOf({ratio, 0, 0, kLoad});
    // d(x (1 + x^4)^(-1/4))/dx = (1 + x^4)^(-5/4); the tolerance is the error of a difference
    CHECK(slope == Approx(kAlong * std::pow(1 + std::pow(rho, 4), -1.25)).epsilon(1e-6).margin(1));
  }
}

TEST_CASE("camber pushes the linear tyre to the side to which it leans, and an unloaded one carries nothing",
          "[rt][mechanics][tyres]") {
  CHECK(forceOf({0, 0, 0.1, kLoad}).lateral < 0);  // the top leans to the right; lateral counts to the left
  CHECK(forceOf({0, 0, 0.1, kLoad}).aligning == 0);
  const rt::SlipForce none = forceOf({0.1, -0.1, 0.1, 1e-9});
  CHECK(std::abs(none.longitudinal) < 1e-5);  // ten times the micronewton that keeps quotients finite
  CHECK(std::abs(none.lateral) < 1e-5);
}

TEST_CASE("the tread of the linear tyre deflects to three times the friction ellipse", "[rt][mechanics][tyres]") {
  const rt::SlipTyre tyre{};
  const rt::SlipStiffness stiffness = rt::LinearLaw::stiffness(kGrip, tyre, kLoad, 0);
  const double at_ellipse = kMuY * kLoad / kAcross;
  CHECK(rt::LinearLaw::limit(kGrip, tyre, {0, 2.9 * at_ellipse, 0, kLoad}, stiffness, 10) == 1);
  CHECK(rt::LinearLaw::limit(kGrip, tyre, {0, 6 * at_ellipse, 0, kLoad}, stiffness, 10) == Approx(0.5));
  CHECK(rt::LinearLaw::speed(3, 5) == 5);
}

TEST_CASE("a wheel that slips sideways as it rolls follows the linear equations of a relaxing tyre",
          "[rt][mechanics][tyres]") {
  constexpr double kSpeed = 20, kSideways = 0.05, kRelaxation = 0.4;
  rt::ModelSpec spec = wheel(kSpec, kSpeed, kSpeed / kRadius);
  spec.bodies[0].velocity = {kSpeed, kSideways, 0};
  spec.bodies[0].inertia = rt::Vector3d(1e7, 1.2, 1e7).asDiagonal();  // it neither rolls nor yaws
  std::get<rt::SlipTyreSpec>(spec.forces[0].kind).standstill_damping = 0;
  const auto run = record(spec, settingsFor(1e-3), 0.3, {"wheel.v.y"});
  REQUIRE(run.ok);
  // m v' = C u / sigma, u' = -v - V u / sigma: two decays.
  const double b = kSpeed / kRelaxation, c = kAcross / (kMass * kRelaxation);
  const double root = std::sqrt(b * b - 4 * c), slow = 0.5 * (b - root), fast = 0.5 * (b + root);
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    const double t = run.t[k];
    const double v = kSideways * (fast * std::exp(-slow * t) - slow * std::exp(-fast * t)) / (fast - slow);
    // Second order of a step of 1 ms at a decay of 41/s: (41e-3)^2.
    REQUIRE(run["wheel.v.y"][k] == Approx(v).epsilon(0).margin(2e-3 * kSideways));
  }
}
