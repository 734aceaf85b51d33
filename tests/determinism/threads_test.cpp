// Equal bits for any number of threads, also for more threads than cores.
// Covers: rt/ali3p/team.cpp
// Covers: rt/ali3p/solver_choice.cpp, rt/ali3p/region_order.h
#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/cuts.h"
#include "rt/plan/outline.h"
#include "tests/support/beams.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <omp.h>
#include <catch2/catch.hpp>

#include <optional>
#include <thread>

using namespace tactus;
using namespace tactus::tests;

namespace {

/// What must not depend on the number of threads.
struct Outcome {
  std::uint64_t hash;
  std::vector<rt::StepReport> reports;

  bool operator==(const Outcome&) const = default;
};

struct Run {
  const rt::Model& model;
  const rt::Plan& plan;
  rt::Settings settings;
  int ticks;

  Outcome with(int threads) const {
    Outcome outcome{};
    rt::Workspace ws(model, plan, threads);
    REQUIRE(ws.threads == threads);
    rt::State state = rt::initialState(model).state;
    std::vector<double> input(model.actuators.size());
    for (int i = 0; i < ticks; ++i) {
      for (std::size_t k = 0; k < input.size(); ++k) input[k] = std::sin(0.1 * i + static_cast<double>(k));
      const rt::StepReport report = rt::step(model, plan, settings, input, state, ws);
      REQUIRE(report.status == rt::TickStatus::kOk);
      outcome.reports.push_back(report);
    }
    outcome.hash = rt::hashState(state);
    return outcome;
  }
};

/// With a force on the last body.
rt::ModelSpec pushed(rt::ModelSpec spec) {
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind =
      rt::BodyForceSpec{spec.bodies.back().name, rt::Vector3d::Zero(), rt::Vector3d::UnitY(), rt::Frame::kWorld};
  spec.actuators = {push};
  return spec;
}

rt::ModelSpec pushedChain(int bodies) {
  return pushed(randomChain(bodies, 2, 3));
}

/// A soft beam of 10 m, clamped and let go.
rt::ModelSpec fallingBeam(int elements) {
  rt::ModelSpec spec =
      clampedBeam({rt::Vector3d::Zero(), 10 * rt::Vector3d::UnitX()}, elements, sectionOf(1e4, 5e3, 80, 100, 1, 1e-3));
  spec.gravity = {0, -kGravity, 0};
  return spec;
}

/// Keeps a core busy while it lives.
class Burner {
 public:
  Burner()
      : thread_([](const std::stop_token& stop) {
          volatile double x = 1;
          while (!stop.stop_requested()) x = x * 1.0000001;
        }) {}

 private:
  std::jthread thread_;
};

/// While it lives, regions of this thread have one thread, as with OMP_MAX_ACTIVE_LEVELS=0.
class NoTeams {
 public:
  NoTeams() : levels_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~NoTeams() { omp_set_max_active_levels(levels_); }
  NoTeams(const NoTeams&) = delete;
  NoTeams& operator=(const NoTeams&) = delete;

 private:
  const int levels_;
};

}  // namespace

TEST_CASE("where OpenMP gives fewer threads than asked, one thread does the step with the same bits", "[determinism]") {
  rt::Settings plain, third_order;
  third_order.third_order = true;
  rt::Model models[] = {rt::buildModel(pushedChain(130)), rt::buildModel(fallingBeam(64))};
  for (const rt::Model& model : models) {
    const rt::Plan plan = rt::compilePlan(model);
    for (const rt::Settings& settings : {plain, third_order}) {
      const int threads = rt::maxThreads(plan, settings) > 1 ? 2 : 1;
      const Run run{model, plan, settings, 3};
      const Outcome expected = run.with(threads);
      const NoTeams none;
      CHECK(run.with(threads) == expected);
    }
  }
}

TEST_CASE("set-up refuses threads that OpenMP would not give", "[determinism]") {
  const NoTeams none;
  CHECK_THROWS_WITH(rt::chooseThreads(4, 2, true), Catch::Contains("OMP_MAX_ACTIVE_LEVELS"));
  CHECK(rt::chooseThreads(4, 1, true) == 1);
  int calls = 0;
  CHECK_THROWS_WITH(rt::runInTeam(2, [&](int) { ++calls; }), Catch::Contains("OpenMP gives 1 of 2 threads"));
  CHECK(calls == 0);
}

TEST_CASE("steps shared by 1, 2, 3, 4 and 8 threads end in the same bits and reports", "[determinism]") {
  rt::Settings plain, third_order, fourth_order, newton, refactoring;
  third_order.third_order = true;
  fourth_order.fourth_order = true;
  newton.full_newton = true;
  refactoring.period_ns = 5'000'000;
  refactoring.iterations = 3;
  refactoring.refactor_violation = 0;  // whatever would be left is too much: in every solve that may decide
  struct Kind {
    rt::Settings settings;
    int ticks, factorizations;
  };
  for (const int bodies : {520, 1030}) {
    const rt::Model model = rt::buildModel(pushedChain(bodies));
    const rt::Plan plan = rt::compilePlan(model);
    for (const Kind& kind : {Kind{plain, 5, 1}, Kind{third_order, 2, 3}, Kind{fourth_order, 2, 6}, Kind{newton, 5, 2},
                             Kind{refactoring, 5, 4}}) {
      const Run run{model, plan, kind.settings, kind.ticks};
      const Outcome expected = run.with(1);
      CHECK(expected.reports.back().factorizations == kind.factorizations);
      for (const int threads : {2, 3, 4, 8}) {
        CAPTURE(bodies, kind.settings.order(), kind.settings.full_newton, kind.settings.iterations, threads);
        CHECK(run.with(threads) == expected);
      }
    }
  }
}

TEST_CASE("trees, copies and loops end in the same bits and reports for 1, 2, 3, 4 and 8 threads", "[determinism]") {
  rt::Settings plain, third_order, fourth_order, newton, refactoring;
  third_order.third_order = true;
  fourth_order.fourth_order = true;
  newton.full_newton = true;
  refactoring.refactor_violation = 0;  // whatever would be left is too much: in every solve that may decide
  const auto copies = [](const rt::ModelSpec& of, int count) {
    return together(std::vector<rt::ModelSpec>(static_cast<std::size_t>(count), of));
  };
  // Two to many fronts above the units; none; rows that share lanes with those of other units.
  for (const rt::ModelSpec& spec : {pushed(randomTree(400, JointMix::kHinged, 5)),
                                    copies(randomTree(4, JointMix::kHinged, 7), 60), copies(ladder(2), 32)}) {
    const rt::Model model = rt::buildModel(spec);
    rt::Plan plan = rt::compilePlan(model);
    rt::DivisionRule rule;
    rule.most_work = 10;
    for (const rt::Forest& forest : {rt::findForest(model, rt::ForestRule::kTrees, 3), rt::Forest{}})
      if (plan.units() < 2) plan = rt::layOutPlan(model, rt::HubRule::kHubsLast, forest, rule);
    // Along the nodes and, of a forest, along its groups.
    const std::optional<rt::ForestGroups> groups = rt::findForestGroups(model, plan);
    CHECK(groups.has_value() == (spec.joints.size() == spec.bodies.size()));
    for (const bool by_groups : {false, true}) {
      plan.forest = by_groups ? groups : std::nullopt;
      if (by_groups && !groups) continue;
      for (const rt::Settings& settings : {plain, third_order, fourth_order, newton, refactoring}) {
        const Run run{model, plan, settings, 5};
        REQUIRE(rt::maxThreads(plan, settings) >= 2);
        const Outcome expected = run.with(1);
        if (settings.refactor_violation == 0) CHECK(expected.reports.back().factorizations > 1);
        for (const int threads : {2, 3, 4, 8}) {
          if (threads > rt::maxThreads(plan, settings)) continue;
          CAPTURE(spec.name, by_groups, settings.order(), settings.full_newton, settings.refactor_violation, threads);
          CHECK(run.with(threads) == expected);
        }
      }
    }
  }
}

TEST_CASE("a ladder in two halves, or in many parts, ends in the same bits for any number of threads",
          "[determinism]") {
  rt::ModelSpec spec = ladder(60);
  // A motor between the halves: its torque acts on bodies of two threads.
  rt::ActuatorSpec motor;
  motor.name = "motor";
  motor.kind = rt::JointTorqueSpec{"far_30"};
  spec.actuators = {motor};
  const rt::Model model = rt::buildModel(spec);
  rt::DivisionRule many;
  many.most_work = 1.5;  // halves share fewer lanes than the whole
  const std::vector<int> middle = rt::findCuts(rt::topologyOf(model, rt::HubRule::kNone)).front();
  rt::Outline halves = rt::outlineOf(model, rt::HubRule::kNone, {}, middle);
  REQUIRE(rt::divide(model, many, halves));
  rt::Settings plain, third_order, newton, refactoring;
  third_order.third_order = true;
  newton.full_newton = true;
  refactoring.refactor_violation = 0;  // whatever would be left is too much: in every solve that may decide
  for (const rt::Plan& plan : {rt::compilePlan(model), rt::layOutPlan(model, halves)})
    for (const rt::Settings& settings : {plain, third_order, newton, refactoring}) {
      const Run run{model, plan, settings, 10};
      REQUIRE(rt::maxThreads(plan, settings) >= 2);
      const Outcome expected = run.with(1);
      for (const int threads : {2, 3, 4, 8}) {
        if (threads > rt::maxThreads(plan, settings)) continue;
        CAPTURE(plan.units(), settings.order(), settings.full_newton, settings.refactor_violation, threads);
        CHECK(run.with(threads) == expected);
      }
    }
}

TEST_CASE("a step in which a body spins fast is done by one thread of the team, with the same bits", "[determinism]") {
  const rt::Model model = rt::buildModel(hubWithLoops(40, 7));
  const rt::Plan plan = rt::compilePlan(model);
  Run run{model, plan, {}, 3};
  run.settings.gyroscopic_above = 1e-3;  // bodies that turn at 3 rad/s exceed it at 1 ms
  for (const int order : {2, 3, 4}) {
    run.settings.setOrder(order);
    REQUIRE(rt::maxThreads(plan, run.settings) >= 3);
    CHECK(run.with(3) == run.with(1));
  }
}

TEST_CASE("steps of higher order end in the same bits and reports if a second thread does the coarser divisions",
          "[determinism]") {
  for (const rt::ModelSpec& spec : {fourBar(FourBarReading::kDown), randomTree(40, JointMix::kMixed, 5), pushedChain(9),
                                    pushedChain(300), fallingBeam(40)})
    for (const bool gyroscopic : {false, true}) {
      CAPTURE(spec.name, spec.bodies.size(), gyroscopic);
      const rt::Model model = rt::buildModel(spec);
      const rt::Plan plan = rt::compilePlan(model);
      Run run{model, plan, {}, 50};
      run.settings.gyroscopic_tangent = gyroscopic;
      for (const int order : {3, 4}) {
        CAPTURE(order);
        run.settings.setOrder(order);
        REQUIRE(rt::maxThreads(plan, run.settings) == 2);
        CHECK(run.with(2) == run.with(1));
      }
    }
}

TEST_CASE("steps shared by two threads end in the same bits on cores that other threads keep busy", "[determinism]") {
  const rt::Model model = rt::buildModel(pushedChain(512));
  const rt::Plan plan = rt::compilePlan(model);
  const Run run{model, plan, {}, 20};
  const Outcome expected = run.with(1);
  const Burner first, second;
  for (int i = 0; i < 3; ++i) CHECK(run.with(2) == expected);
}

TEST_CASE("the number of threads is limited by the work that can be shared and by the cores", "[determinism]") {
  rt::Settings plain, third_order, gyroscopic;
  third_order.third_order = true;
  gyroscopic.gyroscopic_tangent = true;
  const auto most = [](const rt::ModelSpec& spec, const rt::Settings& settings) {
    return rt::maxThreads(rt::compilePlan(rt::buildModel(spec)), settings);
  };
  CHECK(most(chain(256), plain) == 1);
  CHECK(most(chain(256), third_order) == 2);
  CHECK(most(chain(1024), plain) == 4);
  CHECK(most(chain(1024), third_order) == 4);
  CHECK(most(chain(1024), gyroscopic) == 1);
  CHECK(most(fourBar(FourBarReading::kDown), plain) == 1);
  CHECK(most(fourBar(FourBarReading::kDown), third_order) == 2);
  CHECK(most(doublePendulum(), third_order) == 1);
  CHECK(rt::chooseThreads(1, 4, true) == 1);
  CHECK(rt::chooseThreads(4, 3, true) == 3);
  CHECK(rt::chooseThreads(4, 1000, true) == 4);
  // The number that was asked for counts, whatever of it the plan can use.
  if (std::thread::hardware_concurrency() < 1000)
    for (const int maximum : {1, 4})
      CHECK_THROWS_WITH(rt::chooseThreads(maximum, 1000, false), Catch::Contains("1000 threads are more than"));
}
