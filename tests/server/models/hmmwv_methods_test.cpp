// rn4 on the vehicle of [RN] section 6 and on its stiff variant, against the published reference and an explicit
// method.
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "server/models/built_in_models.h"
#include "tests/server/models/stiff_vehicle.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

Trajectory runOn(const rt::Model& model, const std::string& method, double until, const std::string& tolerance) {
  return integrate({model, rt::initialState(model).state, {}, 0.1, until, {}, nullptr, {}}, method,
                   {"rtol=" + tolerance, "atol=" + tolerance});
}

/// Error of the height of the chassis against the reference, whose model has the softer struts.
double heightError(const rt::Model& model, const Trajectory& run) {
  Series height;
  for (const Sample& sample : run.samples) {
    height.t.push_back(sample.t);
    height.value.push_back(rt::StateView(rt::StateLayout(model), sample.state.data()).r(0)[2]);
  }
  double worst = 0;
  const Series reference = Table::reference("hmmwv.csv").series("chassis_z[m]");
  for (std::size_t k = 0; k < height.t.size(); ++k) {
    // The reference is dense, a step of the run is not.
    const auto after = std::lower_bound(reference.t.begin(), reference.t.end(), height.t[k]);
    if (after == reference.t.begin() || after == reference.t.end()) continue;
    const auto i = static_cast<std::size_t>(after - reference.t.begin());
    const double share = (height.t[k] - reference.t[i - 1]) / (reference.t[i] - reference.t[i - 1]);
    worst =
        std::max(worst, std::abs(height.value[k] - (1 - share) * reference.value[i - 1] - share * reference.value[i]));
  }
  return worst;
}

/// Shortest step that ends within a span of time.
double shortestStep(const Trajectory& run, double from, double to) {
  double shortest = 1;
  for (std::size_t k = 1; k < run.samples.size(); ++k)
    if (run.samples[k].t > from && run.samples[k].t <= to)
      shortest = std::min(shortest, run.samples[k].t - run.samples[k - 1].t);
  return shortest;
}

}  // namespace

TEST_CASE("rn4 takes short steps while the stiff vehicle is on its bump and long steps elsewhere",
          "[server][models][hmmwv]") {
  const rt::Model model = rt::buildModel(stiffVehicle());
  for (const auto& [tolerance, bound] : {std::pair("1e-3", 1e-3), {"1e-5", 2e-4}}) {
    INFO(tolerance);
    const Trajectory run = runOn(model, "rn4", 4, tolerance);
    INFO(run.failure);
    REQUIRE(run.ending == Ending::kComplete);
    CHECK(heightError(model, run) <= bound);
    // Rows are solved to round-off at all levels.
    CHECK(run.worst_position <= 1e-11);
    CHECK(run.worst_velocity <= 1e-11);
    CHECK(run.worst_acceleration <= 1e-10);
    // The wheels meet the bump at 0.5 s and at 1.25 s.
    const double calm = shortestStep(run, 0.3, 0.45), later = shortestStep(run, 2.5, 3.5);
    CHECK(shortestStep(run, 0.49, 0.6) < 0.1 * calm);
    CHECK(shortestStep(run, 1.24, 1.36) < 0.1 * calm);
    CHECK(later > 10 * shortestStep(run, 0.49, 0.6));
  }
}

TEST_CASE("rn4 on the stiff vehicle agrees with the same vehicle by Radau", "[server][models][hmmwv]") {
  const rt::Model model = rt::buildModel(stiffVehicle());
  const Series reference = Table::reference("hmmwv_stiff.csv").series("chassis_z[m]");
  const std::vector<double> times(reference.t.begin() + 1, reference.t.end());
  // m: the published bounds of both tolerances.
  for (const auto& [tolerance, bound] : {std::pair("1e-3", 1e-3), {"1e-5", 1e-4}}) {
    INFO(tolerance);
    const std::vector<std::string> settings = {std::string("rtol=") + tolerance, std::string("atol=") + tolerance};
    const Trajectory run =
        integrate({model, rt::initialState(model).state, {}, 0.1, 4, times, nullptr, {}}, "rn4", settings);
    REQUIRE(run.samples.size() == reference.t.size());
    double worst = 0;
    for (std::size_t k = 0; k < run.samples.size(); ++k)
      worst = rt::worst(worst, std::abs(rt::StateView(rt::StateLayout(model), run.samples[k].state.data()).r(0)[2] -
                                        reference.value[k]));
    CAPTURE(worst);
    CHECK(worst <= bound);
  }
}

// Stability alone decides the steps of an explicit method, at every moment of the run: 0.01 s stand for all of the 4 s.
TEST_CASE("rn4 needs at least 50 times fewer evaluations on the stiff vehicle than an explicit method",
          "[server][models][hmmwv]") {
  const rt::Model model = rt::buildModel(stiffVehicle());
  const Trajectory implicit = runOn(model, "rn4", 4, "1e-3"), explicit_start = runOn(model, "adams", 0.01, "1e-3");
  REQUIRE(implicit.ending == Ending::kComplete);
  REQUIRE(explicit_start.ending == Ending::kComplete);
  CHECK(400 * explicit_start.statistics.force_evaluations >= 50 * implicit.statistics.force_evaluations);
}
