#include "server/batch/method_start.h"

#include "rt/model/model.h"
#include "server/batch/input_series.h"

#include <algorithm>
#include <span>
#include <utility>

namespace tactus::server {
namespace {

/// The signal with the initial values of the actuators at its beginning.
rt::offline::InputSignal withInitialValues(const rt::Model& model, rt::offline::InputSignal rows) {
  return [initial = rt::ActuatorInput(model).values, rows = std::move(rows)](double t, std::span<double> values) {
    if (t > 0)
      rows(t, values);
    else
      std::copy(initial.begin(), initial.end(), values.begin());
  };
}

}  // namespace

rt::offline::InputSignal inputOfMethod(const rt::Model& model, const std::string& method,
                                       const std::vector<rt::ScriptedInput>& script, std::int64_t step_ns) {
  rt::offline::InputSignal input = signalOf(model, script, step_ns);
  return method == kStepOfTheServer ? withInitialValues(model, std::move(input)) : input;
}

MethodStart startOf(const rt::Model& model, const std::string& method, const std::string& initial_condition,
                    const std::vector<rt::ScriptedInput>& script, std::int64_t step_ns) {
  rt::offline::InputSignal input = inputOfMethod(model, method, script, step_ns);
  rt::ActuatorInput first(model);
  input(0, first.values);
  return {input, rt::initialState(model, rt::findInitialCondition(model, initial_condition), first)};
}

}  // namespace tactus::server
