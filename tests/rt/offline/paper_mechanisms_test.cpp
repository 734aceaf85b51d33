// The mechanisms of the papers' experiments against numbers of independent integrations in relative coordinates.
#include "tests/support/paper_mechanisms.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "rt/state/state.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;
using rt::Vector3d;

namespace {

struct Run {
  rt::Model model;
  Trajectory trajectory;

  rt::StateView at(const Sample& sample) const { return {rt::StateLayout(model), sample.state.data()}; }
  rt::StateView end() const { return at(trajectory.samples.back()); }
};

/// Every step is kept unless only the end is asked for.
Run runOn(const rt::ModelSpec& spec, const std::string& method, double step, double until, bool only_end,
          const std::vector<std::string>& settings) {
  Run run{rt::buildModel(spec), {}};
  const std::vector<double> times = only_end ? std::vector<double>{until} : std::vector<double>{};
  run.trajectory =
      integrate({run.model, rt::initialState(run.model).state, {}, step, until, times, nullptr, {}}, method, settings);
  INFO(spec.name << ": " << run.trajectory.failure);
  CHECK(run.trajectory.ending == Ending::kComplete);
  return run;
}

const std::vector<std::string> kTight = {"rule=dormand-prince", "adaptive=true", "rtol=1e-10", "atol=1e-10"};

}  // namespace

TEST_CASE("the stiff double pendulum reaches the extreme rates of its two-freedom equations", "[rt][offline][paper]") {
  const Run run = runOn(stiffDoublePendulum(), "rn4", 0.02, 1, false, {"rtol=1e-6", "atol=1e-6"});
  double lowest = 0, highest = 0;
  for (const Sample& sample : run.trajectory.samples) {
    const double rate = run.at(sample).omega(0)[2];
    lowest = std::min(lowest, rate);
    highest = rt::worst(highest, rate);
  }
  // Between the steps of the run the extremes are a little higher.
  CHECK(lowest == Approx(-9.6575).margin(0.02));
  CHECK(highest == Approx(6.4088).margin(0.02));
  CHECK(run.trajectory.statistics.steps < 1000);
}

// With steps that no grid of wanted times cuts short. At 1e-5 the paper has 2.3e-4 rad/s.
TEST_CASE("rn4 on the stiff double pendulum keeps to its tolerances", "[rt][offline][paper]") {
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const std::string text = std::to_string(tolerance);
    const Run run = runOn(stiffDoublePendulum(), "rn4", 0.1, 2, false, {"rtol=" + text, "atol=" + text});
    std::vector<double> times;
    for (const Sample& sample : run.trajectory.samples)
      if (sample.t > 0) times.push_back(sample.t);
    const Trajectory reference =
        integrate({run.model, rt::initialState(run.model).state, {}, 0.1, 2, times, nullptr, {}}, "rn4",
                  {"rtol=1e-7", "atol=1e-7"});
    double angle = 0, rate = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const rt::StateView a = run.at(run.trajectory.samples[k + 1]), b = run.at(reference.samples[k + 1]);
      angle = rt::worst(angle, std::abs(a.jointDisplacements()[0] - b.jointDisplacements()[0]));
      rate = rt::worst(rate, std::abs(a.omega(0)[2] - b.omega(0)[2]));
    }
    CAPTURE(tolerance, angle, rate);
    CHECK(angle <= 10 * tolerance);
    CHECK(rate <= 10 * tolerance);
    // Rows are solved to round-off at all levels.
    CHECK(run.trajectory.worst_position <= 1e-11);
    CHECK(run.trajectory.worst_velocity <= 1e-11);
    CHECK(run.trajectory.worst_acceleration <= 1e-9);  // of accelerations up to 1e6 rad/s^2
  }
}

// The start's own acceleration, 1e6 rad/s^2 from a transient of 1e-5 s, throws the first step by 0.7 rad.
TEST_CASE("newmark-tangent can begin without the initial acceleration of a transient that its steps cannot resolve",
          "[rt][offline][paper]") {
  const Run exact = runOn(stiffDoublePendulum(), "rn4", 0.1, 2, true, {"rtol=1e-7", "atol=1e-7"});
  const double angle = exact.end().jointDisplacements()[0];
  const std::vector<std::string> settings = {"scheme=fox-goodwin", "begin=unaccelerated", "frequencies=false"};
  const Run fine = runOn(stiffDoublePendulum(), "newmark-tangent", 5e-4, 2, true, settings);
  // rad: the first step with its acceleration would be off by 0.7. Then rows, solved to round-off at all levels.
  CHECK(fine.end().jointDisplacements()[0] == Approx(angle).margin(1e-2));
  CHECK(fine.trajectory.worst_position <= 1e-12);
  CHECK(fine.trajectory.worst_velocity <= 1e-12);
  CHECK(fine.trajectory.worst_acceleration <= 1e-9);
  // The paper's longest step, stable in the tangent space.
  const Run coarse = runOn(stiffDoublePendulum(), "newmark-tangent", 5e-3, 2, true, settings);
  CHECK(coarse.end().jointDisplacements()[0] == Approx(angle).margin(0.1));
}

// Its stiff mode has 774 to 823 rad/s, and the rule's limit is sqrt(6) over that. Beyond it the mode's alternation
// grows from round-off, a factor of 1.002 a step, and the chart's curvature stops it: a swing that stays where all
// should rest.
TEST_CASE("Fox-Goodwin comes to rest below its stable step and keeps swinging above it", "[rt][offline][paper]") {
  const auto rateAtTheEnd = [](double step, double until) {
    const Run run = runOn(stiffDoublePendulum(), "newmark-tangent", step, until, false,
                          {"scheme=fox-goodwin", "begin=unaccelerated"});
    CHECK(run.trajectory.statistics.step_limit == Approx(2.98e-3).epsilon(0).margin(0.05e-3));  // sqrt(6) / 823 rad/s
    return std::abs(run.end().omega(0)[2]);
  };
  // rad/s: at rest, and a swing that stays.
  CHECK(rateAtTheEnd(3e-3, 15) < 1e-3);
  CHECK(rateAtTheEnd(3.4e-3, 15.3) > 5e-3);
}

TEST_CASE("the crank of the squeezer ends at the published angle and rate", "[rt][offline][paper]") {
  const Run run = runOn(squeezer(), "mcs-qr", 1e-4, 0.05, true, kTight);
  // rad and rad/s: the printed digits, less what the tolerance of 1e-10 grows to at 1000 rad/s.
  CHECK(run.end().jointDisplacements()[0] == Approx(33.81534072137).margin(1e-4));
  CHECK(run.end().omega(0)[2] == Approx(1140.94273345).margin(1e-2));
  // Of 1.1 J that the motor gives; works are summed by the trapezoidal rule.
  CHECK(run.trajectory.energy_drift < 1e-4);
}

TEST_CASE("a spatial pendulum, a top and a spatial slider-crank end at the reference positions",
          "[rt][offline][paper]") {
  const Run pendulum = runOn(spatialPendulum(), "mcs-qr", 0.01, 5, true, kTight);
  // m and rad: the tolerance of 1e-10 a step, grown over 5 s and 10 s.
  CHECK((pendulum.end().r(0) - Vector3d(0.0403453108687, -0.0583229970286, -0.0370227484857)).norm() < 1e-7);
  const Run top = runOn(spinTop(), "mcs-qr", 0.05, 10, true, kTight);
  CHECK((top.end().r(0) - Vector3d(0.135299659652, 0.641040039339, -1.044559779615)).norm() < 1e-6);
  CHECK(top.end().omega(0)[2] == Approx(0.3).epsilon(0).margin(1e-9));  // the spin is an integral of the motion
  const Run crank = runOn(spatialSliderCrank(), "mcs-qr", 0.01, 5, true, kTight);
  // As above; the crank turns eight times.
  CHECK(crank.end().r(2)[0] == Approx(0.261002005784).epsilon(0).margin(1e-6));
  CHECK(crank.end().jointDisplacements()[0] == Approx(51.506578418546).epsilon(0).margin(1e-5));
}

TEST_CASE("the double four-bar keeps its energy through its singular poses", "[rt][offline][paper]") {
  const Run run = runOn(doubleFourBar(), "newmark-tangent", 0.005, 2, true, {"frequencies=false"});
  // J, the bound of the published comparison; rows are solved to round-off.
  CHECK(run.trajectory.energy_drift < 0.1);
  CHECK(run.trajectory.worst_position < 1e-11);
}

// The rule's own swing of energy in these coordinates, 0.115 J at 10 ms whatever the iterations, shrinks with its
// order.
TEST_CASE("ali3p keeps the energy of the published closed loops over 10 s", "[rt][offline][paper]") {
  CHECK(runOn(doubleFourBar(), "ali3p", 0.008, 10, true, {}).trajectory.energy_drift < 0.1);
  CHECK(runOn(publishedBricard(), "ali3p", 0.01, 10, true, {}).trajectory.energy_drift < 1e-3);
}
