// Derivatives of trajectories of the tick with respect to parameters, against differences of its runs.
#include "rt/offline/analysis/trajectory_sensitivity.h"
#include "rt/error.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/state/actuator_input.h"
#include "tests/rt/offline/analysis/rate_oracle.h"
#include "tests/rt/offline/sprung_mechanism.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <functional>
#include <memory>

using namespace tactus;
using namespace tactus::tests;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Changes a description by a difference of one of its parameters.
using Vary = std::function<void(rt::ModelSpec&, double)>;
/// Values of the actuators in a tick, from those at the start.
using Drive = std::function<void(int tick, std::vector<double>& input)>;

struct Case {
  rt::ModelSpec spec;
  std::vector<std::pair<Vary, double>> parameters;  ///< each with the step of its differences
  Drive drive = [](int, std::vector<double>&) {};
};

rt::ModelSpec varied(const Case& c, std::size_t parameter, double share) {
  rt::ModelSpec spec = c.spec;
  c.parameters[parameter].first(spec, share * c.parameters[parameter].second);
  return spec;
}

VectorXd endOf(const Case& c, const rt::ModelSpec& spec, double dt, int ticks) {
  Simulation run(spec, settingsFor(dt, 4));
  for (int k = 1; k <= ticks; ++k) {
    c.drive(k, run.input());
    REQUIRE(run.step().status == rt::TickStatus::kOk);
  }
  return motionOfBodies(run.state());
}

const std::vector<double> kBothSides = {1, -1};

/// Derivatives of the motion of all bodies at the end, by the linearized equations.
/// @param[in] shares  of the step: where the models with other values lie
MatrixXd linearized(const Case& c, double dt, int ticks, const std::vector<double>& shares = kBothSides) {
  struct Side {
    explicit Side(const rt::ModelSpec& spec) : model(rt::buildModel(spec)), start(rt::initialState(model).state) {}
    rt::Model model;
    rt::State start;
  };
  std::vector<std::unique_ptr<Side>> sides;
  std::vector<rt::offline::VariedModel> parameters;
  for (std::size_t p = 0; p < c.parameters.size(); ++p) {
    auto& parameter = parameters.emplace_back();
    for (const double share : shares) {
      sides.push_back(std::make_unique<Side>(varied(c, p, share)));
      parameter.push_back({&sides.back()->model, &sides.back()->start, motionOfBodies, share * c.parameters[p].second});
    }
  }
  Simulation run(c.spec, settingsFor(dt, 4));
  rt::offline::TrajectorySensitivity sensitivity(run.model(), run.state(), run.input(), parameters);
  for (int k = 1; k <= ticks; ++k) {
    c.drive(k, run.input());
    REQUIRE(run.step().status == rt::TickStatus::kOk);
    sensitivity.advance(run.state(), run.time(), run.input());
  }
  return sensitivity.outputs();
}

/// The largest difference between the linearized equations and differences of runs, relative to the largest derivative
/// of the same parameter.
double disagreement(const Case& c, double dt, int ticks) {
  const MatrixXd values = linearized(c, dt, ticks);
  double worst = 0;
  for (std::size_t p = 0; p < c.parameters.size(); ++p) {
    const auto ends = [&](double share) { return endOf(c, varied(c, p, share), dt, ticks); };
    const double h = c.parameters[p].second;
    // Extrapolated: what the step of the differences leaves is far below what the time step leaves.
    const VectorXd coarse = (ends(1) - ends(-1)) / (2 * h), fine = (ends(0.5) - ends(-0.5)) / h;
    const VectorXd expected = (4 * fine - coarse) / 3;
    const auto column = values.col(static_cast<Eigen::Index>(p));
    CAPTURE(c.spec.name, p, dt);
    CHECK(expected.norm() > 1e-6);  // a derivative that is zero would compare nothing
    worst = rt::worst(worst, (column - expected).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>());
  }
  return worst;
}

template <class Element>
Element& elementOf(rt::ModelSpec& spec, const std::string& name) {
  for (rt::ForceSpec& force : spec.forces)
    if (force.name == name) return std::get<Element>(force.kind);
  throw Error("no element " + name);
}

/// A closed loop with redundant rows whose mass, length and weight are parameters. A longer link moves the others at
/// the start.
Case loop() {
  return {ladder(1),
          {{[](rt::ModelSpec& s, double d) { s.bodies[0].mass += d; }, 1e-3},
           {[](rt::ModelSpec& s, double d) { s.gravity->y() += d; }, 1e-3},
           {[](rt::ModelSpec& s, double d) {
              std::get<rt::RevoluteSpec>(s.joints[0].kind).point_1.x() += d;
              std::get<rt::RevoluteSpec>(s.joints[2].kind).point_1.x() += d;
            },
            1e-4}}};
}

/// Springs, bushings, drag, couplers, moving drives.
Case sprung() {
  return {sprungMechanism(true),
          {{[](rt::ModelSpec& s, double d) { elementOf<rt::RotationalSpringSpec>(s, "about").stiffness += d; }, 1e-2},
           {[](rt::ModelSpec& s, double d) { elementOf<rt::TranslationalSpringSpec>(s, "along").damping += d; }, 1e-3},
           {[](rt::ModelSpec& s, double d) { elementOf<rt::BushingSpec>(s, "six").stiffness(1, 1) += d; }, 1e-2},
           {[](rt::ModelSpec& s, double d) { s.bodies[3].inertia(0, 0) += d; }, 1e-4}}};
}

}  // namespace

TEST_CASE("sensitivities along a trajectory are the differences of its runs, with the order of the tick",
          "[rt][offline][analysis]") {
  for (const Case& c : {loop(), sprung()}) {
    const double coarse = disagreement(c, 4e-3, 75), fine = disagreement(c, 2e-3, 150);
    CAPTURE(c.spec.name, coarse, fine);
    CHECK(fine < 1e-4);          // what the trapezoidal rule leaves at 2 ms
    CHECK(coarse / fine > 3.8);  // second order: 4
    CHECK(coarse / fine < 4.2);
  }
}

TEST_CASE("sensitivities from one side are those from both sides, with an error of second order",
          "[rt][offline][analysis]") {
  for (const Case& c : {loop(), sprung()}) {
    const MatrixXd both = linearized(c, 4e-3, 75);
    for (const double side : {1.0, -1.0}) {
      const auto errorOf = [&](double share) {
        return MatrixXd(linearized(c, 4e-3, 75, {0, 0.5 * share * side, share * side}) - both);
      };
      const MatrixXd coarse = errorOf(32), fine = errorOf(16);
      for (Eigen::Index p = 0; p < both.cols(); ++p) {
        CAPTURE(c.spec.name, side, p, coarse.col(p).norm(), fine.col(p).norm());
        CHECK(fine.col(p).norm() < 1e-2 * both.col(p).norm());  // steps of 0.02 to 0.3 of the parameters
        // Linear parameters have no error but round-off; the others have 4, and terms of third order.
        if (fine.col(p).norm() < 1e-7 * both.col(p).norm()) continue;
        CHECK(coarse.col(p).norm() / fine.col(p).norm() > 3);
        CHECK(coarse.col(p).norm() / fine.col(p).norm() < 5);
      }
    }
  }
}

TEST_CASE("sensitivities follow a spinning body", "[rt][offline][analysis]") {
  const Case c = {freeBody(3),
                  {{[](rt::ModelSpec& s, double d) { s.bodies[0].inertia(0, 0) += d; }, 1e-4},
                   {[](rt::ModelSpec& s, double d) { s.bodies[0].angular_velocity.y() += d; }, 1e-4}}};
  CHECK(disagreement(c, 1e-3, 600) < 1e-5);  // what the trapezoidal rule leaves at 1 ms
}

TEST_CASE("sensitivities go on where the pose makes other coordinates the better ones", "[rt][offline][analysis]") {
  const Case c = {doublePendulum(),
                  {{[](rt::ModelSpec& s, double d) { s.bodies[1].mass += d; }, 1e-4},
                   {[](rt::ModelSpec& s, double d) {
                      std::get<rt::SphericalSpec>(s.joints[1].kind).point_1.x() += d;
                      s.bodies[1].position.x() += d;
                    },
                    1e-5}}};
  Simulation run(c.spec, settingsFor(1e-3, 4));
  const auto chosen = [&] { return rt::offline::linearSystem(run.model(), run.state(), run.input()).chosen; };
  const auto at_start = chosen();
  for (int k = 0; k < 600; ++k) run.step();
  REQUIRE(chosen() != at_start);
  CHECK(disagreement(c, 1e-3, 600) < 1e-4);  // what the trapezoidal rule leaves at 1 ms
}

TEST_CASE("sensitivities have the internal states of tyres, friction and inputs that change",
          "[rt][offline][analysis]") {
  const Case c = {
      rollingRig(),
      {{[](rt::ModelSpec& s, double d) { elementOf<rt::RotationalSpringSpec>(s, "suspension").preload += d; }, 1e-2},
       {[](rt::ModelSpec& s, double d) { elementOf<rt::SlipTyreSpec>(s, "tyre").rolling_resistance += d; }, 1e-5},
       {[](rt::ModelSpec& s, double d) { s.bodies[0].mass += d; }, 1e-2},
       {[](rt::ModelSpec& s, double d) { elementOf<rt::PowertrainSpec>(s, "engine").final_ratio += d; }, 1e-4}},
      [](int k, std::vector<double>& input) { input[0] = 0.3 + 0.2 * (k > 50); }};
  // The step of the input and the bristles of the friction, whose law has a kink, leave more than a smooth motion.
  CHECK(disagreement(c, 5e-4, 300) < 1e-3);
}

TEST_CASE("a parameter that changes the rows of a model has no linearized sensitivity", "[rt][offline][analysis]") {
  const Case c = {chain(2),
                  {{[](rt::ModelSpec& s, double d) {
                      if (d > 0) s.joints.pop_back();
                    },
                    1.0}}};
  CHECK_THROWS_WITH(linearized(c, 1e-3, 1), Catch::Contains("changes the number of"));
}
