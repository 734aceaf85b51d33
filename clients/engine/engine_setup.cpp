#include "clients/engine/engine_setup.h"

#include "rt/ali3p/extrapolation_limit.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/team.h"
#include "rt/model/check_model.h"

#include <algorithm>

namespace tactus::engine {

namespace {

constexpr std::size_t kRing = 4;  // publications

}  // namespace

int actuatorOf(const rt::Model& model, const std::string& name) {
  const auto& names = model.actuator_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const std::string near = rt::nearestName(name, names);
    throw Refusal("SIGNAL_UNKNOWN", "inputs", "\"" + name + "\" is not an actuator of model \"" + model.name + "\"",
                  near.empty() ? "" : "did you mean \"" + near + "\"?");
  }
  return static_cast<int>(found - names.begin());
}

rt::Settings chosenSettings(const rt::Model& model, const EngineOptions& options) {
  if (options.period_ns < 0) throw Refusal("REQUEST_INVALID", "period", "the period must be above zero");
  rt::Settings settings;
  try {
    settings = rt::chooseSettings(model, options.period_ns);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "period", error.what()); }
  for (const rt::SettingChange& change : options.settings) {
    try {
      rt::changeSetting(settings, change);
    } catch (const Error& error) {
      throw Refusal("REQUEST_INVALID", change.name, error.what(),
                    "leave it out for the setting that the model recommends, or the default");
    }
  }
  requireStable(model, settings);
  return settings;
}

void requireStable(const rt::Model& model, const rt::Settings& settings) {
  try {
    rt::requireStableSteps(model, settings);
  } catch (const rt::ModelError& error) {
    throw Refusal("MODEL_INVALID", "model", "the model is not valid", "", {{error.findings().front(), 0, 0}});
  } catch (const Error& error) { throw Refusal("MODEL_INVALID", "model", error.what()); }
}

int initialConditionOf(const rt::Model& model, const std::string& name) {
  try {
    return rt::findInitialCondition(model, name);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "initial_condition", error.what()); }
}

rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition) {
  return assembled(model, initial_condition, rt::ActuatorInput(model));
}

rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition,
                             const rt::ActuatorInput& input) {
  const int condition = initialConditionOf(model, initial_condition);
  try {
    return rt::initialState(model, condition, input);
  } catch (const Error& error) { throw Refusal("MODEL_INVALID", "model", error.what()); }
}

rt::LoopOptions loopOptions(const rt::Plan& plan, const rt::Settings& settings, int threads) {
  rt::LoopOptions options;
  options.ring_capacity = kRing;
  if (threads < 1) throw Refusal("REQUEST_INVALID", "threads", "must be at least 1");
  try {
    options.threads = rt::chooseThreads(rt::maxThreads(plan, settings), threads, false);
  } catch (const Error& error) { throw Refusal("REQUEST_INVALID", "threads", error.what()); }
  return options;
}

}  // namespace tactus::engine
