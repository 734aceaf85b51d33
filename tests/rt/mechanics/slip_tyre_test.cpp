// Tyres with slip: their steady forces, how the tread is dragged, and the load on the wheel.
// Covers: rt/mechanics/element_loads.cpp, rt/mechanics/tyre_grip.cpp
#include "rt/mechanics/element_loads.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/road_surface.h"
#include "rt/mechanics/tyre_grip.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

constexpr double kRadius = 0.32, kStiffness = 2e5, kLoad = 4000, kMass = kLoad / kGravity;

rt::MagicFormulaTyreSpec magicFormula() {
  return {{{"PCX1", 1.6}, {"PDX1", 1.15}, {"PDX2", -0.08}, {"PEX1", 0.3},  {"PKX1", 22},   {"PKX3", 0.2},
           {"RBX1", 12},  {"RBX2", -10},  {"RCX1", 1.09},  {"PCY1", 1.3},  {"PDY1", 1},    {"PDY2", -0.12},
           {"PEY1", -1},  {"PKY1", -16},  {"PKY2", 1.8},   {"RBY1", 7},    {"RBY2", 5},    {"RCY1", 1.08},
           {"QBZ1", 9},   {"QCZ1", 1.18}, {"QDZ1", 0.1},   {"QEZ1", -1.6}, {"PVY3", -0.5}, {"PHY1", 0.002}}};
}

rt::SlipTyreSpec tyre(bool brush) {
  rt::SlipTyreSpec spec;
  spec.road = "road";
  spec.axis = {0, 1, 0};
  spec.radius = kRadius;
  spec.stiffness = kStiffness;
  spec.damping = 500;
  spec.nominal_load = kLoad;
  spec.longitudinal_relaxation = 0.2;
  spec.lateral_relaxation = 0.4;
  if (brush)
    spec.grip = rt::BrushTyreSpec{8e4, 6e4, 0.9, 1, 0.06};
  else
    spec.grip = magicFormula();
  return spec;
}

/// One wheel of 4 kN on a road through a given point, pressed in by its weight, with nothing that holds it upright but
/// its inertia about x and z.
rt::ModelSpec wheel(bool brush, double speed, double spin) {
  rt::ModelSpec spec;
  spec.name = "wheel";
  spec.gravity = Vector3d(0, 0, -kGravity);
  rt::BodySpec body = makeBody("wheel", {0, 0, kRadius - kLoad / kStiffness});
  body.mass = kMass;
  body.inertia = Vector3d(1e4, 1.2, 1e4).asDiagonal();
  body.velocity = {speed, 0, 0};
  body.angular_velocity = {0, spin, 0};
  spec.bodies = {body};
  spec.roads = {{"road", "", Vector3d::Zero(), {0, 0, 1}, {1, 0, 0}, {}, 1, {}, {}}};
  rt::SlipTyreSpec t = tyre(brush);
  t.body = "wheel";
  spec.forces = {{"tyre", "", t}};
  return spec;
}

const rt::SlipTyre& only(const rt::Model& model) {
  return model.slip_tyres.front();
}

}  // namespace

TEST_CASE("steady slip forces: slope, friction limit, symmetry, combined slip", "[rt][mechanics][tyre]") {
  for (const bool brush : {true, false}) {
    rt::ModelSpec spec = wheel(brush, 0, 0);
    if (!brush)
      std::get<rt::MagicFormulaTyreSpec>(std::get<rt::SlipTyreSpec>(spec.forces[0].kind).grip)
          .coefficients.erase("PHY1");
    const rt::Model model = rt::buildModel(spec);
    const rt::SlipTyre& t = only(model);
    const rt::SlipStiffness k = rt::slipStiffness(t, kLoad, 0);
    CHECK(k.longitudinal == Approx(brush ? 8e4 : 22 * kLoad));
    const double h = 1e-6;
    CHECK(rt::slipForce(t, {h, 0, 0, kLoad}).longitudinal / h == Approx(k.longitudinal).epsilon(1e-4));
    CHECK(rt::slipForce(t, {0, h, 0, kLoad}).lateral / h == Approx(k.lateral).epsilon(1e-4));

    // Driven, braked, to either side.
    const rt::SlipForce a = rt::slipForce(t, {0.05, 0.06, 0, kLoad}), b = rt::slipForce(t, {0.05, -0.06, 0, kLoad});
    CHECK(a.longitudinal > 0);
    CHECK(a.lateral > 0);
    CHECK(a.aligning < 0);  // turns the wheel out of its slip
    CHECK(b.lateral == Approx(-a.lateral));
    CHECK(b.aligning == Approx(-a.aligning));
    CHECK(rt::slipForce(t, {-0.05, 0.06, 0, kLoad}).longitudinal < 0);

    // The friction circle, about; no more force with both slips than with one.
    double most = 0;
    for (double x = -1; x <= 1; x += 0.01)
      for (double y = -1; y <= 1; y += 0.05) {
        const rt::SlipForce f = rt::slipForce(t, {x, y, 0, kLoad});
        most = std::max(most, std::hypot(f.longitudinal, f.lateral));
      }
    CHECK(most <= (brush ? 0.9 : 1.15 * 1.1) * kLoad * (1 + 1e-12));
    CHECK(most >= 0.89 * kLoad);
    CHECK(rt::slipForce(t, {0.05, 0.3, 0, kLoad}).longitudinal < rt::slipForce(t, {0.05, 0, 0, kLoad}).longitudinal);

    // On ice.
    CHECK(rt::slipForce(t, {0, 1, 0, kLoad, 0.1}).lateral < 0.12 * kLoad);
  }
}

TEST_CASE("a mirrored tyre is the mirror image", "[rt][mechanics][tyre]") {
  rt::ModelSpec spec = wheel(false, 0, 0);
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

TEST_CASE("the load on the wheel: power of its parts, work of the deflection", "[rt][mechanics][tyre]") {
  for (const bool brush : {true, false}) {
    rt::ModelSpec spec = wheel(brush, 0, 0);
    spec.roads[0].up = {0.05, -0.03, 1};
    const rt::Model model = rt::buildModel(spec);
    rt::BodyMotion m;
    m.r = {0.3, 0.2, kRadius - 0.015};
    m.R = rt::rotationMatrix(rt::Vector4d(1, 0.06, 0.3, -0.1).normalized());
    m.v = {12, 0.7, -0.2};
    m.omega_w = {0.4, 39, 0.8};
    const double internal_states[] = {0.004, -0.006, 0, 0};
    const rt::TyreState s = rt::evaluateSlipTyre(model, only(model), m, internal_states, 0);
    REQUIRE(s.load > 500);

    // Deflection and its rate.
    const double h = 1e-7;
    rt::BodyMotion later = m;
    later.r += h * m.v;
    later.R =
        rt::rotationMatrix(rt::Vector4d(1, 0.5 * h * m.omega_w[0], 0.5 * h * m.omega_w[1], 0.5 * h * m.omega_w[2])) *
        m.R;
    const rt::TyreState n = rt::evaluateSlipTyre(model, only(model), later, internal_states, 0);
    const double rate = (n.deflection - s.deflection) / h;
    CHECK(s.load == Approx(kStiffness * s.deflection + 500 * rate).epsilon(1e-5));

    // What the load takes from the body is stored or dissipated.
    const double power = s.on_body.force.dot(m.v) + s.on_body.torque.dot(m.omega_w);
    CHECK(-power == Approx((n.stored - s.stored) / h + s.dissipated).epsilon(1e-4));
    // Forces act at the contact: about it only the moments are left.
    const Vector3d about = s.on_body.torque - s.arm.cross(s.on_body.force);
    CHECK(about.dot(s.normal) == Approx(s.aligning).margin(1e-6 * std::abs(s.load)));
    CHECK(s.normal.dot(s.forward) == Approx(0).margin(1e-14));
    CHECK(s.normal.dot(s.left) == Approx(0).margin(1e-14));
  }
}

TEST_CASE("the tread relaxes to the slip of a steady motion over its length", "[rt][mechanics][tyre]") {
  for (const bool brush : {true, false}) {
    const rt::Model model = rt::buildModel(wheel(brush, 0, 0));
    rt::BodyMotion m;
    m.r = {0, 0, kRadius - 0.02};
    m.v = {20, 0.5, 0};
    m.omega_w = {0, 20 / kRadius * 1.01, 0};
    double internal_states[4] = {};
    const double dt = 1e-3;
    double at_length = 0;
    for (int k = 1; k <= 400; ++k) {
      const rt::TyreState s = rt::evaluateSlipTyre(model, only(model), m, internal_states, dt);
      std::copy_n(s.internal_states, 4, internal_states);
      if (k == 20) at_length = s.angle;  // 0.4 m
    }
    const rt::TyreState s = rt::evaluateSlipTyre(model, only(model), m, internal_states, 0);
    const double carried = brush ? 20 * 1.01 : 20;
    CHECK(s.ratio == Approx(0.2 / carried).epsilon(1e-6));
    CHECK(std::tan(s.angle) == Approx(-0.5 / carried).epsilon(1e-6));
    CHECK(std::tan(at_length) / std::tan(s.angle) == Approx(1 - std::exp(-1.0)).epsilon(0.02));
  }
}

TEST_CASE("a standing tread is a spring up to its friction, and lets go above", "[rt][mechanics][tyre]") {
  for (const bool brush : {true, false}) {
    const rt::Model model = rt::buildModel(wheel(brush, 0, 0));
    rt::BodyMotion m;
    m.r = {0, 0, kRadius - kLoad / kStiffness};
    double internal_states[4] = {};
    const auto drag = [&](double speed, int steps) {
      m.v = {speed, 0, 0};
      rt::TyreState s;
      for (int k = 0; k < steps; ++k) {
        m.r += 1e-3 * m.v;
        s = rt::evaluateSlipTyre(model, only(model), m, internal_states, 1e-3);
        std::copy_n(s.internal_states, 4, internal_states);
      }
      return s;
    };
    const rt::SlipStiffness k = rt::slipStiffness(only(model), kLoad, 0);
    drag(1e-3, 500);
    const rt::TyreState little = drag(0, 200);
    CHECK(little.longitudinal == Approx(-5e-4 * k.longitudinal / 0.2).epsilon(0.02));
    const rt::TyreState far = drag(0.05, 8000);  // the wheel's centre moves, the wheel does not turn
    CHECK(std::abs(far.longitudinal) == Approx((brush ? 0.9 : 1.15) * kLoad).epsilon(0.02));
    // Turned back, it lets go within the deflection that its friction allowed, not the way that it slid.
    const double held = 3.3 * kLoad / k.longitudinal * 0.2;
    const rt::TyreState back = drag(-0.05, static_cast<int>(1.2 * held / 0.05 * 1000));
    CHECK(back.longitudinal > 0);
  }
}

TEST_CASE("a wheel in the air, or lying on its side, carries nothing and forgets its slip", "[rt][mechanics][tyre]") {
  const rt::Model model = rt::buildModel(wheel(false, 0, 0));
  const double internal_states[] = {0.01, 0.01, 1, 1};
  rt::BodyMotion m;
  m.r = {0, 0, kRadius + 0.01};
  m.v = {10, 1, 0};
  rt::TyreState s = rt::evaluateSlipTyre(model, only(model), m, internal_states, 1e-3);
  CHECK(s.load == 0);
  CHECK(s.on_body.force.norm() == 0);
  CHECK(s.internal_states[0] == 0);
  CHECK(s.deflection == Approx(-0.01));
  m.r = {0, 0, 0.01};
  m.R = rt::rotationMatrix(rt::Vector4d(std::sqrt(0.5), std::sqrt(0.5), 0, 0));
  s = rt::evaluateSlipTyre(model, only(model), m, internal_states, 1e-3);
  CHECK(s.on_body.force.norm() == 0);
  CHECK(std::isfinite(s.deflection));
}

TEST_CASE("a grid of heights: through its points, smooth, exact for a plane, held beyond its edge",
          "[rt][mechanics][road]") {
  rt::SurfaceGrid grid{-1, 2, 0.5, 4, 3, {}};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 3; ++c) grid.values.push_back(std::sin(2.0 * r) + 0.3 * c * c);
  const auto value = [&](double x, double y) { return rt::smoothOn(grid, x, y).value; };
  CHECK(value(-0.5, 2.5) == Approx(std::sin(2.0) + 0.3));
  CHECK(value(0.5, 3) == Approx(std::sin(6.0) + 1.2));
  CHECK(value(9, 3) == Approx(std::sin(6.0) + 1.2));
  CHECK(rt::smoothOn(grid, 9, 3).by_along == 0);
  const double h = 1e-6;
  for (double x = -0.97; x < 0.49; x += 0.0313)
    for (double y = 2.03; y < 2.98; y += 0.0571) {
      const rt::GridValue g = rt::smoothOn(grid, x, y);
      CHECK(g.by_along == Approx((value(x + h, y) - value(x - h, y)) / (2 * h)).margin(1e-6));
      CHECK(g.by_across == Approx((value(x, y + h) - value(x, y - h)) / (2 * h)).margin(1e-6));
    }
  CHECK(std::isfinite(value(std::nan(""), 2)));
  CHECK(rt::linearOn(grid, -0.75, 2) == Approx(0.5 * std::sin(2.0)));

  rt::Road road{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {}, 0.8, {0, 0, 1, 5, 5, {}}, {0, 0, 4, 2, 2, {1, 1, 0.5, 0.5}}};
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) road.heights.values.push_back(0.1 * r - 0.05 * c);
  const rt::RoadPlane plane = rt::roadUnderWheel(road, 0.3, {2.2, 1.7, 1.6});
  const Vector3d normal = Vector3d(-0.1, 0.05, 1).normalized();
  CHECK((plane.normal - normal).norm() < 1e-12);
  CHECK(plane.distance == Approx((0.6 - 0.22 + 0.085) * normal[2]));
  CHECK(plane.friction == Approx(0.8 * (1 - 0.5 * 2.2 / 4)));
}

TEST_CASE("a rolling wheel keeps its energy account, brakes to a stand and stays there", "[rt][mechanics][tyre]") {
  for (const bool brush : {true, false}) {
    rt::ModelSpec spec = wheel(brush, 10, 0.8 * 10 / kRadius);  // turns too slowly at first
    std::get<rt::SlipTyreSpec>(spec.forces[0].kind).rolling_resistance = 0.3;
    Simulation run(spec, settingsFor(1e-3, 2));
    const double before = rt::energyOf(run.model(), run.state().view()).total;
    for (int k = 0; k < 9000; ++k) REQUIRE(run.step().status == rt::TickStatus::kOk);
    const rt::Energy after = rt::energyOf(run.model(), run.state().view());
    CHECK(std::abs(after.total - before) < 2e-3 * (before - after.potential));
    CHECK(run.state().v(0).norm() < 2e-2);
    CHECK(after.dissipated > 0.9 * before);
  }
}
