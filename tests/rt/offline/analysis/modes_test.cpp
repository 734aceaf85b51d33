// Modes, frequency responses and trims against closed forms.
// Covers: rt/offline/analysis/frequency_response.cpp, rt/offline/analysis/trim.cpp
#include "rt/offline/analysis/modes.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/frequency_response.h"
#include "rt/offline/analysis/trim.h"
#include "rt/state/actuator_input.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;
using rt::offline::LinearSystem;
using rt::offline::Mode;
using rt::offline::ModeKind;
using rt::offline::modesOf;

namespace {

/// Two masses on a vertical rail, on springs one above the other, with a force on the upper one.
struct QuarterCar {
  double wheel = 40, body = 300, tyre = 2e5, spring = 2e4, damping = 1500;

  rt::ModelSpec spec() const {
    rt::ModelSpec spec;
    spec.name = "quarter_car";
    spec.gravity = Vector3d::Zero();
    spec.bodies = {makeBody("wheel", {0, 0, 0.3}), makeBody("body", {0, 0, 0.8})};
    spec.bodies[0].mass = wheel;
    spec.bodies[1].mass = body;
    const Vector3d z = Vector3d::UnitZ();
    spec.joints = {makeJoint("hub", "ground", "wheel", rt::PrismaticSpec{{0, 0, 0}, {0, 0, 0}, z, z}),
                   makeJoint("rail", "ground", "body", rt::PrismaticSpec{{0, 0, 0}, {0, 0, 0}, z, z})};
    rt::TranslationalSpringSpec soft{"ground", "wheel", {0, 0, 0}, {0, 0, 0}, tyre, 0, {}, 0, {}};
    rt::TranslationalSpringSpec strut{"wheel", "body", {0, 0, 0}, {0, 0, 0}, spring, damping, {}, 0, {}};
    rt::ForceSpec first, second;
    first.name = "tyre";
    first.kind = soft;
    second.name = "strut";
    second.kind = strut;
    spec.forces = {first, second};
    rt::ActuatorSpec push;
    push.name = "push";
    push.kind = rt::BodyForceSpec{"body", {0, 0, 0}, z, rt::Frame::kWorld};
    spec.actuators = {push};
    return spec;
  }
};

Eigen::VectorXd heights(const rt::State& state) {
  return Eigen::Vector2d(state.view().r(0).z(), state.view().r(1).z());
}

}  // namespace

TEST_CASE("a quarter car has the matrices, modes and response of its closed form", "[rt][offline][analysis]") {
  const QuarterCar car;
  const rt::Model model = rt::buildModel(car.spec());
  const rt::State state = rt::initialState(model).state;
  const LinearSystem system = rt::offline::linearSystem(model, state, {0}, 0, heights);
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.row(2) << -(car.tyre + car.spring) / car.wheel, car.spring / car.wheel, -car.damping / car.wheel,
      car.damping / car.wheel;
  A.row(3) << car.spring / car.body, -car.spring / car.body, car.damping / car.body, -car.damping / car.body;
  // Tolerances: products of exact derivatives leave round-off, differences of the inputs 1e-9.
  CHECK((system.A - A).norm() < 1e-9 * A.norm());
  CHECK((system.B - Eigen::Vector4d(0, 0, 0, 1 / car.body)).norm() < 1e-9);
  CHECK((system.C.leftCols(2) - Eigen::Matrix2d::Identity()).norm() < 1e-9);

  const std::vector<Mode> modes = modesOf(system);
  REQUIRE(modes.size() == 2);
  // The eigenvalues are roots of the characteristic polynomial of the closed form.
  for (const Mode& mode : modes) {
    const std::complex<double> s = mode.eigenvalue;
    const std::complex<double> strut = car.damping * s + car.spring;
    const std::complex<double> value =
        (car.wheel * s * s + strut + car.tyre) * (car.body * s * s + strut) - strut * strut;
    CHECK(std::abs(value) < 1e-9 * std::abs(car.tyre * car.spring));
    CHECK(mode.kind == ModeKind::kOscillation);
  }
  CHECK(modes[0].shape.segment<6>(6)[2].real() == Approx(1));  // the body moves most in the slow mode

  const double omega = 12;
  const std::complex<double> s(0, omega), strut = car.damping * s + car.spring;
  const std::complex<double> G = (car.wheel * s * s + strut + car.tyre) /
                                 ((car.wheel * s * s + strut + car.tyre) * (car.body * s * s + strut) - strut * strut);
  const auto response = rt::offline::frequencyResponse(system, {omega});
  CHECK(std::abs(response[0](1, 0) - G) < 1e-9 * std::abs(G));
}

TEST_CASE("a trim finds the input that holds a signal at its value", "[rt][offline][analysis]") {
  const QuarterCar car;
  const rt::Model model = rt::buildModel(car.spec());
  const rt::State state = rt::initialState(model).state;
  rt::offline::TrimOptions options;
  options.free_inputs = {0};
  options.wanted = Eigen::VectorXd::Constant(1, 0.75);
  const auto height = [](const rt::State& s) { return Eigen::VectorXd::Constant(1, s.view().r(1).z()); };
  const rt::offline::Trim trim = rt::offline::findTrim(model, state, {0}, height, options);
  // Both springs in series, pressed together by 50 mm.
  CHECK(trim.input[0] == Approx(-0.05 / (1 / car.tyre + 1 / car.spring)).epsilon(1e-6));  // kMet over the stiffness
  CHECK(trim.state.view().r(1).z() == Approx(0.75));
  options.free_inputs = {};
  CHECK_THROWS_WITH(rt::offline::findTrim(model, state, {0}, height, options), Catch::Contains("no trim was found"));
}

TEST_CASE("a spinning body nutates with the ratio of its inertias", "[rt][offline][analysis]") {
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = Vector3d::Zero();
  spec.bodies[0].inertia = Vector3d(1, 1, 1.6).asDiagonal();
  spec.bodies[0].velocity.setZero();
  spec.bodies[0].angular_velocity = Vector3d(0, 0, 20);
  const rt::Model model = rt::buildModel(spec);
  const LinearSystem system = rt::offline::linearSystem(model, rt::initialState(model).state, {});
  CHECK(rt::offline::unrestOf(system).rate < 1e-9);  // round-off: a steady motion
  CHECK(rt::offline::unrestOf(system).moves);
  double nearest = 1e9;
  for (const Mode& mode : modesOf(system))
    nearest = std::min(nearest, std::abs(mode.eigenvalue - std::complex<double>(0, 32)));
  CHECK(nearest < 1e-6);  // I_3/I_1 times the spin; zeros of multiplicity split by the root of round-off
}

TEST_CASE("modes of a pendulum: an oscillation below, a growth and a decay above", "[rt][offline][analysis]") {
  for (const double side : {-1.0, 1.0}) {
    rt::ModelSpec spec;
    spec.name = "pendulum";
    spec.gravity = Vector3d(0, -9.81, 0);
    spec.bodies = {makeBody("link", {0, 0.5 * side, 0})};
    spec.joints = {
        makeJoint("hinge", "ground", "link",
                  rt::RevoluteSpec{{0, 0, 0}, {0, -0.5 * side, 0}, Vector3d::UnitZ(), Vector3d::UnitZ(), 0})};
    const rt::Model model = rt::buildModel(spec);
    const std::vector<Mode> modes = modesOf(rt::offline::linearSystem(model, rt::initialState(model).state, {}));
    const double omega = std::sqrt(9.81 * 0.5 / (spec.bodies[0].inertia(2, 2) + 0.25 * spec.bodies[0].mass));
    REQUIRE(modes.size() == (side < 0 ? 1U : 2U));
    CHECK(modes[0].omega == Approx(omega).epsilon(1e-12));  // round-off
    CHECK(modes[0].kind == (side < 0                         ? ModeKind::kOscillation
                            : modes[0].eigenvalue.real() < 0 ? ModeKind::kDecay
                                                             : ModeKind::kGrowth));
  }
}
