// Air and anti-roll bars in motion: closed forms, energy, stiffness.
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "tests/validation/acceptance.h"
#include "tests/validation/axes.h"

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

/// A frame that rolls about x on ground, with an arm of 5 kg m^2 on either side on springs, joined by a bar.
rt::ModelSpec axle(double stiffness, double damping) {
  rt::ModelSpec spec;
  spec.name = "axle";
  spec.gravity = kNone;
  for (const auto& [name, y] : {std::pair("frame", 0.0), {"left", 0.8}, {"right", -0.8}}) {
    rt::BodySpec body = makeBody(name, {0, y, 0});
    body.mass = 8;
    body.inertia = Vector3d(5, 5, 5).asDiagonal();
    spec.bodies.push_back(body);
  }
  spec.bodies[0].inertia *= 20;
  const auto hinge = [](const Vector3d& point_1, const Vector3d& point_2) -> rt::RevoluteSpec {
    return {point_1, point_2, kX, kX, 0};
  };
  spec.joints = {makeJoint("roll", "ground", "frame", hinge(kNone, kNone)),
                 makeJoint("left_arm", "frame", "left", hinge({0, 0.4, 0}, {0, -0.4, 0})),
                 makeJoint("right_arm", "frame", "right", hinge({0, -0.4, 0}, {0, 0.4, 0}))};
  spec.forces = {{"left_spring", "", rt::RotationalSpringSpec{"left_arm", 4e3, 20, 0.1, 0}},
                 {"right_spring", "", rt::RotationalSpringSpec{"right_arm", 4e3, 20, 0, 0}},
                 {"bar", "", rt::AntiRollBarSpec{"left_arm", "right_arm", stiffness, damping, -1, {}}}};
  return spec;
}

}  // namespace

TEST_CASE("an anti-roll bar follows a reference with order 2, and energy closes", "[validation][loads]") {
  const rt::ModelSpec spec = axle(3e3, 15);
  const rt::Model model = rt::buildModel(spec);
  const double until = 0.5;
  const rt::State start = rt::initialState(model).state;
  const auto t = rt::offline::integrate({model, start, {}, 0.002, until, {until}, nullptr, {}}, "cvode-bdf",
                                        {"rtol=1e-10", "atol=1e-11"});
  REQUIRE(t.ending == rt::offline::Ending::kComplete);
  const rt::StateView exact(rt::StateLayout(model), t.samples.back().state.data());
  std::vector<double> errors, drift;
  for (const double dt : {0.004, 0.002, 0.001}) {
    const Recording run = record(spec, settingsFor(dt, 3), until, {"*"});
    REQUIRE(run.ok);
    errors.push_back(std::abs(run["left_arm.angle"].back() - exact.jointDisplacements()[1]) +
                     std::abs(run["right_arm.angle"].back() - exact.jointDisplacements()[2]));
    drift.push_back(std::max(-run.lowestChange("energy.total"), run.highestChange("energy.total")));
  }
  CAPTURE(errors, drift);
  // Order 2, with room for the next term of the error.
  for (const double order : observedOrders(errors)) CHECK(order > 1.7);
  for (const double order : observedOrders(drift)) CHECK(order > 1.7);
}

TEST_CASE("a bar of 1e5 N m/rad on arms of 5 kg m^2 costs no convergence at 1 ms", "[validation][loads]") {
  const Recording run = record(axle(1e5, 50), settingsFor(1e-3, 2), 1, {"*"});
  REQUIRE(run.ok);
  // Good convergence: an iteration leaves less than a tenth of the error. The bound on energy is a hundred times what
  // is seen.
  CHECK(run.worst.contraction < 0.1);
  CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 0.02 * run["energy.potential"].front());
  // The stiff bar couples the arms, so that a one-sided deflection ends on both sides, but for what the bar yields,
  // 1.96e-3 rad.
  CHECK(run["right_arm.angle"].back() == Approx(-run["left_arm.angle"].back()).margin(2e-3));
}

TEST_CASE("air decelerates a body as the closed form predicts, with and without wind", "[validation][loads]") {
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = kNone;
  spec.bodies[0].velocity = {30, 0, 0};
  rt::AirLoadSpec air;
  air.body = spec.bodies[0].name;
  air.area = 2;
  air.drag = 0.5;
  spec.forces = {{"air", "", air}};
  const double k = 0.5 * 1.225 * 2 * 0.5 / spec.bodies[0].mass;
  for (const double wind : {0.0, -8.0}) {
    std::get<rt::AirLoadSpec>(spec.forces[0].kind).wind = {wind, 0, 0};
    std::vector<double> errors, drift;
    for (const double dt : {0.02, 0.01, 0.005}) {
      const Recording run = record(spec, settingsFor(dt, 3), 1, {"brick.v.x", "energy.*"});
      REQUIRE(run.ok);
      const double u = 30 - wind;
      errors.push_back(std::abs(run["brick.v.x"].back() - wind - u / (1 + k * u)));
      drift.push_back(std::abs(run["energy.total"].back() - run["energy.total"].front()));
    }
    CAPTURE(wind);
    checkOrderTwo(errors);
    CHECK(drift.back() < 0.3 * drift.front());  // two halvings at order 2 give 1/16, at order 1 1/4
  }
}

TEST_CASE("sensors of specific force, reaction, travel and spring force agree with the motion", "[validation][loads]") {
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = Vector3d(0, 0, -9.81);
  rt::BodySpec& body = spec.bodies[0];
  body.position = {0, 0, 0.5};
  body.velocity = body.angular_velocity = kNone;
  const Vector3d z(0, 0, 1);
  spec.joints = {makeJoint("rail", "ground", body.name, rt::PrismaticSpec{kNone, kNone, z, z})};
  rt::TranslationalSpringSpec spring;
  spring.body_1 = "ground";
  spring.body_2 = body.name;
  spring.point_1 = {0, 0, 2};
  spring.stiffness = 200;
  spring.damping = 1;
  spec.forces = {{"spring", "", spring}};
  rt::ActuatorSpec side;
  side.name = "side";
  side.initial = 5;
  side.kind = rt::BodyForceSpec{body.name, kNone, kX, rt::Frame::kWorld};
  spec.actuators = {side};
  spec.sensors = {{"felt", "", rt::SpecificForceSpec{body.name, kNone, z, rt::Frame::kBody}},
                  {"pull", "", rt::ForceValueSpec{"spring"}},
                  {"travel", "", rt::JointTravelSpec{"rail", false}},
                  {"travel_rate", "", rt::JointTravelSpec{"rail", true}},
                  {"across", "", rt::JointReactionSpec{"rail", false, kX, rt::Frame::kBody}},
                  {"twist", "", rt::JointReactionSpec{"rail", true, kX, rt::Frame::kWorld}}};
  const Recording run = record(spec, settingsFor(1e-3), 0.7, {"*"});
  REQUIRE(run.ok);
  const std::string name = spec.bodies[0].name;
  const double mass = spec.bodies[0].mass;
  for (std::size_t k = 1; k < run.t.size(); k += 37) {
    // The spring is the only force along z besides gravity. Reactions carry the compliance of the rows, 1e-8 relative;
    // positions and velocities are projected to round-off.
    CHECK(run["felt"][k] == Approx(run["spring.tension"][k] / mass).epsilon(0).margin(1e-6));
    CHECK(run["pull"][k] == run["spring.tension"][k]);
    CHECK(run["travel"][k] == Approx(run[name + ".r.z"][k]).epsilon(0).margin(1e-9));
    CHECK(run["travel_rate"][k] == Approx(run[name + ".v.z"][k]).epsilon(0).margin(1e-9));
    CHECK(run["across"][k] == Approx(-5).epsilon(0).margin(1e-6));
    CHECK(run["twist"][k] == Approx(0).margin(1e-6));
  }
}
