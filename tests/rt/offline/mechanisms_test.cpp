// Every method on the published mechanisms: closed and open, regular and redundant, through a singular pose.
#include "tests/support/mechanisms.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "tests/rt/offline/bricard.h"
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
    worst = rt::worst(worst, rError(run.series([k](const rt::StateView& s) { return s.r(1)[k]; }),
                                    reference.series(names[k]), 0, until));
  return worst;
}

/// All but the one that is there to fail; error-controlled methods with tolerances for the bounds below.
struct Choice {
  std::string method;
  std::vector<std::string> settings;
};
/// @param chain  whether the mechanism is an open chain of spherical joints, all that the literal form takes
std::vector<Choice> soundMethods(bool chain) {
  std::vector<Choice> all;
  for (const Method& m : methods()) {
    if (m.name == "newmark-classic" || (m.name == "ali3p-literal" && !chain)) continue;
    all.push_back({m.name, {}});
    if (m.family == "Rosenbrock-Nystrom" || m.name == "projected") all.back().settings = {"rtol=1e-6", "atol=1e-6"};
    if (m.family == "SUNDIALS") all.back().settings = {"rtol=1e-7", "atol=1e-7"};
  }
  return all;
}

/// Methods that promise the constraints at all levels.
const std::set<std::string> kAllLevels = {
    "newmark-tangent", "central-difference", "mcs-qr", "mcs-svd", "mcs-eigen", "rn4", "ros2-w", "projected"};

void checkConstraints(const Choice& c, const Trajectory& t) {
  CAPTURE(t.worst_position);
  if (c.method == "ali3p-literal") {
    CHECK(t.worst_position < 1e-6);  // an absolute penalty on joints that carry some 100 N
    return;
  }
  // Drift that the library controls by its tolerance, 1e-7 here, and the form of the equations lets decay.
  if (findMethod(c.method).family == "SUNDIALS") {
    CHECK(t.worst_position < 1e-5);
    return;
  }
  // The index-3 methods solve with rows of finite compliance, which leaves what it takes to carry the reaction.
  CHECK(t.worst_position < (kAllLevels.count(c.method) == 0 ? 1e-9 : 1e-11));
  if (kAllLevels.count(c.method) == 0) return;
  CHECK(t.worst_velocity < 1e-11);
  CHECK(t.worst_acceleration < 1e-9);
}

}  // namespace

TEST_CASE("every method follows the spatial double pendulum", "[rt][offline][mechanism]") {
  for (const Choice& c : soundMethods(true)) {
    INFO(c.method);
    // Two seconds at 5 ms: the trapezoidal rule is off by 1.6e-4 m; strong damping of first-stage methods costs more.
    CHECK(doublePendulumError(c.method, 0.005, 2, c.settings) < 2e-3);
  }
}

TEST_CASE("methods have their orders on the spatial double pendulum", "[rt][offline][mechanism][slow]") {
  const std::vector<std::pair<std::string, double>> cases = {
      {"newmark-tangent", 2}, {"central-difference", 2}, {"lms2", 2},  {"lms4", 2}, {"ss3", 2}, {"bathe", 2},
      {"msstc4", 2},          {"esdirk32-4l", 2},        {"mcs-qr", 4}};
  for (const auto& [method, order] : cases) {
    INFO(method);
    const double coarse = doublePendulumError(method, 0.01, 1), fine = doublePendulumError(method, 0.005, 1);
    CHECK(std::log2(coarse / fine) == Approx(order).margin(0.4));  // the next term of the error at these steps
  }
}

TEST_CASE("every method lets a chain of eight links fall as the reference does", "[rt][offline][mechanism][slow]") {
  const Table reference = Table::reference("chain_8.csv");
  for (const Choice& c : soundMethods(true)) {
    INFO(c.method);
    const Run run = runOn(chain(8), c.method, 0.005, 0.5, c.settings);
    // The tip is half a link beyond the center of the last body.
    const Series tip =
        run.series([](const rt::StateView& s) { return s.r(7)[0] + 0.5 * rt::rotationMatrix(s.p(7))(0, 0); });
    CHECK(rError(tip, reference.series("tip_x[m]"), 0, 0.5) < 2e-3);
    checkConstraints(c, run.trajectory);
  }
}

TEST_CASE("the multipliers of different schools agree", "[rt][offline][mechanism]") {
  // The reaction of the double pendulum at 0.5 s, where all methods are close to the reference.
  const auto reaction = [](const std::string& method, double step) {
    const Run run = runOn(doublePendulum(), method, step, 0.5);
    const rt::StateView s(rt::StateLayout(run.model), run.trajectory.samples.back().state.data());
    return rt::Vector3d(s.lambda()[0], s.lambda()[1], s.lambda()[2]);
  };
  const rt::Vector3d exact = reaction("mcs-qr", 0.0025);
  // N, of some 20 N: five to eight times what is seen at 2.5 ms. The multipliers of msstc3 are of order 1.
  CHECK((reaction("newmark-tangent", 0.0025) - exact).norm() < 1e-3);
  CHECK((reaction("lms2", 0.0025) - exact).norm() < 2e-3);
  CHECK((reaction("ali3p", 0.0025) - exact).norm() < 1.2e-3);
  CHECK((reaction("msstc3", 0.0025) - exact).norm() < 0.015);
}
