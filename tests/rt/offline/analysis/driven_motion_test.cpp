// Drives in analyses of one state: what moves by a function of time is neither at rest nor steady.
// Covers: rt/offline/analysis/driven_motion.cpp
#include "rt/offline/analysis/driven_motion.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/modes.h"
#include "rt/offline/analysis/trim.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;
using rt::offline::Unrest;
using rt::offline::unrestOf;

namespace {

/// A pendulum that hangs from a cart on a rail, which a drive moves.
rt::Model drivenCart(const decltype(rt::DriveSpec::function)& function, double speed) {
  rt::ModelSpec spec;
  spec.name = "driven_cart";
  spec.gravity = Vector3d(0, 0, -9.81);
  spec.bodies = {makeBody("cart", {0, 0, 0}), makeBody("bob", {0, 0, -1})};
  for (rt::BodySpec& body : spec.bodies) body.velocity = Vector3d(speed, 0, 0);
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY();
  spec.joints = {makeJoint("rail", "ground", "cart", rt::PrismaticSpec{{0, 0, 0}, {0, 0, 0}, x, x}),
                 makeJoint("pin", "cart", "bob", rt::RevoluteSpec{{0, 0, 0}, {0, 0, 1}, y, y, 0})};
  rt::DriveSpec drive;
  drive.name = "shaker";
  drive.target = rt::DrivenTravelSpec{"rail"};
  drive.function = function;
  spec.drives = {drive};
  return rt::buildModel(spec);
}

/// x = 0.3 sin 5t, at the middle of its swing: 1.5 m/s without acceleration.
const rt::HarmonicSpec kSwing{0, 0.3, 5, 0};
const rt::PolynomialSpec kHeld{{0}}, kSteady{{0, 1.5}};

Unrest unrestOfStart(const rt::Model& model) {
  return unrestOf(rt::offline::linearSystem(model, rt::initialState(model).state, {}));
}

rt::offline::Trim trimmed(const rt::Model& model, bool at_rest) {
  rt::offline::TrimOptions options;
  options.at_rest = at_rest;
  options.wanted = Eigen::VectorXd::Zero(1);
  const auto sideways = [](const rt::State& s) {
    return Eigen::VectorXd::Constant(1, s.view().r(1).x() - s.view().r(0).x());
  };
  return rt::offline::findTrim(model, rt::initialState(model).state, {}, sideways, options);
}

}  // namespace

TEST_CASE("a state with a drive that changes its rate is no equilibrium, and the drive is named",
          "[rt][offline][analysis]") {
  const Unrest swings = unrestOfStart(drivenCart(kSwing, 1.5));
  CHECK(swings.drive == "shaker");
  // x''' = -0.3 * 5^3 cos 5t; a difference over 1 ms is off by a millionth.
  CHECK(swings.rate == Approx(37.5).epsilon(1e-5));
  CHECK(swings.moves);

  // A cart at a constant speed is as good as one that stands.
  const Unrest goes = unrestOfStart(drivenCart(kSteady, 1.5));
  CHECK(goes.rate < 1e-9);  // round-off
  CHECK(goes.moves);
  const Unrest stands = unrestOfStart(drivenCart(kHeld, 0));
  CHECK(stands.rate < 1e-9);  // round-off
  CHECK(stands.drive.empty());
  CHECK_FALSE(stands.moves);
}

TEST_CASE("a trim at rest refuses a drive that moves, each trim one that changes its rate", "[rt][offline][analysis]") {
  for (const bool at_rest : {true, false})
    CHECK_THROWS_WITH(rt::offline::requireSteadyDrives(drivenCart(kSwing, 1.5), {}, 0, at_rest),
                      Catch::Contains("drive 'shaker' changes its rate at 0 s"));
  CHECK_THROWS_WITH(trimmed(drivenCart(kSwing, 1.5), true), Catch::Contains("drive 'shaker' changes its rate"));
  CHECK_THROWS_WITH(trimmed(drivenCart(kSteady, 1.5), true),
                    Catch::Contains("drive 'shaker' moves by 1.5 m/s or rad/s"));
  CHECK_NOTHROW(rt::offline::requireSteadyDrives(drivenCart(kSteady, 1.5), {}, 0, false));
  CHECK(trimmed(drivenCart(kHeld, 0), true).residual < 1e-8);  // kMet
}
