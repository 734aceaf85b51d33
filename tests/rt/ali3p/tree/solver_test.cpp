// The tree solver by itself: what it evaluates after each sweep, and what it writes.
// Covers: rt/ali3p/tree/commit.cpp
#include "rt/ali3p/tree/solver.h"
#include "rt/ali3p/workspace.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/beams.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::tests;

namespace {

struct Run {
  rt::Model model;
  rt::Plan plan;
  rt::Settings settings;
  rt::TreeWorkspace ws;
  rt::State from, to;

  explicit Run(const rt::ModelSpec& spec)
      : model(rt::buildModel(spec)),
        plan(rt::compilePlan(model, rt::LaneRule::kNone)),
        settings(settingsFor(1e-3)),
        ws(model, plan),
        from(rt::initialState(model).state),
        to(from) {}

  rt::StepTask task() const { return {model, plan, settings, {settings.dt(), settings.dt()}, {}}; }
};

/// A mass of 2 kg that an input pushes along x, on a bushing of (omega dt/2)^2 = `share` and a damping ratio.
struct SprungMass {
  static constexpr double kMass = 2, kDt = 1e-3;
  double k, c;
  Simulation simulation;

  SprungMass(double share, double zeta)
      : k(4 * kMass * share / (kDt * kDt)),
        c(2 * zeta * std::sqrt(k * kMass)),
        simulation(specOf(k, c), settingsFor(kDt, 1)) {}

  static rt::ModelSpec specOf(double k, double c) {
    rt::ModelSpec spec = freeBody(0);
    rt::BodySpec& body = spec.bodies[0];
    spec.gravity = body.position = body.velocity = rt::Vector3d::Zero();
    body.mass = kMass;
    rt::BushingSpec bushing;
    bushing.body_1 = "ground";
    bushing.body_2 = body.name;
    bushing.stiffness = k * Eigen::Matrix3d::Identity();
    bushing.damping = c * Eigen::Matrix3d::Identity();
    spec.forces.push_back({"bushing", "", bushing});
    rt::ActuatorSpec push;
    push.name = "push";
    push.kind = rt::BodyForceSpec{body.name, rt::Vector3d::Zero(), rt::Vector3d::UnitX(), rt::Frame::kWorld};
    spec.actuators = {push};
    return spec;
  }
};

constexpr auto kNever = []() noexcept { return false; };

}  // namespace

TEST_CASE("a step over the tree solver is the step of the tick", "[rt][ali3p]") {
  Run run(randomTree(8, JointMix::kMixed, 4));
  rt::TreeSolver solver(run.task(), run.ws, rt::Team{});
  const rt::StepReport report = rt::trapezoidalStep(run.task(), solver, run.from, run.to);
  rt::Workspace ws(run.model, run.plan);
  rt::State stepped = run.from;
  const rt::StepReport expected = rt::step(run.model, run.plan, run.settings, {}, stepped, ws);
  CHECK(report.increment == expected.increment);
  CHECK(report.constraint_acceleration == expected.constraint_acceleration);
  CHECK(run.to.values() == stepped.values());
  CHECK(rt::TreeSolver::isFinite(report, run.to));
}

TEST_CASE("each solve of the tree shrinks the violation of its level", "[rt][ali3p]") {
  Run run(randomTree(8, JointMix::kMixed, 4));
  rt::TreeSolver solver(run.task(), run.ws, rt::Team{});
  CHECK(solver.moved() == rt::Level::kNone);
  solver.predict(run.from);
  const double predicted = solver.violation(rt::Level::kPosition);
  solver.sweepUp(rt::Level::kPosition, true, 0, kNever);
  CHECK(solver.factorizations() == 1);
  solver.sweepDown(rt::Level::kVelocity);
  CHECK(solver.moved() == rt::Level::kPosition);
  CHECK(solver.increment() > 0);
  CHECK(solver.violation(rt::Level::kPosition) < 1e-2 * predicted);  // an iteration contracts by 1e-2 or better here
  const double unclean = solver.violation(rt::Level::kVelocity);
  solver.sweepUp(rt::Level::kVelocity, false, 0, kNever);
  solver.sweepDown(rt::Level::kAcceleration);
  CHECK(solver.factorizations() == 1);
  CHECK(solver.violation(rt::Level::kVelocity) < 1e-2 * unclean);  // as above
  solver.sweepUp(rt::Level::kAcceleration, false, 0, []() noexcept { return true; });
  CHECK(solver.factorizations() == 2);
  solver.finish(run.from, run.to);
  CHECK(solver.moved() == rt::Level::kAcceleration);
  CHECK(solver.positive());
  CHECK(run.to.tick == run.from.tick);
  CHECK(run.to.values() != run.from.values());
}

TEST_CASE("a finished state is loaded as it was written", "[rt][ali3p]") {
  Run run(randomTree(8, JointMix::kMixed, 4));
  rt::TreeSolver solver(run.task(), run.ws, rt::Team{});
  rt::trapezoidalStep(run.task(), solver, run.from, run.to);
  const double velocity = solver.violation(rt::Level::kVelocity);
  rt::TreeSolver again(run.task(), run.ws, rt::Team{});
  again.load(run.to);
  CHECK(again.moved() == rt::Level::kPosition);
  // Angles of State may count further turns; velocities in world axes are rotated once more: round-off.
  CHECK(again.violation(rt::Level::kVelocity) == Approx(velocity).epsilon(0).margin(1e-12));
}

TEST_CASE("a mode follows a growing load with its rate, from soft to stiff", "[rt][ali3p]") {
  for (const double zeta : {0.0, 0.1, 10.0})
    for (double share = 1e-4; share < 1e9; share *= 10) {
      CAPTURE(zeta, share);
      SprungMass mode(share, zeta);
      const double rate = 0.1;  // m/s: the load grows by k rate each second, after c rate
      rt::State& state = mode.simulation.state();
      state.v(0) = rt::Vector3d(rate, 0, 0);
      for (int step = 1; step <= 100; ++step) {
        mode.simulation.input()[0] = rate * (mode.k * step * SprungMass::kDt + mode.c);
        REQUIRE(mode.simulation.step().status == rt::TickStatus::kOk);
      }
      // Round-off: the positions are 100 steps away from rest, and that of the spring counts by its share.
      CHECK(state.v(0).x() == Approx(rate).epsilon(1e-9 + 1e-15 * share));
      CHECK(state.r(0).x() == Approx(100 * SprungMass::kDt * rate).epsilon(1e-9));
    }
}

TEST_CASE("a step lets no motion of a mode grow: a resolved one loses a fourth power, a stiff one dies out",
          "[rt][ali3p]") {
  constexpr double h = SprungMass::kDt / 2;
  for (const double zeta : {0.0, 1e-3, 0.1, 1.0, 100.0})
    for (double share = 1e-4; share < 1e7; share *= std::sqrt(10.0)) {
      CAPTURE(zeta, share);
      Eigen::Matrix3d step;  // of position, h times velocity, h^2 times acceleration
      for (int column = 0; column < 3; ++column) {
        SprungMass mode(share, zeta);
        rt::State& state = mode.simulation.state();
        const rt::Vector3d unit = rt::Vector3d::Unit(column);
        state.r(0).x() = unit[0];
        state.v(0).x() = unit[1] / h;
        state.a(0).x() = unit[2] / (h * h);
        REQUIRE(mode.simulation.step().status == rt::TickStatus::kOk);
        step.col(column) << state.r(0).x(), h * state.v(0).x(), h * h * state.a(0).x();
      }
      const double radius = step.eigenvalues().cwiseAbs().maxCoeff();
      CHECK(radius < 1 + 1e-12);  // round-off of a step
      if (zeta > 0) continue;
      if (share <= 1) CHECK(1 - radius < std::pow(share, 4) + 1e-12);  // half of it by (29), less than half by (30)
      if (share >= 100) CHECK(radius < 1.1 / std::sqrt(share));        // the limit is 1 / sqrt(share)
    }
}

TEST_CASE("a beam through the lanes of its links moves as through the nodes of the tree", "[rt][ali3p][beam]") {
  // A soft beam, so that all rows carry something: bent, sheared and twisted by gravity within 0.3 s.
  rt::ModelSpec spec = clampedBeam({rt::Vector3d::Zero(), 2 * rt::Vector3d::UnitX(), {3, 1, 0}}, 24,
                                   sectionOf(2e6, 1e6, 50, 40, 1.2, 6e-4));
  spec.gravity = {0, -9.81, 3};
  const rt::Model model = rt::buildModel(spec);
  const rt::Settings settings = settingsFor(1e-3);
  const rt::Plan lanes = rt::compilePlan(model);
  REQUIRE(lanes.links.size() > 40);  // joints and bodies
  rt::Plan nodes = lanes;
  for (rt::PlanNode& node : nodes.nodes) node.link = 0;
  nodes.links.clear();
  nodes.runs = {{rt::PlanRun::Kind::kBatches, 0, static_cast<int>(nodes.batches.size())}};
  REQUIRE(nodes.units() == 0);
  nodes.parts.back().run_count = 1;
  rt::Workspace ws_lanes(model, lanes), ws_nodes(model, nodes);
  const rt::State start = rt::initialState(model).state;
  rt::State a = start, b = start;
  for (int k = 0; k < 300; ++k) {
    REQUIRE(rt::step(model, lanes, settings, {}, a, ws_lanes).status == rt::TickStatus::kOk);
    REQUIRE(rt::step(model, nodes, settings, {}, b, ws_nodes).status == rt::TickStatus::kOk);
  }
  double apart = 0, way = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    apart = std::max({apart, (a.r(i) - b.r(i)).norm(), (a.p(i) - b.p(i)).norm()});
    way = rt::worst(way, (a.r(i) - start.view().r(i)).norm());
  }
  CHECK(apart < 1e-10);  // m and parts of a unit quaternion
  CHECK(way > 0.1);      // m: it has moved far
}
