// Sensitivities along a run against closed forms of an oscillator, and what they refuse.
// Covers: server/batch/sensitivity.cpp, rt/signals/state_outputs.cpp
#include "server/batch/sensitivity.h"

#include "rt/error.h"
#include "rt/math/worst.h"
#include "rt/offline/core/equations_of_motion.h"
#include "server/model_io/model_file.h"
#include "server/model_io/tuned_model.h"
#include "tests/server/batch/never.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <optional>

using namespace tactus;
using namespace tactus::server;
using tactus::tests::kNever;

namespace {

constexpr double kStiffness = 50, kMass = 2, kStart = 0.1;
/// Of derivatives at ticks of 1 ms: (omega h)^2 / 12 = 2e-6 of the phase, times the square of the phase, 16.
constexpr double kTickError = 5e-5;

/// A mass on a spring, without gravity, that starts 0.1 m from where it rests.
const char* const kOscillator = R"({"name": "oscillator", "gravity": [0, 0, 0], "solver": {"period": 0.001},
  "bodies": [{"name": "mass", "mass": 2, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [1.1, 0, 0]}],
  "joints": [{"name": "rail", "body_1": "ground", "body_2": "mass", "prismatic": {
    "point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}}],
  "forces": [{"name": "spring", "translational_spring": {"body_1": "ground", "body_2": "mass", "point_1": [0, 0, 0],
    "point_2": [0, 0, 0], "stiffness": 50, "free_length": 1}}],
  "parameters": [{"name": "stiffness", "unit": "N/m", "targets": ["forces.spring.stiffness"]},
    {"name": "mass", "unit": "kg", "targets": ["bodies.mass.mass"]}]})";

struct Oscillator {
  Oscillator()
      : document(readModelText(kOscillator, ModelSyntax::kJson, std::nullopt)), model(rt::buildModel(document.spec)) {
    options.settings = rt::chooseSettings(model);
    options.ticks = 800;
    options.every = 100;
    options.signals = {"mass.r.x", "mass.v.x"};
  }

  VariedParameter varied(const std::string& name, double value) const {
    VariedParameter parameter{name, stepOf(value, 1e-3), side, {}};
    for (const double share : sharesOfRuns(side))
      parameter.models.push_back(*tuneModel(document.message, model, {{name, value + share * parameter.step}}).model);
    return parameter;
  }

  SensitivityResult result() const {
    return sensitivityOf(model, {varied("stiffness", kStiffness), varied("mass", kMass)}, options, kNever);
  }

  ModelDocument document;
  rt::Model model;
  int side = 0;
  SensitivityOptions options;
};

}  // namespace

TEST_CASE("the sensitivities of an oscillator to stiffness and mass are those of its closed form", "[server][batch]") {
  Oscillator oscillator;
  for (const bool linearized : {true, false}) {
    oscillator.options.linearized = linearized;
    const SensitivityResult found = oscillator.result();
    REQUIRE(found.times.size() == 8);
    REQUIRE(found.signals.size() == 2);
    CHECK(found.signals[1].name == "mass.v.x");
    CHECK(found.signals[1].unit == "m/s");
    const double omega = std::sqrt(kStiffness / kMass);
    double largest = 0;
    for (Eigen::Index row = 0; row < 8; ++row) {
      const double t = 0.1 * static_cast<double>(row + 1), s = std::sin(omega * t), c = std::cos(omega * t);
      CHECK(found.times[static_cast<std::size_t>(row)] == Approx(t));
      // x = 1 + x0 cos(omega t), omega^2 = k / m. The tick is of second order: (omega h)^2 / 12 of the phase, 2e-6 of
      // 4 rad, and as much of its derivative, which has the size 4e-3.
      CHECK(found.nominal(row, 0) == Approx(1 + kStart * c).epsilon(0).margin(1e-5));
      const double by_omega[] = {-kStart * t * s, -kStart * (s + omega * t * c)};
      for (int signal = 0; signal < 2; ++signal) {
        const double by_stiffness = by_omega[signal] / (2 * omega * kMass);
        const double by_mass = -by_omega[signal] * omega / (2 * kMass);
        // A share of the largest value: of the position and of the rate.
        const double error = kTickError * (signal == 0 ? 0.1 : 0.5);
        CHECK(found.values[0](row, signal) == Approx(by_stiffness).epsilon(0).margin(error / kStiffness));
        CHECK(found.values[1](row, signal) == Approx(by_mass).epsilon(0).margin(error / kMass));
        largest = rt::worst(largest, found.errors[1](row, signal));
        // Differences of two steps h and h/2 are h^2 apart, 1e-6 of the value times some ten.
        CHECK(found.errors[1](row, signal) < 2e-5);
      }
    }
    CHECK(largest > 0);
  }
}

TEST_CASE("the last tick has a row, whatever the distance of the others", "[server][batch]") {
  Oscillator every;
  Oscillator some;
  some.options.every = 300;
  for (const bool linearized : {true, false}) {
    some.options.linearized = every.options.linearized = linearized;
    const SensitivityResult result = some.result(), whole = every.result();
    REQUIRE(result.times.size() == 3);
    CHECK(result.times[0] == Approx(0.3).epsilon(1e-12));  // round-off of ns
    CHECK(result.times[2] == Approx(0.8).epsilon(1e-12));  // round-off of ns
    for (std::size_t p = 0; p < 2; ++p) {
      CHECK(result.values[p].rows() == 3);
      CHECK(result.values[p].row(2) == whole.values[p].row(7));
      CHECK(result.values[p].row(1) == whole.values[p].row(5));
    }
  }
}

TEST_CASE("sensitivities to one side are those to both sides", "[server][batch]") {
  Oscillator oscillator;
  const SensitivityResult both = oscillator.result();
  for (const bool linearized : {true, false})
    for (const int side : {1, -1}) {
      oscillator.options.linearized = linearized;
      oscillator.side = side;
      double last = 0;
      oscillator.options.progress = [&](double share) { last = share; };
      const SensitivityResult found = oscillator.result();
      CHECK(last == Approx(1));
      for (std::size_t p = 0; p < 2; ++p) {
        CAPTURE(linearized, side, p);
        // Beside the time step: the square of a step of 1e-3, and some ten.
        CHECK((found.values[p] - both.values[p]).norm() < kTickError * both.values[p].norm());
        CHECK(found.errors[p].norm() < 1e-4 * both.values[p].norm());
      }
    }
}

TEST_CASE("linearized equations have no sums over a run, and differences of runs have them", "[server][batch]") {
  Oscillator oscillator;
  for (const char* const name : {"energy.total", "energy.input", "energy.dissipated", "solver.contraction"}) {
    oscillator.options.signals = {name};
    oscillator.options.linearized = true;
    CHECK_THROWS_WITH(oscillator.result(), Catch::Contains("which linearized equations do not have"));
    oscillator.options.linearized = false;
    CHECK_NOTHROW(oscillator.result());
  }
  oscillator.options.signals = {"solver.*"};
  oscillator.options.linearized = true;
  CHECK_THROWS_WITH(oscillator.result(), Catch::Contains("a figure of the solver"));
  oscillator.options.signals = {"mass.r.w"};
  CHECK_THROWS_WITH(oscillator.result(), Catch::Contains("mass.r."));
  oscillator.options.signals = {};
  CHECK_THROWS_WITH(oscillator.result(), Catch::Contains("name signals"));
}

TEST_CASE("sensitivities end on an interrupt and tell how far they are", "[server][batch]") {
  Oscillator oscillator;
  std::vector<double> shares;
  oscillator.options.progress = [&](double share) { shares.push_back(share); };
  oscillator.result();
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.back() == Approx(1));
  const std::atomic<bool> now{true};
  CHECK_THROWS_AS(sensitivityOf(oscillator.model, {oscillator.varied("mass", kMass)}, oscillator.options, now),
                  rt::offline::Interrupted);
}

TEST_CASE("the step of a parameter is a share of its magnitude", "[server][batch]") {
  CHECK(stepOf(-200, 1e-3) == 0.2);
  CHECK(stepOf(0, 1e-3) == 1e-3);
}
