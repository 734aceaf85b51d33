// Trims of vehicles in steady motions against runs in time.
// Covers: rt/offline/analysis/trim.cpp, rt/offline/analysis/steady_motions.cpp, rt/offline/analysis/linearization.cpp
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/linear_system.h"
#include "rt/offline/analysis/modes.h"
#include "rt/offline/analysis/trim.h"
#include "rt/offline/integrator.h"
#include "rt/signals/signal_reader.h"
#include "rt/state/actuator_input.h"
#include "server/models/built_in_models.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

using namespace tactus;
using Eigen::VectorXd;
using rt::Vector3d;
using rt::offline::Trim;

namespace {

/// What keeps still in a steady motion, with the largest change in 5 s of ticks of 1 ms. The trim is that of the
/// equations; the trapezoidal rule turns a speed of 20 m/s at 0.2 rad/s beside it by about (0.2 dt)^2.
const std::vector<std::string> kKept = {"speed",        "yaw_rate",     "roll_rate",    "pitch_rate",  "chassis.r.z",
                                        "tyre_fl.load", "tyre_fr.load", "tyre_rl.load", "tyre_rr.load"};
const std::vector<double> kWithin = {1e-4, 1e-5, 1e-5, 1e-5, 1e-5, 0.05, 0.05, 0.05, 0.05};

class Signals {
 public:
  Signals(const rt::Model& model, const std::vector<std::string>& names)
      : directory_(model), reader_(directory_, directory_.resolve(names)), snapshot_(model) {}

  VectorXd read(const std::vector<double>& state, const std::vector<double>& inputs) {
    snapshot_.state = state;
    std::copy(inputs.begin(), inputs.end(), snapshot_.inputs.begin());
    VectorXd values(static_cast<Eigen::Index>(reader_.indices().size()));
    reader_.read(snapshot_, {values.data(), reader_.indices().size()});
    return values;
  }

  VectorXd read(const rt::State& state, std::size_t inputs) {
    const double* first = state.view().input();
    return read({state.values().begin(), state.values().end()}, std::vector<double>(first, first + inputs));
  }

 private:
  rt::SignalDirectory directory_;
  rt::SignalReader reader_;
  rt::Snapshot snapshot_;
};

int actuator(const rt::Model& model, const std::string& name) {
  const auto found = std::find(model.actuator_names.begin(), model.actuator_names.end(), name);
  REQUIRE(found != model.actuator_names.end());
  return static_cast<int>(found - model.actuator_names.begin());
}

struct Task {
  std::vector<std::pair<std::string, double>> inputs, required;
  std::vector<std::string> free;
};

Trim trimmed(const rt::Model& model, const Task& task) {
  rt::ActuatorInput input(model);
  for (const auto& [name, value] : task.inputs) input.values[static_cast<std::size_t>(actuator(model, name))] = value;
  rt::offline::TrimOptions options;
  options.at_rest = false;
  std::vector<std::string> names;
  options.wanted.resize(static_cast<Eigen::Index>(task.required.size()));
  for (const auto& [name, value] : task.required) {
    options.wanted[static_cast<Eigen::Index>(names.size())] = value;
    names.push_back(name);
  }
  for (const std::string& name : task.free) options.free_inputs.push_back(actuator(model, name));
  Signals required(model, names);
  return rt::offline::findTrim(
      model, rt::initialState(model, 0, input).state, input.values,
      [&](const rt::State& s) { return required.read(s, input.values.size()); }, options);
}

/// Samples of 5 s from the trim, with its inputs.
std::vector<rt::offline::Sample> run(const rt::Model& model, const Trim& trim) {
  const rt::offline::Problem problem{
      model,
      trim.state,
      [&](double, std::span<double> out) { std::copy(trim.input.begin(), trim.input.end(), out.begin()); },
      1e-3,
      5,
      {0.001, 0.1, 0.5, 1, 2, 3.5, 5},
      nullptr,
      {},
      {}};
  rt::offline::Trajectory trajectory = rt::offline::integrate(problem, "ali3p");
  REQUIRE(trajectory.ending == rt::offline::Ending::kComplete);
  return std::move(trajectory.samples);
}

void checkThatItLasts(const rt::Model& model, const Trim& trim, const std::vector<std::string>& names,
                      const std::vector<double>& within) {
  Signals kept(model, names);
  const VectorXd start = kept.read(trim.state, trim.input.size());
  for (const rt::offline::Sample& sample : run(model, trim)) {
    const VectorXd now = kept.read(sample.state, trim.input);
    for (std::size_t k = 0; k < names.size(); ++k) {
      CAPTURE(sample.t, names[k]);
      const auto i = static_cast<Eigen::Index>(k);
      CHECK(std::abs(now[i] - start[i]) < within[k]);
    }
  }
}

rt::ModelSpec sedanOnSlope(double grade) {
  rt::ModelSpec spec = server::openBuiltInModel("sedan").spec;
  const double angle = std::atan(grade);
  spec.gravity = 9.81 * Vector3d(-std::sin(angle), 0, -std::cos(angle));
  return spec;
}

rt::ModelSpec hmmwv(bool bump) {
  rt::ModelSpec spec = server::openBuiltInModel("hmmwv").spec;
  if (!bump)
    for (rt::RoadSpec& road : spec.roads) road.half_cylinders.clear();
  return spec;
}

}  // namespace

TEST_CASE("a car trimmed straight on and on slopes keeps its speed, its attitude and its loads",
          "[server][models][analysis]") {
  double throttle = -1;
  for (const double grade : {-0.02, 0.0, 0.05}) {
    CAPTURE(grade);
    const rt::Model model = rt::buildModel(sedanOnSlope(grade));
    const Trim trim =
        trimmed(model, {{{"gear_ratio", 1.4}}, {{"speed", 20}, {"yaw_rate", 0}}, {"throttle", "steering"}});
    CHECK(trim.residual < 1e-6);                         // kRoundOff
    CHECK(trim.turning.norm() < 1e-8);                   // kMet
    CHECK(trim.steady_motions == (grade == 0 ? 7 : 6));  // two ways, four wheels; on a level road a turn
    const double now = trim.input[static_cast<std::size_t>(actuator(model, "throttle"))];
    CHECK(now > throttle);
    throttle = now;
    checkThatItLasts(model, trim, kKept, kWithin);
  }
}

TEST_CASE("a car trimmed in a steady turn goes on in it, with brakes that spin, too", "[server][models][analysis]") {
  const rt::Model model = rt::buildModel(sedanOnSlope(0));
  struct Turn {
    double speed, rate, brake;
  };
  for (const Turn& turn : {Turn{10, 0.2, 0}, Turn{20, 0.2, 0}, Turn{15, -0.1, 0.05}}) {
    CAPTURE(turn.speed, turn.rate, turn.brake);
    const Trim trim = trimmed(model, {{{"gear_ratio", 1.4}, {"brake", turn.brake}},
                                      {{"speed", turn.speed}, {"yaw_rate", turn.rate}},
                                      {"throttle", "steering"}});
    // yaw_rate is about the axis of the chassis, which leans.
    CHECK(trim.turning.z() == Approx(turn.rate).epsilon(2e-3));
    CHECK(trim.turning.head<2>().norm() < 1e-8);  // kMet
    checkThatItLasts(model, trim, kKept, kWithin);
    // In axes that turn along A is constant: the place turns about the vertical there.
    const rt::offline::LinearSystem system =
        rt::offline::linearSystem(model, trim.state, trim.input, 0, {}, trim.turning);
    CHECK(rt::offline::unrestOf(system).rate < 1e-6);  // kRoundOff
    double nearest = 1;
    for (const rt::offline::Mode& mode : rt::offline::modesOf(system)) {
      nearest = std::min(nearest, std::abs(mode.eigenvalue - std::complex<double>(0, std::abs(trim.turning.z()))));
      CHECK(mode.eigenvalue.real() < 1e-6);  // a multiple zero splits by the root of round-off
    }
    CHECK(nearest < 1e-6);
  }
}

TEST_CASE("a rolling vehicle is trimmed where its road is plane, and refused before a bump",
          "[server][models][analysis]") {
  const Task task = {{}, {{"chassis.v.x", 4.4}, {"chassis.v.y", 0}}, {}};
  const rt::Model plane = rt::buildModel(hmmwv(false));
  const Trim trim = trimmed(plane, task);
  checkThatItLasts(plane, trim,
                   {"chassis.v.x", "chassis.r.z", "pitch_rate", "tyre_fl.force.z", "tyre_fr.force.z", "tyre_rl.force.z",
                    "tyre_rr.force.z"},
                   {1e-4, 1e-5, 1e-5, 0.05, 0.05, 0.05, 0.05});
  const rt::Model bumpy = rt::buildModel(hmmwv(true));
  CHECK_THROWS_WITH(trimmed(bumpy, task), Catch::Contains("does not last") && Catch::Contains("surroundings change"));
}

TEST_CASE("a steady turn on a slope is refused with the reason", "[server][models][analysis]") {
  const rt::Model model = rt::buildModel(sedanOnSlope(0.05));
  CHECK_THROWS_WITH(
      trimmed(model, {{{"gear_ratio", 1.4}}, {{"speed", 10}, {"yaw_rate", 0.2}}, {"throttle", "steering"}}),
      Catch::Contains("no trim was found") && Catch::Contains("a steady turn is not possible"));
}
