#include "clients/python/native/sensitivity.h"

#include "clients/engine/refusal.h"
#include "rt/offline/analysis/trajectory_sensitivity.h"
#include "rt/signals/state_outputs.h"

#include <algorithm>
#include <memory>
#include <span>

namespace tactus::python {

namespace {

using engine::Engine;
using engine::ParameterValue;
using engine::Refusal;

/// A model with another value of one parameter.
struct Side {
  Side(const Engine& engine, const ParameterValue& value, const std::vector<std::string>& signals)
      : beginning(engine.beginningWith({value})), outputs(*beginning.model, signals) {}

  Engine::Beginning beginning;
  rt::StateOutputs outputs;
};

void requireStateSignals(const std::vector<std::string>& signals) {
  for (const std::string& name : signals) {
    try {
      rt::requireStateSignal(name);
    } catch (const Error& error) {
      throw Refusal("REQUEST_INVALID", "outputs", error.what(),
                    "leave the signal out, or use the method \"differences\"");
    }
  }
}

double nominalOf(const Engine& engine, const std::string& name) {
  const auto& values = engine.parameters();
  const auto found = std::ranges::find(values, name, &ParameterValue::name);
  return found == values.end() ? 0 : found->value;  // an unknown name is refused where the model is made
}

bool isAllowed(const Engine& engine, const ParameterValue& value) {
  try {
    engine.beginningWith({value});
    return true;
  } catch (const Refusal& refusal) {
    if (refusal.reason() == "PARAMETER_UNKNOWN") throw;
    return false;
  }
}

}  // namespace

int sideOf(const Engine& engine, const std::string& parameter, double step) {
  const double nominal = nominalOf(engine, parameter);
  const bool above = isAllowed(engine, {parameter, nominal + step});
  const bool below = isAllowed(engine, {parameter, nominal - step});
  return above == below ? 0 : above ? 1 : -1;
}

std::vector<double> sensitivityAlong(Engine& engine, const SensitivityRequest& request) {
  if (request.signals.empty()) throw Refusal("REQUEST_INVALID", "outputs", "no signal is named");
  if (request.ticks < 1 || request.every < 1) throw Refusal("REQUEST_INVALID", "ticks", "must be above zero");
  requireStateSignals(request.signals);
  std::vector<std::unique_ptr<Side>> sides;
  std::vector<rt::offline::VariedModel> parameters;
  for (std::size_t p = 0; p < request.parameters.size(); ++p) {
    const double nominal = nominalOf(engine, request.parameters[p]);
    rt::offline::VariedModel& parameter = parameters.emplace_back();
    for (const double share : rt::offline::sharesOf(request.sides[p])) {
      request.look();
      const double offset = share * request.steps[p];
      Side& side = *sides.emplace_back(
          std::make_unique<Side>(engine, ParameterValue{request.parameters[p], nominal + offset}, request.signals));
      parameter.push_back({side.beginning.model.get(), &side.beginning.start, side.outputs.function(), offset});
    }
  }

  const rt::Model& model = engine.modelInForce();
  const auto width = static_cast<std::size_t>(model.actuatorCount());
  std::vector<int> actuators(width);
  for (std::size_t k = 0; k < width; ++k) actuators[k] = static_cast<int>(k);
  Engine::Block block;
  block.ticks = 1;
  block.actuators = actuators;
  std::vector<double> values;
  try {
    rt::offline::TrajectorySensitivity sensitivity(model, engine.state(),
                                                   {engine.inputs().begin(), engine.inputs().end()}, parameters);
    for (std::int64_t k = 0; k < request.ticks; ++k) {
      request.look();
      block.rows = std::span(request.inputs).subspan(static_cast<std::size_t>(k) * width, width);
      if (engine.run(block) != 1) throw Refusal("SESSION_FAULTED", "", engine.fault());
      sensitivity.advance(engine.state(), engine.settings().timeAt(engine.tick()),
                          {block.rows.begin(), block.rows.end()});
      if ((k + 1) % request.every != 0) continue;
      const Eigen::MatrixXd table = sensitivity.outputs();
      for (Eigen::Index s = 0; s < table.rows(); ++s)
        for (Eigen::Index p = 0; p < table.cols(); ++p) values.push_back(table(s, p));
    }
  } catch (const Refusal&) { throw; } catch (const Error& error) {
    throw Refusal("ANALYSIS_FAILED", "", std::string(error.what()) + ", at tick " + std::to_string(engine.tick()));
  }
  return values;
}

}  // namespace tactus::python
