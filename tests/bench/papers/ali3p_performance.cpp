// [DCA3] section 5 on its chains: cost of the Newton iterations and of the projections, and threads.
#include "tests/bench/papers/ali3p_performance.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/literal/literal_chain.h"
#include "tests/bench/counted_lanes.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

// Included after the counting lanes, because the kernels are compiled for them here.
#include "rt/ali3p/chain/lanes_of.h"
#include "rt/ali3p/chain/solver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace tactus::bench {

namespace {

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// What each level of a step cost, by a meter: a clock, or the count of operations.
using ByLevel = std::array<double, 3>;

/// A ChainSolver that books each solve on its level. The sweep down also evaluates what the next solve needs.
template <class Meter>
class MeteredSolver {
 public:
  MeteredSolver(const rt::StepTask& task, rt::ChainWorkspace& ws, const rt::Team& team, const Meter& meter)
      : solver_(task, ws, team), meter_(meter) {}

  void predict(const rt::State& from) {
    book(rt::Level::kPosition, [&] { solver_.predict(from); });
  }
  void load(const rt::State& state) { solver_.load(state); }
  template <class Decide>
  void sweepUp(rt::Level level, bool must, double leak, Decide&& decide) {
    level_ = level;
    book(level, [&] { solver_.sweepUp(level, must, leak, decide); });
  }
  void sweepDown(rt::Level next) {
    book(level_, [&] { solver_.sweepDown(next); });
  }
  void finish(const rt::State& from, rt::State& to) {
    book(rt::Level::kAcceleration, [&] { solver_.finish(from, to); });
  }
  int accelerationPasses() const { return solver_.accelerationPasses(); }
  rt::Level moved() const { return solver_.moved(); }
  double increment() const { return solver_.increment(); }
  double violation(rt::Level level) const { return solver_.violation(level); }
  bool positive() const { return solver_.positive(); }
  int factorizations() const { return solver_.factorizations(); }
  int limited() const { return solver_.limited(); }
  bool leads() const { return solver_.leads(); }
  static bool isFinite(const rt::StepReport& report, const rt::State& state) {
    return rt::ChainSolver::isFinite(report, state);
  }

  const ByLevel& spent() const { return spent_; }

 private:
  template <class Work>
  void book(rt::Level level, Work&& work) {
    const double before = meter_();
    work();
    spent_[static_cast<std::size_t>(rt::indexOf(level))] += meter_() - before;
  }

  rt::ChainSolver solver_;
  const Meter& meter_;
  rt::Level level_ = rt::Level::kPosition;
  ByLevel spent_{};
};

/// The first steps of a chain of the paper, 10 ms, three iterations, each with its levels.
template <class Meter>
ByLevel spentInSteps(int bodies, int steps, bool counted, const Meter& meter) {
  const rt::Model model = rt::buildModel(tests::chain(bodies));
  const rt::Plan plan = rt::compilePlan(model);
  const rt::Settings settings = tests::settingsFor(0.01, 3);
  rt::Workspace ws(model, plan);
  if (counted) {
    ws.solver.chain = rt::ChainWorkspace(model, *plan.chain, 4, 1);
    ws.solver.chain.lanes = std::make_unique<rt::LanesOf<1>>(*plan.chain);
  }
  rt::State state = rt::initialState(model).state;
  ByLevel spent{};
  for (int k = 0; k < steps; ++k) {
    const rt::StepTask task{model, plan, settings, {settings.dt(), settings.timeAt(state.tick + 1)}, {}};
    const rt::Team team;
    MeteredSolver solver(task, ws.solver.of<rt::ChainSolver>(), team, meter);
    if (rt::trapezoidalStep(task, solver, state, ws.next).status != rt::TickStatus::kOk) throw Error("a step failed");
    ws.next.tick = state.tick + 1;
    std::swap(state, ws.next);
    for (std::size_t i = 0; i < 3; ++i) spent[i] += solver.spent()[i];
  }
  return spent;
}

/// Time of a step of the printed algorithm, µs, with any of its projections: the least of some rounds.
double literalTime(int bodies, bool full_newton, bool velocity, bool acceleration) {
  const rt::Model model = rt::buildModel(tests::chain(bodies));
  rt::offline::LiteralSettings settings;
  settings.alpha = 1e9;
  settings.full_newton = full_newton;
  settings.project_velocity = velocity;
  settings.project_acceleration = acceleration;
  double least = 1e300;
  for (int round = 0; round < 5; ++round) {
    rt::offline::LiteralChain chain(model, rt::initialState(model).state, settings);
    constexpr int kSteps = 8;
    const auto start = Clock::now();
    for (int k = 0; k < kSteps; ++k) chain.step();
    least = std::min(least, microsecondsSince(start) / kSteps);
  }
  return least;
}

}  // namespace

void phases(const Request& request) {
  Table table(request, "figure12a", 1, Compare::kFigures, 1e-3,
              {"bodies", "operations_of_a_body", "newton_percent", "velocity_percent", "acceleration_percent",
               "wall_tick_us", "wall_newton_percent", "wall_velocity_percent", "wall_acceleration_percent",
               "wall_literal_us", "wall_literal_newton_percent", "wall_literal_velocity_percent",
               "wall_literal_acceleration_percent", "wall_literal_full_newton_us", "wall_literal_full_newton_percent"});
  // Chains of fewer bodies than lanes have no chain solver.
  for (const int bodies : {8, 16, 32, 64, 128, 256, 512, 1024}) {
    if (request.brief && bodies > 128) continue;
    constexpr int kSteps = 3;
    const auto count = [] { return static_cast<double>(operations().total()); };
    const ByLevel operations_of = spentInSteps(bodies, kSteps, true, count);
    const auto clock = [] {
      return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
    };
    ByLevel times = spentInSteps(bodies, 20, false, clock);
    for (int round = 0; round < 10; ++round) {
      const ByLevel again = spentInSteps(bodies, 20, false, clock);
      if (again[0] + again[1] + again[2] < times[0] + times[1] + times[2]) times = again;
    }
    const double all = operations_of[0] + operations_of[1] + operations_of[2], time = times[0] + times[1] + times[2];
    const double literal = literalTime(bodies, false, true, true), full = literalTime(bodies, true, true, true);
    const double no_velocity = literalTime(bodies, false, false, true);
    const double no_acceleration = literalTime(bodies, false, true, false);
    const double projections = 2 * literal - no_velocity - no_acceleration;
    table.row({bodies, all / (kSteps * bodies), 100 * operations_of[0] / all, 100 * operations_of[1] / all,
               100 * operations_of[2] / all, time / 20, 100 * times[0] / time, 100 * times[1] / time,
               100 * times[2] / time, literal, 100 * (1 - projections / literal),
               100 * (literal - no_velocity) / literal, 100 * (literal - no_acceleration) / literal, full,
               100 * (1 - projections / full)});
  }
}

void threads(const Request& request) {
  Table table(request, "figure12b_to_14", 2, Compare::kFigures, 0.1,
              {"bodies", "threads", "threads_of_a_step", "wall_step_us", "wall_speed_up", "wall_efficiency_percent",
               "wall_real_time_factor"});
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const int bodies : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    const rt::Model model = rt::buildModel(tests::chain(bodies));
    const rt::Plan plan = rt::compilePlan(model);
    const rt::Settings settings = tests::settingsFor(0.01, 3);
    std::vector<int> counts;
    for (const int n : {1, 2, 4, 8})
      if (n <= cores || request.brief) counts.push_back(n);
    if (request.brief && bodies > 8) continue;
    std::vector<double> best(counts.size(), 1e300);
    std::vector<int> used;
    for (const int n : counts) used.push_back(std::min(n, rt::maxThreads(plan, settings)));
    // The counts take turns; the best of the rounds is the least disturbed one.
    for (int round = 0; round < 40; ++round)
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (used[i] > cores) continue;
        rt::Workspace ws(model, plan, used[i]);
        rt::State state = rt::initialState(model).state;
        for (int k = 0; k < 2; ++k) rt::step(model, plan, settings, {}, state, ws);
        constexpr int kSteps = 20;
        const auto start = Clock::now();
        for (int k = 0; k < kSteps; ++k) rt::step(model, plan, settings, {}, state, ws);
        best[i] = std::min(best[i], microsecondsSince(start) / kSteps);
      }
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] <= 2)
        table.row({bodies, counts[i], used[i], best[i], best[0] / best[i], 100 * best[0] / best[i] / counts[i],
                   1e4 / best[i]});
  }
}

}  // namespace tactus::bench
