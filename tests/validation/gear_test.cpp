// Gears, racks and screws in motion: closed forms over many turns, moving carriers, energy, a reference of another
// school.
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "tests/validation/acceptance.h"
#include "tests/validation/axes.h"

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

rt::BodySpec wheel(const std::string& name, const Vector3d& position, double inertia) {
  rt::BodySpec body = makeBody(name, position);
  body.mass = 1;
  body.inertia = Vector3d(0.6 * inertia, 0.6 * inertia, inertia).asDiagonal();
  return body;
}

rt::RevoluteSpec hinge(const Vector3d& point_1, const Vector3d& point_2) {
  return {point_1, point_2, kZ, kZ, 0};
}

rt::ActuatorSpec torqueOn(const std::string& joint, double value) {
  rt::ActuatorSpec actuator;
  actuator.name = "torque";
  actuator.initial = value;
  actuator.kind = rt::JointTorqueSpec{joint};
  return actuator;
}

/// Wheels of 0.2 m and 0.5 m on ground, in mesh; the second is not in the plane of the first.
rt::ModelSpec gearPair(bool internal) {
  rt::ModelSpec spec;
  spec.name = "gear_pair";
  spec.gravity = kNone;
  const Vector3d second(internal ? 0.3 : 0.7, 0, 0.05);
  spec.bodies = {wheel("small", kNone, 0.02), wheel("large", second, 0.3)};
  spec.joints = {makeJoint("axle_1", "ground", "small", hinge(kNone, kNone)),
                 makeJoint("axle_2", "ground", "large", hinge(second, kNone)),
                 makeJoint("mesh", "small", "large", rt::GearSpec{kNone, kNone, kZ, 0.2, 0.5, internal})};
  spec.actuators = {torqueOn("axle_1", 3)};
  return spec;
}

/// A planet on a carrier that turns about a sun held by a spring; the carrier starts at 8 rad/s.
rt::ModelSpec planetary() {
  rt::ModelSpec spec;
  spec.name = "planetary";
  spec.gravity = Vector3d(0, -9.81, 0);
  rt::BodySpec carrier = wheel("carrier", {0.15, 0, 0}, 0.1), planet = wheel("planet", {0.3, 0, 0}, 0.02);
  carrier.angular_velocity = {0, 0, 8};
  carrier.velocity = {0, 8 * 0.15, 0};
  planet.velocity = {0, 8 * 0.3, 0};
  planet.angular_velocity = {0, 0, 8 * (0.2 + 0.1) / 0.1};
  spec.bodies = {wheel("sun", kNone, 0.05), carrier, planet};
  spec.joints = {makeJoint("sun_axle", "ground", "sun", hinge(kNone, kNone)),
                 makeJoint("carrier_axle", "ground", "carrier", hinge(kNone, {-0.15, 0, 0})),
                 makeJoint("planet_axle", "carrier", "planet", hinge({0.15, 0, 0}, kNone)),
                 makeJoint("mesh", "sun", "planet", rt::GearSpec{kNone, kNone, kZ, 0.2, 0.1, false})};
  spec.forces = {{"spring", "", rt::RotationalSpringSpec{"sun_axle", 30, 0.2, 0, 0}}};
  return spec;
}

/// A pinion of 0.1 m on ground drives a rack of 2 kg along x.
rt::ModelSpec rack() {
  rt::ModelSpec spec;
  spec.name = "rack";
  spec.gravity = kNone;
  rt::BodySpec bar = makeBody("bar", {0, -0.1, 0});
  bar.mass = 2;
  spec.bodies = {bar, wheel("pinion", kNone, 0.05)};
  spec.joints = {makeJoint("rail", "ground", "bar", rt::PrismaticSpec{{0, -0.1, 0}, kNone, kX, kX}),
                 makeJoint("axle", "ground", "pinion", hinge(kNone, kNone)),
                 makeJoint("teeth", "bar", "pinion", rt::RackAndPinionSpec{{0, 0.1, 0}, kNone, kZ, kX, 0.1})};
  spec.actuators = {torqueOn("axle", 0.7)};
  return spec;
}

/// A nut of 3 kg with an inertia of 0.01 kg m^2 on a vertical screw of 20 mm a turn.
rt::ModelSpec screw() {
  rt::ModelSpec spec;
  spec.name = "screw";
  spec.gravity = Vector3d(0, 0, -9.81);
  spec.bodies = {wheel("nut", {0, 0, 1}, 0.01)};
  spec.bodies[0].mass = 3;
  spec.joints = {makeJoint("thread", "ground", "nut", rt::ScrewSpec{{0, 0, 0.4}, kNone, kZ, kZ, 0.02})};
  return spec;
}

double turnsOf(double angle) {
  return std::abs(angle) / (2 * M_PI);
}

/// The tick integrates Euler parameters: even a constant acceleration it follows with order 2.
constexpr double kSteps[] = {0.004, 0.002, 0.001};

}  // namespace

TEST_CASE("a pair of gears turns by its ratio over many turns", "[validation][gears]") {
  for (const bool internal : {false, true}) {
    const rt::ModelSpec spec = gearPair(internal);
    CHECK(rt::countDegreesOfFreedom(rt::buildModel(spec), rt::initialState(rt::buildModel(spec)).state).count == 1);
    const double ratio = (internal ? 1 : -1) * 0.2 / 0.5, alpha = 3 / (0.02 + 0.3 * ratio * ratio);
    const double angle = 0.5 * alpha * 1.5 * 1.5;
    CHECK(turnsOf(angle) > 5);
    std::vector<double> errors, drift;
    for (const double dt : kSteps) {
      const Recording run = record(spec, settingsFor(dt, 3), 1.5, {"*"});
      REQUIRE(run.ok);
      errors.push_back(std::abs(run["axle_1.angle"].back() - angle));
      drift.push_back(std::abs(run["energy.total"].back() - run["energy.total"].front()));
      // Rows hold to 1e-9 and better, here of angles of some 40 rad.
      CHECK(run["axle_2.angle"].back() == Approx(ratio * run["axle_1.angle"].back()).epsilon(1e-10));
      CHECK(run.worst.constraint_position < 1e-9);
      CHECK(run.worst.constraint_velocity < 1e-9);
      // The force on the teeth of the second wheel equals inertia times acceleration.
      const double force = 0.3 * std::abs(ratio) * alpha / 0.5;
      // At 4 ms the wheel turns by 0.26 rad in a step: the second acceleration pass leaves 2.1e-6.
      CHECK(std::abs(run["mesh.force.y"].back()) == Approx(force).epsilon(dt > 3e-3 ? 3e-6 : 1e-6));
    }
    CHECK(errors.back() < 1e-3 * angle);  // eighteen times what is seen: the order is the test
    checkOrderTwo(errors);
    checkOrderTwo(drift);
  }
}

TEST_CASE("gears on a moving carrier follow a reference, with order 2 and energy", "[validation][gears]") {
  const rt::ModelSpec spec = planetary();
  const rt::Model model = rt::buildModel(spec);
  const double until = 1.2;
  rt::AssemblyResult start = rt::initialState(model);
  CHECK(start.velocity_violation < 1e-12);  // round-off: the declared velocities are consistent
  CHECK(rt::countDegreesOfFreedom(model, start.state).count == 2);
  for (const std::string method : {"cvode-bdf", "rn4"}) {
    const auto t = rt::offline::integrate({model, start.state, {}, 0.002, until, {until}, nullptr, {}}, method,
                                          {"rtol=1e-9", "atol=1e-9"});
    INFO(t.failure);
    REQUIRE(t.ending == rt::offline::Ending::kComplete);
    const rt::StateView exact(rt::StateLayout(model), t.samples.back().state.data());
    std::vector<double> errors, drift;
    for (const double dt : {0.004, 0.002, 0.001}) {
      const Recording run = record(spec, settingsFor(dt, 3), until, {"*.angle", "energy.total", "planet.r.*"});
      REQUIRE(run.ok);
      errors.push_back(std::abs(run["carrier_axle.angle"].back() - exact.jointDisplacements()[1]) +
                       std::abs(run["planet_axle.angle"].back() - exact.jointDisplacements()[2]));
      drift.push_back(std::max(-run.lowestChange("energy.total"), run.highestChange("energy.total")));
      // The angles of both wheels against the carrier keep their relation, as all rows do to 1e-9.
      const double sun = run["sun_axle.angle"].back() - run["carrier_axle.angle"].back();
      CHECK(0.2 * sun + 0.1 * run["planet_axle.angle"].back() == Approx(0).margin(1e-9));
    }
    CAPTURE(method, errors, drift);
    CHECK(turnsOf(exact.jointDisplacements()[2]) > 2);
    // Twenty times what is seen, after more than two turns. Order 2, with room for the next term of the error.
    CHECK(errors.back() < 2e-3);
    for (const double order : observedOrders(errors)) CHECK(order > 1.7);
    for (const double order : observedOrders(drift)) CHECK(order > 1.7);
  }
}

TEST_CASE("a rack follows its pinion over many turns", "[validation][gears]") {
  const rt::ModelSpec spec = rack();
  CHECK(rt::countDegreesOfFreedom(rt::buildModel(spec), rt::initialState(rt::buildModel(spec)).state).count == 1);
  // The center of the pinion stays: the rack goes back by what it rolls.
  const double alpha = 0.7 / (0.05 + 2 * 0.1 * 0.1), angle = 0.5 * alpha * 9;
  CHECK(turnsOf(angle) > 5);
  std::vector<double> errors;
  for (const double dt : kSteps) {
    const Recording run = record(spec, settingsFor(dt, 3), 3, {"*"});
    REQUIRE(run.ok);
    errors.push_back(std::abs(run["axle.angle"].back() - angle));
    // Rows hold to 1e-9 and better; both joints measure one angle, to round-off.
    CHECK(run["bar.r.x"].back() == Approx(-0.1 * run["axle.angle"].back()).epsilon(1e-10));
    CHECK(run["teeth.angle"].back() == Approx(run["axle.angle"].back()).epsilon(1e-12));
    CHECK(std::abs(run["teeth.force.x"].back()) == Approx(2 * 0.1 * alpha).epsilon(1e-6));
    CHECK(run.worst.constraint_position < 1e-9);
  }
  checkOrderTwo(errors);
}

TEST_CASE("a nut falls down its screw with the acceleration of its inertia and pitch", "[validation][gears]") {
  const rt::ModelSpec spec = screw();
  CHECK(rt::countDegreesOfFreedom(rt::buildModel(spec), rt::initialState(rt::buildModel(spec)).state).count == 1);
  const double rho = 0.02 / (2 * M_PI), acceleration = -3 * 9.81 / (3 + 0.01 / (rho * rho));
  std::vector<double> errors, drift;
  for (const double dt : kSteps) {
    const Recording run = record(spec, settingsFor(dt, 3), 2, {"*"});
    REQUIRE(run.ok);
    errors.push_back(std::abs(run["thread.travel"].back() - 0.6 - 2 * acceleration));
    drift.push_back(std::abs(run["energy.total"].back() - run["energy.total"].front()));
    // Rows hold to 1e-9 and better.
    CHECK(run["thread.travel"].back() == Approx(0.6 + rho * run["thread.angle"].back()).epsilon(0).margin(1e-10));
    CHECK(run.worst.constraint_position < 1e-9);
  }
  checkOrderTwo(errors);
  checkOrderTwo(drift);
}

TEST_CASE("a declared state that has turned already closes a gear", "[validation][gears]") {
  rt::ModelSpec spec = gearPair(false);
  const double angle = 5.5;
  rt::InitialConditionSpec turned;
  turned.name = "turned";
  rt::BodyStateSpec small, large;
  small.body = "small";
  small.orientation = rt::Vector4d(std::cos(-1.25 * angle), 0, 0, std::sin(-1.25 * angle));
  large.body = "large";
  large.orientation = rt::Vector4d(std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle));
  turned.bodies = {small, large};
  spec.initial_conditions = {turned};
  const rt::AssemblyResult start = rt::initialState(rt::buildModel(spec), 1);
  CHECK(start.position_correction < 1e-9);  // the rows hold as declared: nothing moves but by round-off
}
