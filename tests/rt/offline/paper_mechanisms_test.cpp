// The mechanisms of the papers' experiments against numbers of independent integrations in relative coordinates.
#include "tests/support/paper_mechanisms.h"
#include "rt/mechanics/initial_state.h"
#include "rt/offline/integrator.h"

#include <catch2/catch.hpp>

#include <algorithm>

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

TEST_CASE("the stiff double pendulum turns as fast as its two-freedom equations say", "[rt][offline][paper]") {
  const Run run = runOn(stiffDoublePendulum(), "rn4", 0.02, 1, false, {"rtol=1e-6", "atol=1e-6"});
  double lowest = 0, highest = 0;
  for (const Sample& sample : run.trajectory.samples) {
    const double rate = run.at(sample).omega(0)[2];
    lowest = std::min(lowest, rate);
    highest = std::max(highest, rate);
  }
  // Between the steps of the run the extremes are a little higher.
  CHECK(lowest == Approx(-9.6575).margin(0.02));
  CHECK(highest == Approx(6.4088).margin(0.02));
  CHECK(run.trajectory.statistics.steps < 1000);
}

TEST_CASE("the squeezer has turned its crank by as much as the published solution", "[rt][offline][paper]") {
  const Run run = runOn(squeezer(), "mcs-qr", 1e-4, 0.05, true, kTight);
  CHECK(run.end().coordinate()[0] == Approx(33.81534072137).margin(1e-4));
  CHECK(run.end().omega(0)[2] == Approx(1140.94273345).margin(1e-2));
  // Of 1.1 J that the motor gives; works are summed by the trapezoidal rule.
  CHECK(run.trajectory.energy_drift < 1e-4);
}

TEST_CASE("a point on a line, a top and a slider-crank in space end where they must", "[rt][offline][paper]") {
  const Run pendulum = runOn(spatialPendulum(), "mcs-qr", 0.01, 5, true, kTight);
  CHECK((pendulum.end().r(0) - Vector3d(0.0403453108687, -0.0583229970286, -0.0370227484857)).norm() < 1e-7);
  const Run top = runOn(spinTop(), "mcs-qr", 0.05, 10, true, kTight);
  CHECK((top.end().r(0) - Vector3d(0.135299659652, 0.641040039339, -1.044559779615)).norm() < 1e-6);
  CHECK(top.end().omega(0)[2] == Approx(0.3).margin(1e-9));
  const Run crank = runOn(spatialSliderCrank(), "mcs-qr", 0.01, 5, true, kTight);
  CHECK(crank.end().r(2)[0] == Approx(0.261002005784).margin(1e-6));
  CHECK(crank.end().coordinate()[0] == Approx(51.506578418546).margin(1e-5));
}

TEST_CASE("the double four-bar keeps its energy through its singular poses", "[rt][offline][paper]") {
  const Run run = runOn(doubleFourBar(), "newmark-tangent", 0.005, 2, true, {"frequencies=false"});
  CHECK(run.trajectory.energy_drift < 0.1);
  CHECK(run.trajectory.worst_position < 1e-11);
}
