// [DCA3] section 4: the double pendulum (figures 4 and 5), the four-bar (6 and 7), the chain of 128 (9 to 11) and the
// penalties that the text gives for it. What section 5 measures is in ali3p_performance.cpp.
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/literal/literal_chain.h"
#include "rt/signals/signal_reader.h"
#include "tests/bench/papers/ali3p_performance.h"
#include "tests/support/compare.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <cmath>
#include <memory>

namespace tactus::bench {

namespace {

using rt::Vector3d;
using rt::offline::LiteralChain;
using rt::offline::LiteralSettings;

constexpr double kStep = 0.01;  // s, of all examples

/// What the figures show of a chain at one instant.
struct Instant {
  Vector3d first, tip, tip_velocity, force;  ///< of link 1 and of the free end; of the ground on link 1
  double kinetic = 0, energy = 0;
  double position = 0, velocity = 0, acceleration = 0;  ///< norms of the violations
};

/// A chain by one of the two solvers, step by step.
class ChainRun {
 public:
  virtual ~ChainRun() = default;
  virtual bool step() = 0;  ///< false: the motion is no longer finite
  virtual Instant now() const = 0;
  virtual Vector3d end(int link) const = 0;  ///< of a link, counted from 0
  virtual double increment() const = 0;      ///< of the last iteration
};

class LiteralRun final : public ChainRun {
 public:
  LiteralRun(const rt::ModelSpec& spec, double alpha, bool full_newton, int iterations)
      : model_(rt::buildModel(spec)),
        chain_(model_, rt::initialState(model_).state, settings(alpha, full_newton, iterations)) {
    start_energy_ = chain_.energy();
  }
  bool step() override {
    chain_.step();
    return chain_.finite();
  }
  Instant now() const override {
    Instant i;
    const int last = chain_.bodies() - 1;
    i.first = chain_.r(0);
    i.tip = end(last);
    const Vector3d arm = end(last) - chain_.r(last);
    i.tip_velocity = chain_.v(last) + (rt::rotationMatrix(chain_.p(last).normalized()) * chain_.omega(last)).cross(arm);
    i.force = chain_.correctedLambda(0);
    i.kinetic = chain_.kineticEnergy();
    i.energy = chain_.energy() - start_energy_;
    i.position = chain_.largestGap();
    i.velocity = chain_.velocityViolation();
    i.acceleration = chain_.accelerationViolation();
    return i;
  }
  Vector3d end(int link) const override {
    return chain_.r(link) + rt::rotationMatrix(chain_.p(link).normalized()) * Vector3d(0.5, 0, 0);
  }
  double increment() const override { return chain_.lastIncrement(); }

 private:
  static LiteralSettings settings(double alpha, bool full_newton, int iterations) {
    LiteralSettings s;
    s.dt = kStep;
    s.alpha = alpha;
    s.full_newton = full_newton;
    s.iterations = iterations;
    return s;
  }
  rt::Model model_;
  LiteralChain chain_;
  double start_energy_;
};

class TickRun final : public ChainRun {
 public:
  /// @param alpha  the paper's penalty; 0: the relative compliance of the tick
  TickRun(const rt::ModelSpec& spec, double alpha, int iterations)
      : simulation_(spec, settings(alpha, iterations)),
        directory_(simulation_.model()),
        reader_(directory_, directory_.resolve({"joint_1.force.x", "joint_1.force.y", "joint_1.force.z",
                                                "energy.kinetic", "energy.total"})),
        snapshot_(simulation_.model()) {
    start_energy_ = now().energy;
  }
  bool step() override {
    snapshot_.header.report = simulation_.step();
    return snapshot_.header.report.status == rt::TickStatus::kOk;
  }
  Instant now() const override {
    snapshot_.state = simulation_.state().values();
    std::vector<double> values(5);
    reader_.read(snapshot_, values);
    const rt::StateView s = simulation_.state().view();
    const int last = simulation_.model().bodyCount() - 1;
    Instant i;
    i.first = s.r(0);
    i.tip = end(last);
    i.tip_velocity = s.v(last) + (rt::rotationMatrix(s.p(last)) * s.omega(last)).cross(Vector3d(end(last) - s.r(last)));
    i.force = Vector3d(values[0], values[1], values[2]);
    i.kinetic = values[3];
    i.energy = values[4] - start_energy_;
    i.position = snapshot_.header.report.constraint_position;
    i.velocity = snapshot_.header.report.constraint_velocity;
    i.acceleration = snapshot_.header.report.constraint_acceleration;
    return i;
  }
  Vector3d end(int link) const override {
    const rt::StateView s = simulation_.state().view();
    return s.r(link) + rt::rotationMatrix(s.p(link)) * Vector3d(0.5, 0, 0);
  }
  double increment() const override { return snapshot_.header.report.increment; }

 private:
  static rt::Settings settings(double alpha, int iterations) {
    rt::Settings s = tests::settingsFor(kStep, iterations);
    s.absolute_alpha = alpha;
    return s;
  }
  tests::Simulation simulation_;
  rt::SignalDirectory directory_;
  mutable rt::SignalReader reader_;
  mutable rt::Snapshot snapshot_;
  double start_energy_ = 0;
};

struct Solver {
  const char* name;
  double alpha;
  bool literal;
};

std::unique_ptr<ChainRun> start(const Solver& solver, const rt::ModelSpec& spec, int iterations = 3) {
  if (solver.literal) return std::make_unique<LiteralRun>(spec, solver.alpha, false, iterations);
  return std::make_unique<TickRun>(spec, solver.alpha, iterations);
}

const std::vector<std::string> kInstantColumns = {"solver",
                                                  "t_s",
                                                  "x_m",
                                                  "y_m",
                                                  "z_m",
                                                  "vx_m_per_s",
                                                  "vy_m_per_s",
                                                  "force_x_N",
                                                  "force_y_N",
                                                  "force_z_N",
                                                  "kinetic_J",
                                                  "energy_J",
                                                  "position_violation",
                                                  "velocity_violation",
                                                  "acceleration_violation"};

std::vector<Cell> cellsOf(const char* solver, double t, const Vector3d& r, const Instant& i) {
  return {solver,     t,          r[0],      r[1],     r[2],       i.tip_velocity[0], i.tip_velocity[1], i.force[0],
          i.force[1], i.force[2], i.kinetic, i.energy, i.position, i.velocity,        i.acceleration};
}

void doublePendulum(const Request& request) {
  Table table(request, "figures_4_5", 2, Compare::kCurve, 1e-4, kInstantColumns);
  Table errors(request, "figures_4_5_errors", 2, Compare::kFigures, 0.05,
               {"solver", "until_s", "error_A_m", "force_error_N", "largest_energy_J", "position_violation",
                "velocity_violation", "acceleration_violation", "increment"});
  const tests::Table exact = tests::Table::reference("spatial_double_pendulum.csv");
  std::vector<tests::Series> position, force;
  for (const char* axis : {"x", "y", "z"}) {
    position.push_back(exact.series(std::string("rA_") + axis + "[m]"));
    force.push_back(exact.series(std::string("F1_") + axis + "[N]"));
  }
  for (const Solver& solver : {Solver{"literal 1e6", 1e6, true}, {"tick 1e6", 1e6, false}, {"tick", 0, false}}) {
    const auto run = start(solver, tests::doublePendulum());
    Instant worst;
    double position_error = 0, force_error = 0, increment = 0;
    for (int k = 0; k <= (request.brief ? 100 : 1000); ++k) {
      const double t = kStep * k;
      if (k > 0 && !run->step()) break;
      const Instant i = run->now();
      if (k % 10 == 0) table.row(cellsOf(solver.name, t, i.first, i));
      Vector3d r, f;
      for (Eigen::Index a = 0; a < 3; ++a) {
        r[a] = tests::valueAt(position[static_cast<std::size_t>(a)], t);
        f[a] = tests::valueAt(force[static_cast<std::size_t>(a)], t);
      }
      position_error = rt::worst(position_error, (i.first - r).norm());
      force_error = rt::worst(force_error, (i.force - f).norm());
      worst.energy = std::max(worst.energy, std::abs(i.energy));
      worst.position = std::max(worst.position, i.position);
      worst.velocity = std::max(worst.velocity, i.velocity);
      worst.acceleration = std::max(worst.acceleration, i.acceleration);
      increment = rt::worst(increment, k > 0 ? run->increment() : 0);
      if (k == 100 || k == 500 || k == 1000)
        errors.row({solver.name, t, position_error, force_error, worst.energy, worst.position, worst.velocity,
                    worst.acceleration, increment});
    }
  }
}

void fourBar(const Request& request) {
  Table table(request, "figures_6_7", 2, Compare::kCurve, 1e-3,
              {"solver", "t_s", "x_m", "y_m", "vx_m_per_s", "vy_m_per_s", "ax_m_per_s2", "ay_m_per_s2", "force_x_N",
               "force_y_N", "energy_J", "position_violation", "velocity_violation", "acceleration_violation"});
  for (const Solver& solver : {Solver{"tick 1e6", 1e6, false}, {"tick", 0, false}}) {
    rt::Settings settings = tests::settingsFor(kStep, 4);
    settings.absolute_alpha = solver.alpha;
    const tests::Recording run =
        tests::record(tests::fourBar(tests::FourBarReading::kDown), settings, request.brief ? 2 : 30,
                      {"A.r.*", "A.v.*", "A.a.*", "joint_1.force.*", "energy.total", "constraint.*"});
    for (std::size_t k = 0; k < run.t.size(); k += run.t[k] < 9.999 ? 5 : 50) {
      const auto at = [&](const char* signal) { return run[signal][k]; };
      table.row({solver.name, run.t[k], at("A.r.x"), at("A.r.y"), at("A.v.x"), at("A.v.y"), at("A.a.x"), at("A.a.y"),
                 at("joint_1.force.x"), at("joint_1.force.y"), at("energy.total") - run["energy.total"][0],
                 at("constraint.position"), at("constraint.velocity"), at("constraint.acceleration")});
    }
  }
}

void longChain(const Request& request) {
  Table table(request, "figures_10_11", 2, Compare::kCurve, 1e-3, kInstantColumns);
  for (const Solver& solver : {Solver{"literal 1e9", 1e9, true}, {"tick 1e9", 1e9, false}, {"tick", 0, false}}) {
    if (request.brief && solver.literal) continue;
    const auto run = start(solver, tests::chain(128));
    for (int k = 0; k <= (request.brief ? 100 : 1000); ++k) {
      if (k > 0 && !run->step()) break;
      if (k % 5 != 0) continue;
      const Instant i = run->now();
      table.row(cellsOf(solver.name, kStep * k, i.tip, i));
    }
  }
}

void snapshots(const Request& request) {
  Table table(request, "figure9", 2, Compare::kCurve, 1e-3, {"t_s", "link", "x_m", "y_m"});
  const auto run = start({"tick 1e9", 1e9, false}, tests::chain(128));
  for (int k = 0; k <= (request.brief ? 100 : 1000); ++k) {
    if (k > 0) run->step();
    if (k % 100 != 0) continue;
    for (int link = 0; link <= 128; link += 4) {
      const Vector3d r = link == 0 ? Vector3d::Zero() : run->end(link - 1);
      table.row({kStep * k, link, r[0], r[1]});
    }
  }
}

void penalties(const Request& request) {
  Table table(request, "penalties", 2, Compare::kFigures, 0.1,
              {"solver", "penalty", "end_s", "lowest_energy_J", "t_of_lowest_s", "final_energy_J", "largest_kinetic_J",
               "t_of_largest_s", "largest_gap_m", "largest_increment", "ending"});
  const auto row = [&](const char* name, const std::string& penalty, std::unique_ptr<ChainRun> run) {
    Instant at = run->now();
    double lowest = 0, t_lowest = 0, kinetic = 0, t_kinetic = 0, gap = 0, increment = 0, t = 0;
    bool good = true;
    for (int k = 1; k <= 1000; ++k) {
      if (!(good = run->step())) break;
      t = kStep * k;
      at = run->now();
      if (at.energy < lowest) lowest = at.energy, t_lowest = t;
      if (at.kinetic > kinetic) kinetic = at.kinetic, t_kinetic = t;
      gap = rt::worst(gap, at.position);
      increment = rt::worst(increment, run->increment());
      // Ten times the energy that the chain can fall through: the run is lost.
      if (!(std::abs(at.energy) < 1e6)) break;
    }
    const bool ends = good && t > 9.995;
    table.row({name, penalty, t, lowest, t_lowest, at.energy, kinetic, t_kinetic, gap, increment,
               ends ? "complete" : "fails"});
  };
  for (const char* penalty : {"1e6", "1e7", "1e8", "1e9", "1e10"}) {
    const double alpha = std::strtod(penalty, nullptr);
    if (request.brief && alpha > 2e8) continue;
    row("literal frozen tangent", penalty, std::make_unique<LiteralRun>(tests::chain(128), alpha, false, 3));
    row("literal full Newton", penalty, std::make_unique<LiteralRun>(tests::chain(128), alpha, true, 3));
    row("tick", penalty, std::make_unique<TickRun>(tests::chain(128), alpha, 3));
  }
  if (!request.brief) row("tick", "relative", std::make_unique<TickRun>(tests::chain(128), 0, 3));
}

/// The increments that the text of section 5.2 gives: below 1e-7 for 2 bodies and below 1e-3 for 1024.
void increments(const Request& request) {
  Table table(request, "increments", 2, Compare::kFigures, 0.1,
              {"solver", "bodies", "until_s", "largest_increment", "lowest_energy_J", "largest_gap_m"});
  for (const int bodies : {2, 8, 32, 128, 512, 1024})
    for (const Solver& solver : {Solver{"literal 1e9", 1e9, true},
                                 {"literal 1e11", 1e11, true},
                                 {"literal 1e12", 1e12, true},
                                 {"tick", 0, false}}) {
      if ((request.brief && bodies > 8) || (solver.alpha > 1e10 && bodies < 512)) continue;
      const auto run = start(solver, tests::chain(bodies));
      double increment = 0, lowest = 0, gap = 0;
      int k = 0;
      while (k < 1000 && run->step()) {
        ++k;
        increment = rt::worst(increment, run->increment());
        const Instant i = run->now();
        lowest = std::min(lowest, i.energy);
        gap = rt::worst(gap, i.position);
      }
      table.row({solver.name, bodies, kStep * k, increment, lowest, gap});
    }
}

}  // namespace

std::vector<Experiment> ali3pExperiments() {
  return {{"figures_4_5", doublePendulum}, {"figures_6_7", fourBar},    {"figure9", snapshots},
          {"figures_10_11", longChain},    {"penalties", penalties},    {"increments", increments},
          {"figure12a", phases},           {"figure12b_to_14", threads}};
}

}  // namespace tactus::bench
