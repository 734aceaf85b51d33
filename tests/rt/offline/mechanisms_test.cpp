// Every method on the published mechanisms: closed and open, regular and redundant, through a singular pose.
#include "tests/support/mechanisms.h"
#include "rt/mechanics/initial_state.h"
#include "rt/offline/integrator.h"
#include "tests/support/compare.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

struct Run {
  rt::Model model;
  Trajectory trajectory;

  /// A number of every sample's state, as a series.
  template <class Function>
  Series series(const Function& f) const {
    Series s;
    for (const Sample& sample : trajectory.samples) {
      s.t.push_back(sample.t);
      s.value.push_back(f(rt::StateView(rt::StateLayout(model), sample.state.data())));
    }
    return s;
  }
};

Run runOn(const rt::ModelSpec& spec, const std::string& method, double step, double until,
          const std::vector<std::string>& settings = {}) {
  Run run{rt::buildModel(spec), {}};
  const rt::State start = rt::initialState(run.model).state;
  run.trajectory = integrate({run.model, start, {}, step, until, {}, nullptr, {}}, method, settings);
  INFO(method << ": " << run.trajectory.failure);
  CHECK(run.trajectory.ending == Ending::kComplete);
  return run;
}

/// Largest error of the tip of the double pendulum's second body, m.
double doublePendulumError(const std::string& method, double step, double until,
                           const std::vector<std::string>& settings = {}) {
  static const Table reference = Table::reference("spatial_double_pendulum.csv");
  const Run run = runOn(doublePendulum(), method, step, until, settings);
  double worst = 0;
  const std::string names[] = {"rB_x[m]", "rB_y[m]", "rB_z[m]"};
  for (int k = 0; k < 3; ++k)
    worst = std::max(worst, rError(run.series([k](const rt::StateView& s) { return s.r(1)[k]; }),
                                   reference.series(names[k]), 0, until));
  return worst;
}

double crankAngleError(const Run& run, double until) {
  static const Table reference = Table::reference("four_bar.csv");
  const Series angle = run.series([](const rt::StateView& s) { return std::atan2(-s.r(0)[1], s.r(0)[0]); });
  return rError(angle, reference.series("phi[rad]"), 0, until);
}

/// All but the one that is there to fail; error-controlled methods with tolerances for the bounds below.
struct Choice {
  std::string method;
  std::vector<std::string> settings;
};
std::vector<Choice> soundMethods() {
  std::vector<Choice> all;
  for (const Method& m : methods()) {
    if (m.name == "newmark-classic") continue;
    const bool controlled = m.family == "Rosenbrock-Nystrom";
    all.push_back(
        {m.name, controlled ? std::vector<std::string>{"rtol=1e-6", "atol=1e-6"} : std::vector<std::string>{}});
  }
  return all;
}

/// Methods that promise the constraints at all levels.
const std::set<std::string> kAllLevels = {
    "newmark-tangent", "central-difference", "mcs-qr", "mcs-svd", "mcs-eigen", "rn4", "ros2-w"};

void checkConstraints(const Choice& c, const Trajectory& t) {
  CHECK(t.worst_position < 1e-11);
  if (kAllLevels.count(c.method) == 0) return;
  CHECK(t.worst_velocity < 1e-11);
  CHECK(t.worst_acceleration < 1e-9);
}

}  // namespace

TEST_CASE("every method follows the spatial double pendulum", "[rt][offline][mechanism]") {
  for (const Choice& c : soundMethods()) {
    INFO(c.method);
    // Two seconds at 5 ms: the trapezoidal rule is off by 1.6e-4 m; strong damping of first-stage methods costs more.
    CHECK(doublePendulumError(c.method, 0.005, 2, c.settings) < 2e-3);
  }
}

TEST_CASE("every method passes the singular pose of the redundant four-bar", "[rt][offline][mechanism]") {
  for (const Choice& c : soundMethods()) {
    INFO(c.method);
    const Run run = runOn(fourBar(FourBarReading::kDown), c.method, 0.005, 2, c.settings);
    CHECK(crankAngleError(run, 2) < 2e-3);
    checkConstraints(c, run.trajectory);
  }
}
