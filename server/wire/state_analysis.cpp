#include "server/wire/state_analysis.h"

#include "rt/error.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/frequency_response.h"
#include "rt/offline/analysis/modes.h"
#include "rt/signals/state_outputs.h"
#include "server/wire/request_error.h"
#include "server/wire/state_frame.h"
#include "server/wire/state_search.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace tactus::server {

namespace {

using rt::offline::LinearSystem;
using rt::offline::Mode;
using Numbers = google::protobuf::RepeatedField<double>;

constexpr const char* kOwnProcess = "use tactus.Simulation or tactus analyse in a process of its own";

[[noreturn]] void refuseAnalysis(const char* field, const std::string& message, const std::string& hint = {}) {
  throw RequestError(Reason::kRequestInvalid, field, message, hint);
}

/// A search has a linear system on request only; without a search there is one always.
void checkSearch(const v1::AnalyseRequest& request) {
  if (!asksForSearch(request)) {
    if (!request.input_values().empty())
      refuseAnalysis("input_values", "input_values has no effect without a search", "set equilibrium or trim");
    return;
  }
  if (request.linearize()) return;
  const char* const idle = !request.inputs().empty()        ? "inputs"
                           : !request.turning().empty()     ? "turning"
                           : request.modes()                ? "modes"
                           : !request.frequencies().empty() ? "frequencies"
                                                            : nullptr;
  if (idle) refuseAnalysis(idle, std::string(idle) + " has no effect on a search alone", "set linearize");
}

/// What can be wrong with a request whatever its session is.
void checkRequest(const v1::AnalyseRequest& request) {
  checkSearch(request);
  if (request.turning_size() != 0 && request.turning_size() != 3)
    refuseAnalysis("turning", "has " + std::to_string(request.turning_size()) + " numbers",
                   "give x, y and z, or none of them");
  for (int i = 0; i < request.turning_size(); ++i)
    if (!std::isfinite(request.turning(i)))
      throw RequestError(Reason::kNotFinite, "turning[" + std::to_string(i) + ']', "is not finite");
  if (request.shapes() && !request.modes()) refuseAnalysis("shapes", "shapes has no effect without modes", "set modes");
  if (request.frequencies_size() > kMaxFrequencies)
    throw RequestError(Reason::kLimitExceeded, "frequencies",
                       std::to_string(request.frequencies_size()) + " frequencies are too many",
                       "give at most " + std::to_string(kMaxFrequencies));
  for (int i = 0; i < request.frequencies_size(); ++i)
    if (!(request.frequencies(i) > 0) || !std::isfinite(request.frequencies(i)))
      throw RequestError(Reason::kValueOutOfRange, "frequencies[" + std::to_string(i) + ']',
                         "must be above 0 Hz and finite");
}

/// The actuators of names and globs; none of them: all.
std::vector<int> chosenInputs(const rt::SignalDirectory& directory, const std::vector<std::string>& patterns) {
  if (!patterns.empty()) {
    const std::vector<int> signals = selectSignals(directory, patterns, "inputs").indices;
    try {
      return rt::actuatorsAmong(directory, signals, patterns);
    } catch (const Error& error) { refuseAnalysis("inputs", error.what(), "Session.inputs lists the actuators"); }
  }
  std::vector<int> all(static_cast<std::size_t>(directory.model().actuatorCount()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// A field of the answer would make it too large.
void requireRoom(double numbers, const AnalysisBounds& bounds, const v1::AnalyseResponse& response, const char* what,
                 const char* field, const char* hint) {
  const double bytes = static_cast<double>(response.ByteSizeLong()) + 8 * numbers;
  if (bytes <= static_cast<double>(bounds.bytes)) return;
  throw RequestError(Reason::kLimitExceeded, field,
                     std::string("with ") + what + " the answer has " + std::to_string(std::llround(bytes / 1e6)) +
                         " MB; a message has at most " + std::to_string(bounds.bytes >> 20) + " MiB",
                     hint);
}

template <class Matrix>
void writeMatrix(const Matrix& matrix, Numbers& numbers) {
  numbers.Reserve(static_cast<int>(matrix.size()));
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) numbers.Add(matrix(r, c));
}

void writeVariable(const std::string& name, const std::string& unit, double value, v1::LinearVariable& variable) {
  variable.set_name(name);
  variable.set_unit(unit);
  variable.set_value(value);
}

void writeSystem(const LinearSystem& system, v1::AnalyseResponse& response) {
  for (std::size_t k = 0; k < system.states.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    v1::LinearVariable& state = *response.add_states();
    writeVariable(system.states[k].name, system.states[k].unit, system.state[i], state);
    state.set_rate(system.rate[i]);
  }
  response.set_coordinates(static_cast<std::uint32_t>(system.coordinates));
  writeMatrix(system.A, *response.mutable_a());
  writeMatrix(system.B, *response.mutable_b());
  writeMatrix(system.C, *response.mutable_c());
  writeMatrix(system.D, *response.mutable_d());
  response.set_constraint_rows(static_cast<std::uint32_t>(system.rank + system.redundant_rows));
  response.set_redundant_rows(static_cast<std::uint32_t>(system.redundant_rows));
  response.set_largest_rate(unrestOf(system).rate);
}

void writeMode(const Mode& mode, bool shapes, v1::LinearMode& message) {
  message.set_kind(toString(mode));
  message.set_real(mode.eigenvalue.real());
  message.set_imaginary(mode.eigenvalue.imag());
  message.set_omega(mode.omega);
  message.set_damping(mode.damping);
  if (!shapes) return;
  writeMatrix(mode.shape.real(), *message.mutable_shape_real());
  writeMatrix(mode.shape.imag(), *message.mutable_shape_imaginary());
  writeMatrix(mode.state.real(), *message.mutable_state_real());
  writeMatrix(mode.state.imag(), *message.mutable_state_imaginary());
}

void findModes(const LinearSystem& system, const rt::Model& model, bool shapes, const AnalysisBounds& bounds,
               v1::AnalyseResponse& response) {
  const std::vector<Mode> modes = rt::offline::modesOf(system);
  if (shapes)
    requireRoom(2 * static_cast<double>(modes.size()) * static_cast<double>(system.motion.rows() + system.A.rows()),
                bounds, response, "shapes", "shapes", "leave out shapes (in Python: modes=False)");
  for (const Mode& mode : modes) writeMode(mode, shapes, *response.add_modes());
  if (shapes)
    for (const std::string& body : model.body_names) response.add_bodies(body);
  requireRoom(0, bounds, response, "modes", "modes", "leave out modes or outputs");
}

void findResponse(const LinearSystem& system, const v1::AnalyseRequest& request, const AnalysisBounds& bounds,
                  const std::function<void()>& progress, v1::AnalyseResponse& response) {
  const auto count = static_cast<double>(request.frequencies_size()),
             states = static_cast<double>(system.states.size());
  if (system.inputs.empty() || response.outputs().empty())
    refuseAnalysis("frequencies", system.inputs.empty() ? "the model has no actuator" : "there is no output",
                   system.inputs.empty() ? "leave out frequencies" : "name signals as outputs");
  if (count * states * states * states > kMaxFrequencyWork)
    throw RequestError(
        Reason::kLimitExceeded, "frequencies",
        std::to_string(request.frequencies_size()) + " frequencies are too many for a system with " +
            std::to_string(system.states.size()) + " states",
        "give at most " + std::to_string(static_cast<int>(kMaxFrequencyWork / (states * states * states))));
  requireRoom(count * 2 * static_cast<double>(system.D.size() + 4), bounds, response, "the frequency response",
              "frequencies", "give fewer frequencies, inputs or outputs");
  std::vector<double> omega;
  for (const double f : request.frequencies()) omega.push_back(2 * std::numbers::pi * f);
  const std::vector<Eigen::MatrixXcd> values = rt::offline::frequencyResponse(system, omega, progress);
  for (std::size_t k = 0; k < values.size(); ++k) {
    v1::LinearResponse& at = *response.add_responses();
    at.set_frequency(request.frequencies(static_cast<int>(k)));
    writeMatrix(values[k].real(), *at.mutable_real());
    writeMatrix(values[k].imag(), *at.mutable_imaginary());
  }
}

/// Matrices that are too large for an answer are not computed.
void requireSmall(double states, double inputs, double outputs, const AnalysisBounds& bounds) {
  requireRoom((states + outputs) * (states + inputs), bounds, {}, "the matrices",
              outputs > states ? "outputs" : "session", outputs > states ? "name fewer outputs" : kOwnProcess);
}

/// At a state or, with a search, at the one that it has found.
LinearSystem linearizeTick(const rt::Snapshot& tick, const rt::Model& model, double time,
                           const v1::AnalyseRequest& request, rt::StateOutputs& outputs, const AnalysisBounds& bounds,
                           const std::function<void()>& progress, const v1::FoundState& found) {
  rt::State state(model);
  state.values() = tick.state;
  rt::Vector3d turning = rt::Vector3d::Zero();
  const Numbers& axes = request.turning().empty() ? found.trim().turning() : request.turning();
  for (int i = 0; i < axes.size(); ++i) turning[i] = axes[i];
  const auto watch = [&](int states) {
    requireSmall(states, model.actuatorCount(), static_cast<double>(outputs.size()), bounds);
    progress();
  };
  try {
    LinearSystem system =
        rt::offline::linearSystem(model, state, tick.inputs, time, outputs.function(), turning, watch);
    if (!system.A.allFinite() || !system.B.allFinite() || !system.C.allFinite() || !system.D.allFinite())
      throw RequestError(Reason::kAnalysisFailed, "session", "the linear system has values that are not finite",
                         "analyze another state");
    return system;
  } catch (const RequestError&) { throw; } catch (const Error& error) {
    throw RequestError(Reason::kAnalysisFailed, "session", error.what());
  }
}

}  // namespace

void requireAnalysable(const rt::Snapshot& tick, const rt::Model& model, const v1::AnalyseRequest& request,
                       const AnalysisBounds& bounds) {
  checkRequest(request);
  if (model.bodyCount() > bounds.bodies)
    throw RequestError(Reason::kLimitExceeded, "session",
                       "the model has " + std::to_string(model.bodyCount()) + " bodies; a server analyzes at most " +
                           std::to_string(bounds.bodies),
                       kOwnProcess);
  for (const double value : tick.state)
    if (!std::isfinite(value))
      throw RequestError(Reason::kAnalysisFailed, "session", "the state has values that are not finite",
                         "ResetSession, or RestoreSnapshot of an earlier tick");
}

void writeAnalysedTick(const rt::Snapshot& tick, v1::AnalyseResponse& response) {
  response.set_tick(tick.header.tick);
  response.set_sim_time_ns(tick.header.sim_time_ns);
  response.set_state_hash(rt::formatHash(rt::hashState(tick.header.tick, tick.state)));
}

void analyseState(const rt::Snapshot& tick, const rt::Model& model, double time, const v1::AnalyseRequest& request,
                  const AnalysisBounds& bounds, const std::function<void()>& progress, v1::AnalyseResponse& response) {
  requireRoom(0, bounds, response, "the state found", "outputs", "name fewer outputs");
  if (asksForSearch(request) && !request.linearize()) return;
  const rt::SignalDirectory directory(model);
  const std::vector<std::string> patterns(request.outputs().begin(), request.outputs().end());
  if (!patterns.empty()) selectSignals(directory, patterns, "outputs");
  const std::vector<int> inputs = chosenInputs(directory, {request.inputs().begin(), request.inputs().end()});
  rt::StateOutputs outputs(model, patterns);
  LinearSystem system = linearizeTick(tick, model, time, request, outputs, bounds, progress, response.found());
  keepInputs(inputs, system);

  for (const int k : inputs) {
    const auto i = static_cast<std::size_t>(k);
    const rt::Signal& signal = directory.signals()[static_cast<std::size_t>(directory.find(model.actuator_names[i]))];
    writeVariable(signal.name, signal.unit, tick.inputs[i], *response.add_inputs());
  }
  for (std::size_t k = 0; k < outputs.size(); ++k)
    writeVariable(outputs.signal(k).name, outputs.signal(k).unit, system.output[static_cast<Eigen::Index>(k)],
                  *response.add_outputs());
  writeSystem(system, response);
  requireRoom(0, bounds, response, "the matrices and names", "outputs", "name fewer outputs");
  progress();
  if (request.modes()) findModes(system, model, request.shapes(), bounds, response);
  progress();
  if (request.frequencies_size() > 0) findResponse(system, request, bounds, progress, response);
}

}  // namespace tactus::server
