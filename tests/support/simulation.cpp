#include "tests/support/simulation.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/signals/signal_reader.h"
#include "rt/state/actuator_input.h"
#include "tests/support/dense_mechanism.h"

#include <algorithm>
#include <cmath>

namespace tactus::tests {

namespace {

/// Largest distance between the points that point rows hold together; formulas of the dense oracle.
double largestGap(const rt::Model& model, const rt::State& state) {
  const rt::StateView s = state.view();
  const auto toWorld = [&s](int body, const Vector3d& x) -> Vector3d {
    return body == rt::kGround ? x : Vector3d(s.r(body) + rotationOf(s.p(body)) * x);
  };
  double worst = 0;
  for (const rt::Primitive& p : model.primitives) {
    if (p.kind != rt::PrimitiveKind::kPoint) continue;
    worst = rt::worst(worst, (toWorld(p.body_1, p.s_1) - toWorld(p.body_2, p.s_2)).norm());
  }
  return worst;
}

void takeWorst(const rt::StepReport& report, rt::StepReport& worst) {
  const auto take = [](double value, double& largest) {
    largest = std::isfinite(value) ? std::max(value, largest) : HUGE_VAL;
  };
  worst.converged = worst.converged && report.converged;
  worst.factorizations = std::max(worst.factorizations, report.factorizations);
  worst.limited = std::max(worst.limited, report.limited);
  take(report.increment, worst.increment);
  take(report.contraction, worst.contraction);
  take(report.residual, worst.residual);
  take(report.constraint_position, worst.constraint_position);
  take(report.constraint_velocity, worst.constraint_velocity);
  take(report.constraint_acceleration, worst.constraint_acceleration);
  take(report.velocity_projection, worst.velocity_projection);
}

}  // namespace

Simulation::Simulation(const rt::ModelSpec& spec, const rt::Settings& settings)
    : model_(std::make_shared<const rt::Model>(rt::buildModel(spec))),
      settings_(settings),
      plan_(rt::compilePlan(*model_)),
      state_(rt::initialState(*model_).state),
      workspace_(*model_, plan_),
      input_(rt::ActuatorInput(*model_).values) {}

rt::StepReport Simulation::step() {
  return rt::step(*model_, plan_, settings_, input_, state_, workspace_);
}

rt::Settings settingsFor(double dt, int iterations) {
  rt::Settings settings;
  settings.period_ns = std::llround(dt * 1e9);
  settings.iterations = iterations > 0 ? iterations : dt <= 2e-3 ? 2 : 3;
  return settings;
}

double Recording::lowestChange(const std::string& signal) const {
  const std::vector<double>& v = values_.at(signal);
  return *std::min_element(v.begin(), v.end()) - v.front();
}

double Recording::highestChange(const std::string& signal) const {
  const std::vector<double>& v = values_.at(signal);
  return *std::max_element(v.begin(), v.end()) - v.front();
}

Recording record(const rt::ModelSpec& spec, const rt::Settings& settings, double until,
                 const std::vector<std::string>& signals) {
  Simulation simulation(spec, settings);
  const rt::SignalDirectory directory(simulation.model());
  const std::vector<int> indices = directory.resolve(signals);
  rt::SignalReader reader(directory, indices);
  rt::Snapshot snapshot(simulation.model());
  std::vector<double> values(indices.size());
  std::vector<std::vector<double>*> columns;

  Recording out;
  for (const int i : indices) columns.push_back(&out.values_[directory.signals()[static_cast<std::size_t>(i)].name]);
  const auto steps = std::llround(until / settings.dt());
  for (std::int64_t k = 0; k <= steps; ++k) {
    if (k > 0) {
      snapshot.header.report = simulation.step();
      if (snapshot.header.report.status != rt::TickStatus::kOk) {
        out.ok = false;
        break;
      }
      takeWorst(snapshot.header.report, out.worst);
    }
    snapshot.state = simulation.state().values();
    reader.read(snapshot, values);
    out.t.push_back(simulation.time());
    for (std::size_t i = 0; i < values.size(); ++i) columns[i]->push_back(values[i]);
    for (int i = 0; i < simulation.model().bodyCount(); ++i) {
      out.worst_norm = std::max(out.worst_norm, std::abs(simulation.state().view().p(i).norm() - 1));
    }
    out.worst_gap = std::max(out.worst_gap, largestGap(simulation.model(), simulation.state()));
  }
  return out;
}

double vectorError(const Recording& recording, const std::string& signal, const Table& reference,
                   const std::pair<std::string, std::string>& column, double t_begin, double t_end,
                   const std::string& components) {
  double worst = 0;
  for (const char c : components) {
    const Series computed = recording.series(signal + '.' + c);
    const Series expected = reference.series(column.first + '_' + c + column.second);
    worst = rt::worst(worst, rError(computed, expected, t_begin, t_end));
  }
  return worst;
}

}  // namespace tactus::tests
