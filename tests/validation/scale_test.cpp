// Large mechanisms: long chains, large trees, long ladders, and how their cost grows.
#include "rt/ali3p/compile_plan.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/bench/counted_lanes.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

// Included after the counting lanes, because the kernels are compiled for them here.
#include "rt/ali3p/chain/lanes_of.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace tactus;
using namespace tactus::tests;

namespace {

/// What a run of a large mechanism leaves, without its signals.
struct Survey {
  bool ok = true;
  int unconverged = 0;
  double position = 0, velocity = 0;  ///< largest violations
  double energy_change = 0;           ///< largest, J
};

double energyOf(const rt::Model& model, const rt::StateView& s) {
  double sum = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const rt::Body& body = model.bodies[static_cast<std::size_t>(i)];
    sum += 0.5 * body.mass * s.v(i).squaredNorm() + 0.5 * s.omega(i).dot(body.inertia * s.omega(i)) -
           body.mass * model.gravity.dot(s.r(i));
  }
  return sum;
}

Survey survey(const rt::ModelSpec& spec, const rt::Settings& settings, double until) {
  Simulation simulation(spec, settings);
  Survey found;
  const double start = energyOf(simulation.model(), simulation.state().view());
  for (long k = 0; k < std::lround(until / settings.dt()) && found.ok; ++k) {
    const rt::StepReport report = simulation.step();
    found.ok = report.status == rt::TickStatus::kOk;
    if (!report.converged) ++found.unconverged;
    found.position = std::max(found.position, report.constraint_position);
    found.velocity = std::max(found.velocity, report.constraint_velocity);
    found.energy_change =
        std::max(found.energy_change, std::abs(energyOf(simulation.model(), simulation.state().view()) - start));
  }
  return found;
}

std::int64_t operationsOfAStep(int links) {
  const rt::Model model = rt::buildModel(chain(links));
  const rt::Plan plan = rt::compilePlan(model);
  rt::Workspace ws(model, plan);
  ws.solver.chain = rt::ChainWorkspace(model, *plan.chain, 4, 1);
  ws.solver.chain.lanes = std::make_unique<rt::LanesOf<1>>(*plan.chain);
  rt::State state = rt::initialState(model).state;
  bench::operations() = {};
  REQUIRE(rt::step(model, plan, settingsFor(0.01), {}, state, ws).status == rt::TickStatus::kOk);
  return bench::operations().total();
}

/// CPU time of everything that is done before the first step, s: the least of some.
double setUpSeconds(const rt::ModelSpec& spec) {
  double least = HUGE_VAL;
  for (int k = 0; k < 5; ++k) {
    const std::clock_t start = std::clock();
    const Simulation simulation(spec, settingsFor(0.01));
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

}  // namespace

TEST_CASE("the operations of a step grow in proportion to the length of a chain", "[validation][scale]") {
  const auto ofABody = [](int links) { return static_cast<double>(operationsOfAStep(links)) / links; };
  // Counted: no noise. Longer chains have more bodies inside segments, which cost a little more than those at their
  // ends: 7 % from 32 links to the limit.
  const double base = ofABody(32);
  for (const int links : {64, 256, 1024}) {
    INFO(links);
    CHECK(ofABody(links) > base);
    CHECK(ofABody(links) < 1.08 * base);  // the 7 % above, and a margin
  }
  CHECK(ofABody(1024) == Approx(ofABody(512)).epsilon(1e-3));  // the limit, to the share of the two ends
}

TEST_CASE("the operations of an elimination grow in proportion to the size of a tree", "[validation][scale]") {
  const auto ofABody = [](int bodies) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const rt::Plan plan = rt::compilePlan(rt::buildModel(randomTree(bodies, JointMix::kMixed, seed)));
      sum += (plan.factor_flops + plan.solve_flops) / bodies / 3;
    }
    return sum;
  };
  const double small = ofABody(125), large = ofABody(1000);
  CAPTURE(small, large);
  // The largest number of joints on one body grows with the logarithm of the size; eight times the bodies, 8 of 10
  // joints more.
  CHECK(large < 1.25 * small);
}

TEST_CASE("the set-up of eight times the bodies takes about eight times as long", "[validation][scale]") {
  // A ratio of two CPU times of one run. Set-up that grew with the square would take 64 times as long.
  CHECK(setUpSeconds(chain(1024)) < 24 * setUpSeconds(chain(128)));
}

TEST_CASE("a chain of 4096 links falls for a second", "[validation][scale]") {
  const Survey found = survey(chain(4096), settingsFor(0.01, 3), 1);
  CHECK(found.ok);
  CHECK(found.unconverged == 0);
  CHECK(found.position < 1e-9);    // m: the generic bound
  CHECK(found.velocity < 1.2e-7);  // m/s: the norm of 12 288 rows with 1e-9 each
  // J, of 8e4 J that half the chain's fall gives: the error of the rule at 10 ms.
  CHECK(found.energy_change < 5);
}

TEST_CASE("a chain of 1024 links is stable for 20 s at 10 ms with 3 iterations", "[validation][scale]") {
  const Survey found = survey(chain(1024), settingsFor(0.01, 3), 20);
  CHECK(found.ok);
  CHECK(found.position < 1e-6);  // m: the bound of the published chain of 128, through the whip
  // J: 0.2 % of what the fall can give; the published chain of 128 loses half as much in its whip.
  CHECK(found.energy_change < 0.002 * 1024 * kGravity * 512);
}

TEST_CASE("trees of 1000 bodies keep their joints and their energy", "[validation][scale]") {
  for (const JointMix mix : {JointMix::kSpherical, JointMix::kMixed}) {
    const Survey found = survey(randomTree(1000, mix, 7), settingsFor(1e-3), 0.1);
    CHECK(found.ok);
    CHECK(found.unconverged == 0);
    CHECK(found.position < 1e-9);  // m: the generic bound
    CHECK(found.velocity < 1e-9);  // m/s
    // J, of some 1e4 J of a thousand bodies that turn at up to 3 rad/s: the error of the rule at 1 ms.
    CHECK(found.energy_change < 1);
  }
}

TEST_CASE("a ladder of ten four-bars stays on its branch", "[validation][scale]") {
  const rt::ModelSpec spec = ladder(10);
  const Recording run = record(spec, settingsFor(0.005), 5, {"rod_*.r.*", "energy.total"});
  REQUIRE(run.ok);
  CHECK(run.worst.constraint_position < 1e-9);  // m: the generic bound, with 30 rows too many
  // J: ten times the bound of one four-bar.
  CHECK(std::max(-run.lowestChange("energy.total"), run.highestChange("energy.total")) < 0.2);
  // On the branch of the parallelogram all rods are parallel at every moment.
  double worst = 0;
  for (std::size_t k = 0; k < run.t.size(); ++k)
    for (int rod = 1; rod <= 10; ++rod) {
      const std::string name = "rod_" + std::to_string(rod);
      for (const char* axis : {".r.x", ".r.y"}) {
        const double offset = run[name + axis][0] - run[std::string("rod_0") + axis][0];
        worst = rt::worst(worst, std::abs(run[name + axis][k] - run[std::string("rod_0") + axis][k] - offset));
      }
    }
  CHECK(worst < 1e-6);  // m: the bound of the published four-bar, in radians there
}
