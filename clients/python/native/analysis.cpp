#include "clients/python/native/analysis.h"

#include "clients/engine/engine.h"
#include "clients/engine/engine_setup.h"
#include "clients/engine/refusal.h"
#include "clients/python/native/message_source.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/independent_coordinates.h"
#include "rt/offline/analysis/modes.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/integrator.h"
#include "rt/signals/state_outputs.h"
#include "rt/state/actuator_input.h"
#include "server/batch/method_start.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace tactus::python {

namespace {

using engine::Refusal;

constexpr const char* kNoResult = "ANALYSIS_FAILED";

double timeOf(const Engine& engine) {
  return engine.settings().timeAt(engine.tick());
}

std::vector<double> inputOf(const Engine& engine) {
  return {engine.inputs().begin(), engine.inputs().end()};
}

PoseRank poseAt(const rt::Model& model, const rt::State& state, const std::vector<double>& input, double time) {
  const rt::offline::EquationsOfMotion system(
      model, [&input](double, std::span<double> out) { std::ranges::copy(input, out.begin()); });
  const rt::offline::MotionPoint at = system.pointOf(state, time);
  const Eigen::MatrixXd H(system.jacobian(at));
  const std::optional<int> singular = rt::offline::singularRank(system, at);
  PoseRank pose;
  pose.rows = system.rows();
  pose.rank = singular ? *singular : rt::offline::TangentSpace(H).rank();
  pose.freedoms = system.size() - pose.rank;
  pose.singular = singular.has_value();
  if (H.rows() > 0) {
    const Eigen::VectorXd values = Eigen::BDCSVD<Eigen::MatrixXd>(H).singularValues();
    pose.singular_values.assign(values.begin(), values.end());
  }
  return pose;
}

/// What a call of the Engine returns; its refusal names this field, and not that of a block of ticks.
template <class Call>
auto named(const char* field, const Call& call) {
  try {
    return call();
  } catch (const Refusal& refusal) { throw Refusal(refusal.reason(), field, refusal.what(), refusal.hint()); }
}

/// A saved state with other values.
SavedState movedTo(SavedState saved, const rt::State& state, const std::vector<double>& input) {
  saved.snapshot.state = state.values();
  saved.snapshot.inputs = input;
  return saved;
}

}  // namespace

void requireNot(const std::atomic<bool>& interrupt) {
  if (interrupt.load(std::memory_order_relaxed)) throw rt::offline::Interrupted();
}

OwnWork<LinearPoint> linearizationOf(Engine& engine, const std::vector<std::string>& outputs,
                                     const std::array<double, 3>& turning, const std::vector<std::string>& inputs) {
  const rt::Vector3d axes(turning[0], turning[1], turning[2]);
  if (!axes.allFinite()) throw Refusal("NOT_FINITE", "turning", "is not finite");
  if (!outputs.empty()) engine.select(outputs);  // its error names the nearest signal
  std::vector<int> actuators;
  try {
    if (!inputs.empty())
      actuators = rt::actuatorsAmong(engine.signals(), named("inputs", [&] { return engine.select(inputs); }), inputs);
  } catch (const Refusal&) { throw; } catch (const Error& error) {
    throw Refusal("REQUEST_INVALID", "inputs", error.what());
  }
  return [model = engine.sharedModelInForce(), state = engine.state(), input = inputOf(engine), time = timeOf(engine),
          tick = engine.tick(), outputs, axes, all = inputs.empty(),
          actuators = std::move(actuators)](const std::atomic<bool>& interrupt) {
    rt::StateOutputs read(*model, outputs);
    const auto look = [&](int) { requireNot(interrupt); };
    LinearPoint point;
    try {
      point.system = rt::offline::linearSystem(*model, state, input, time, read.function(), axes, look);
    } catch (const Error& error) { throw Refusal(kNoResult, "", error.what()); }
    if (!all) rt::offline::keepInputs(actuators, point.system);
    point.tick = tick;
    point.state_hash = rt::formatHash(rt::hashState(state));
    for (std::size_t k = 0; k < read.size(); ++k) {
      point.outputs.push_back(read.signal(k).name);
      point.output_units.push_back(read.signal(k).unit);
    }
    return point;
  };
}

OwnWork<PoseRank> poseOf(const Engine& engine) {
  return [model = engine.sharedModelInForce(), state = engine.state(), input = inputOf(engine),
          time = timeOf(engine)](const std::atomic<bool>&) { return poseAt(*model, state, input, time); };
}

OwnWork<EquilibriumPoint> equilibriumOf(const Engine& engine, int load_steps) {
  if (load_steps < 1) throw Refusal("REQUEST_INVALID", "load_steps", "must be above zero");
  return [model = engine.sharedModelInForce(), state = engine.state(), input = inputOf(engine), time = timeOf(engine),
          base = engine.save(), load_steps](const std::atomic<bool>& interrupt) {
    rt::offline::EquilibriumOptions options;
    options.load_steps = load_steps;
    options.time = time;
    options.interrupt = &interrupt;
    try {
      rt::offline::Equilibrium found = rt::offline::findEquilibrium(*model, state, input, options);
      SavedState saved = movedTo(base, found.state, input);
      return EquilibriumPoint{std::move(found), std::move(saved)};
    } catch (const Error& error) { throw Refusal(kNoResult, "", error.what()); }
  };
}

OwnWork<TrimPoint> trimOf(Engine& engine, const std::vector<std::pair<std::string, double>>& required,
                          const std::vector<std::string>& free, bool moving) {
  rt::offline::TrimOptions options;
  std::vector<std::string> names;
  options.wanted.resize(static_cast<Eigen::Index>(required.size()));
  for (const auto& [name, value] : required) {
    if (named("require", [&] { return engine.select({name}); }).size() != 1 || rt::SignalDirectory::isGlob(name))
      throw Refusal("REQUEST_INVALID", "require", "\"" + name + "\" is a glob", "name one signal");
    if (!std::isfinite(value)) throw Refusal("NOT_FINITE", "require", "\"" + name + "\" is not a finite number");
    options.wanted[static_cast<Eigen::Index>(names.size())] = value;
    names.push_back(name);
  }
  for (const std::string& name : free)
    options.free_inputs.push_back(named("free", [&] { return engine.actuator(name); }));
  if (names.empty()) throw Refusal("REQUEST_INVALID", "require", "no signal is required", "name at least one");
  options.at_rest = !moving;
  options.time = timeOf(engine);
  return [model = engine.sharedModelInForce(), state = engine.state(), input = inputOf(engine), base = engine.save(),
          names = std::move(names), search = std::move(options)](const std::atomic<bool>& interrupt) {
    rt::offline::TrimOptions own = search;
    own.interrupt = &interrupt;
    rt::StateOutputs outputs(*model, names);
    own.names = outputs.namesWithUnits();
    try {
      rt::offline::Trim found = rt::offline::findTrim(*model, state, input, outputs.function(), own);
      std::vector<std::string> beyond;
      for (std::size_t k = 0; k < found.input.size(); ++k)
        if (found.input[k] < model->actuators[k].minimum || found.input[k] > model->actuators[k].maximum)
          beyond.push_back(model->actuator_names[k]);
      SavedState saved = movedTo(base, found.state, found.input);
      return TrimPoint{std::move(found), std::move(beyond), std::move(saved)};
    } catch (const Error& error) { throw Refusal(kNoResult, "", error.what()); }
  };
}

MethodRun runMethod(const server::ModelDocument& document, const MethodOptions& options,
                    const std::atomic<bool>& interrupt) {
  const std::shared_ptr<const rt::Model> model = MessageSource(document).build(options.parameters);
  if (options.step_ns < 1) throw Refusal("REQUEST_INVALID", "step", "must be above zero");
  if (options.until_ns < 1) throw Refusal("REQUEST_INVALID", "until", "must be above zero");
  if (options.every < 1) throw Refusal("REQUEST_INVALID", "every", "must be above zero");
  std::vector<rt::ScriptedInput> script;
  const auto width = static_cast<std::size_t>(model->actuatorCount());
  for (std::size_t k = 0; width > 0 && k < options.rows.size() / width; ++k) {
    requireNot(interrupt);
    const std::span<const double> row = std::span(options.rows).subspan(k * width, width);
    for (std::size_t i = 0; i < width; ++i) engine::requireValue(*model, i, row[i], static_cast<std::int64_t>(k));
    script.push_back({static_cast<std::int64_t>(k) + 1, {row.begin(), row.end()}});
  }
  const rt::SignalDirectory directory(*model);
  std::vector<int> selected;
  try {
    if (!options.signals.empty()) selected = directory.resolve(options.signals);
  } catch (const Error& error) { throw Refusal("SIGNAL_UNKNOWN", "outputs", error.what()); }
  const rt::offline::InputSignal input = server::inputOfMethod(*model, options.method, script, options.step_ns);
  rt::ActuatorInput first(*model);
  input(0, first.values);
  MethodRun run{model->name, {}, {}, {}, {}, engine::assembled(*model, options.initial_condition, first)};
  try {
    const rt::offline::Problem problem{*model,
                                       run.assembly.state,
                                       input,
                                       1e-9 * static_cast<double>(options.step_ns),
                                       1e-9 * static_cast<double>(options.until_ns),
                                       {},
                                       &interrupt,
                                       {}};
    run.trajectory = rt::offline::integrate(problem, options.method, options.settings);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "integrator", error.what()); }
  requireNot(interrupt);

  for (const int s : selected) run.signals.push_back(directory.signals()[static_cast<std::size_t>(s)]);
  rt::SignalReader reader(directory, selected);
  rt::Snapshot snapshot(*model);
  const auto every = static_cast<std::size_t>(options.every);
  for (std::size_t k = 0; k < run.trajectory.samples.size(); ++k) {
    if (k % every != 0 && k + 1 != run.trajectory.samples.size()) continue;
    requireNot(interrupt);
    const rt::offline::Sample& sample = run.trajectory.samples[k];
    snapshot.state = sample.state;
    snapshot.inputs = sample.inputs;
    snapshot.header.sim_time_ns = std::llround(sample.t * 1e9);
    run.times.push_back(sample.t);
    const std::size_t end = run.values.size();
    run.values.resize(end + selected.size());
    reader.read(snapshot, std::span<double>(run.values).subspan(end));
  }
  return run;
}

}  // namespace tactus::python
