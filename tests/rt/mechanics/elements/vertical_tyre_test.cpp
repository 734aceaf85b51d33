// Tyres that carry a load normal to their road.
#include "rt/mechanics/elements/vertical_tyre.h"
#include "rt/model/model.h"

#include "rt/mechanics/compliant_rows.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

constexpr double kTyreRadius = 0.4, kTyreStiffness = 2e5, kTyreDamping = 1500, kWheelMass = 100;

/// One wheel of 100 kg that slides along a tilted plane with a bump, 3 mm pressed in; nothing turns it.
rt::ModelSpec wheelOnRoad(const Vector3d& up, double speed) {
  rt::ModelSpec spec = freeBody(0);
  const Vector3d normal = up.normalized(), along = Vector3d(1, 0.2, 0).cross(normal).cross(normal) * -1;
  spec.gravity = -9.81 * normal;
  rt::RoadSpec road;
  road.name = "road";
  road.origin = {0.1, -0.2, 0.3};
  road.up = up;
  road.along = along;
  road.half_cylinders = {{0.8, 0.05}};
  spec.roads = {road};
  rt::BodySpec& body = spec.bodies[0];
  body.mass = kWheelMass;
  body.position = road.origin + (kTyreRadius - 0.003) * normal;
  body.velocity = speed * along.normalized();
  body.angular_velocity = Vector3d::Zero();
  spec.forces = {
      {"tyre", "",
       rt::VerticalTyreSpec{"road", body.name, Vector3d::Zero(), kTyreRadius, kTyreStiffness, kTyreDamping}}};
  return spec;
}

const Vector3d kTilted(0.2, -0.1, 1);

}  // namespace

TEST_CASE("the law of a tyre: value and derivatives agree with its contact; it never pulls",
          "[rt][mechanics][elements]") {
  const rt::Model model = rt::buildModel(wheelOnRoad({0, 0, 1}, 3));
  const rt::Joint& joint = model.joints[0];
  rt::BodyMotion motion;
  motion.v = {3, 0, 0};
  const auto lambda = [&](double x, double height, double rate) {
    motion.r = Vector3d(0.1, -0.2, 0.3) + x * model.roads[0].along + height * model.roads[0].up;
    rt::CompliantLaw scratch;
    const double phi[] = {height}, rates[] = {rate};
    double force[1];
    rt::compliantForce(rt::lawAt(model, joint, &motion, nullptr, phi, rates, scratch), phi, rates, force);
    return std::make_pair(force[0], scratch);
  };
  for (const double x : {0.0, 0.7, 0.85})
    for (const double height : {0.38, 0.42, 0.46})
      for (const double rate : {-0.5, 0.0, 0.3, 20.0}) {
        INFO(x << ' ' << height << ' ' << rate);
        const auto [force, law] = lambda(x, height, rate);
        const rt::RoadProfile profile = rt::roadUnderDisc(model.roads[0], kTyreRadius, x);
        const double pressed = kTyreRadius + profile.height - height;
        const double along = model.roads[0].along.dot(motion.v);
        const double load = kTyreStiffness * pressed + kTyreDamping * (profile.slope * along - rate);
        // Round-off of the deflection times the stiffness.
        CHECK(force == Approx(pressed > 0 && load > 0 ? -load : 0.0).epsilon(0).margin(1e-9));
        CHECK(law.K(0, 0) > 0);
        if (force == 0) continue;
        const double h = 1e-6;
        CHECK(law.K(0, 0) == Approx((lambda(x, height + h, rate).first - lambda(x, height - h, rate).first) / (2 * h)));
        CHECK(law.C(0, 0) == Approx((lambda(x, height, rate + h).first - lambda(x, height, rate - h).first) / (2 * h)));
      }
}

TEST_CASE("a wheel settles on its tyre with its weight", "[rt][mechanics][elements]") {
  const Recording run = record(wheelOnRoad(kTilted, 0), settingsFor(1e-3), 3, {"tyre.*", "brick.v.*"});
  REQUIRE(run.ok);
  // Three seconds are some 15 time constants of the damper: 1e-6 of the drop is left.
  CHECK(run["tyre.load"].back() == Approx(kWheelMass * 9.81).epsilon(1e-6));
  CHECK(run["tyre.deflection"].back() == Approx(kWheelMass * 9.81 / kTyreStiffness).epsilon(1e-6));
  CHECK(run["tyre.road"].back() == 0.0);
  // 15 time constants.
  for (const char* axis : {"x", "y", "z"}) CHECK(std::abs(run[std::string("brick.v.") + axis].back()) < 1e-6);
}

TEST_CASE("a wheel over a bump: it leaves the road, and its energies add up", "[rt][mechanics][elements]") {
  std::vector<double> drift;
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    const Recording run = record(wheelOnRoad(kTilted, 5), settingsFor(dt, 3), 0.6, {"tyre.*", "energy.*"});
    REQUIRE(run.ok);
    CHECK(run.highestChange("energy.input") > 10);  // the bump lifts 100 kg
    CHECK(run["energy.dissipated"].back() > 10);    // the damper takes it
    CHECK(*std::min_element(run["tyre.deflection"].begin(), run["tyre.deflection"].end()) < -1e-3);  // in the air
    CHECK(*std::max_element(run["tyre.road"].begin(), run["tyre.road"].end()) == Approx(0.05).margin(1e-4));
    for (std::size_t k = 0; k < run.t.size(); ++k) {
      CHECK(run["tyre.load"][k] > -1.0);
      if (run["tyre.deflection"][k] < -1e-3) CHECK(std::abs(run["tyre.load"][k]) < 1.0);
    }
    drift.push_back(std::max(run.highestChange("energy.total"), -run.lowestChange("energy.total")));
  }
  CAPTURE(drift);
  CHECK(drift[2] < 0.5);  // J, of some 100 J that pass through the tyre
  CHECK(drift[2] < 0.5 * drift[0]);
}
