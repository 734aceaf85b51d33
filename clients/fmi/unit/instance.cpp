#include "clients/fmi/unit/instance.h"

#include "clients/engine/refusal.h"
#include "clients/fmi/unit/cpu.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

namespace tactus::fmi {
namespace {

// Importers add up times: the rounding of one step is far below the first of these parts of a period, that of minutes
// below the second.
constexpr double kStepRounding = 1e-6, kTimeRounding = 1e-2;

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read " + path + "; the importer must unpack resources/ and pass its path");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string modeNames(unsigned modes) {
  std::string text;
  const auto add = [&](Mode mode, const char* name) {
    if ((modes & mode) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(kInstantiated, "instantiated");
  add(kInitialization, "initialization mode");
  add(kStepping, "step mode");
  add(kTerminated, "terminated");
  add(kIntermediate, "intermediate update mode");
  return text;
}

bool changesOverTime(const rt::Drive& drive) {
  const std::vector<double>& c = drive.coefficients;
  if (drive.kind != rt::DriveKind::kPolynomial) return drive.kind != rt::DriveKind::kInput;
  return !c.empty() && std::any_of(c.begin() + 1, c.end(), [](double one) { return one != 0; });
}

}  // namespace

std::string words(const engine::Refusal& refusal) {
  return refusal.what() + (refusal.hint().empty() ? std::string() : " (" + refusal.hint() + ")");
}

Instance::Instance(const std::string& folder, const std::string& token, bool log_events, Log log)
    : log_(std::move(log)), logging_(log_events) {
  requireCpu();
  const std::string bytes = readFile(folder + '/' + kUnitFileName);
  file_ = readUnitFile(bytes);
  makeEngine({});
  token_ = instantiationToken(engine_->model().hash, bytes);
  if (token != token_)
    throw Error("the token \"" + token + "\" is not that of the model in resources/, \"" + token_ +
                "\"; modelDescription.xml and resources/ must be of one unit");
  const rt::Model& model = engine_->model();
  numbers_ = {model.actuators.size(), model.parameters.size(), file_.outputs.size()};
  outputs_.resize(file_.outputs.size());
  event("model " + model.name + ", hash " + rt::formatHash(model.hash) + ", step " + rt::printed(period()) + " s");
}

// The initial state is assembled with the parameters, as that of a run.
void Instance::makeEngine(const engine::ParameterValues& parameters) {
  engine::EngineOptions options = engineOptions(file_);
  options.parameters = parameters;
  auto made = std::make_unique<engine::Engine>(std::make_unique<PackedSource>(file_.model, file_.targets), options);
  std::vector<int> indices;
  if (!file_.outputs.empty()) indices = made->select(file_.outputs);
  reader_.reset();
  engine_ = std::move(made);
  reader_.emplace(engine_->signals(), indices);
  engine_tuned_ = !parameters.empty();
  forgetOutputs();
}

// ---- modes ----

void Instance::requireMode(unsigned allowed, const char* call) const {
  if ((mode_ & allowed) != 0) return;
  throw CallProblem{Outcome::kError, std::string(call) + " is not allowed here (" + modeNames(mode_) +
                                         "); call it in: " + modeNames(allowed)};
}

void Instance::setTimes(double start, std::optional<double> stop, const char* call) {
  if (!std::isfinite(start)) throw CallProblem{Outcome::kError, "the start time must be finite"};
  if (stop && !(*stop >= start))
    throw CallProblem{Outcome::kError, "the stop time " + rt::printed(*stop) + " s must not be before the start time " +
                                           rt::printed(start) + " s"};
  start_time_ = start;
  stop_time_ = stop;
  const std::vector<rt::Drive>& drives = engine_->model().drives;
  if (start != 0 && std::any_of(drives.begin(), drives.end(), changesOverTime) && logs(kLogWarning))
    log_(Outcome::kWarning, kLogWarning,
         std::string(call) + ": the start time is " + rt::printed(start) +
             " s, but the drives of the model begin at their time 0; begin at 0 s, or shift the drives in the model");
}

void Instance::enterInitialization() {
  mode_ = kInitialization;
}

void Instance::exitInitialization() {
  applyParameters();
  mode_ = kStepping;
}

void Instance::terminate() {
  mode_ = kTerminated;
}

void Instance::reset() {
  if (engine_tuned_)
    makeEngine({});
  else
    engine_->reset();
  mode_ = kInstantiated;
  start_time_ = 0;
  stop_time_.reset();
  importer_time_.reset();
  failed_ = inputs_set_ = false;
  pending_.clear();
  forgetOutputs();
}

// ---- variables ----

double Instance::parameter(std::size_t index) const {
  const engine::ParameterValue& declared = engine_->parameters()[index];
  for (const engine::ParameterValue& value : pending_)
    if (value.name == declared.name) return value.value;
  return declared.value;
}

// Values that are read before the first step are those of an initial state with the parameters that were set.
void Instance::prepareValues() {
  if (mode_ == kInitialization) applyParameters();
}

void Instance::getReals(std::span<const std::uint32_t> references, double* values) {
  prepareValues();
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::size_t reference = references[i];
    requireReadable(references[i]);
    if (reference == 0) {
      values[i] = time();
    } else if (reference < numbers_.firstParameter()) {
      values[i] = engine_->inputs()[reference - numbers_.firstInput()];
    } else if (reference < numbers_.firstOutput()) {
      values[i] = parameter(reference - numbers_.firstParameter());
    } else if (reference < numbers_.hash()) {
      if (!outputs_known_) engine_->read(*reader_, outputs_);
      outputs_known_ = true;
      values[i] = outputs_[reference - numbers_.firstOutput()];
    } else {
      throw CallProblem{Outcome::kError, "value reference " + std::to_string(reference) + " is no real variable"};
    }
  }
}

// Within the importer's function between internal steps, only what it named.
void Instance::requireReadable(std::uint32_t reference) const {
  if (mode_ != kIntermediate || std::find(intermediate_.begin(), intermediate_.end(), reference) != intermediate_.end())
    return;
  throw CallProblem{Outcome::kError, "value reference " + std::to_string(reference) +
                                         " cannot be read in an intermediate update; name it in "
                                         "requiredIntermediateVariables of fmi3InstantiateCoSimulation"};
}

void Instance::setReals(std::span<const std::uint32_t> references, const double* values) {
  std::vector<int> actuators;
  std::vector<double> inputs;
  engine::ParameterValues pending = pending_;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::size_t reference = references[i];
    if (reference >= numbers_.firstInput() && reference < numbers_.firstParameter()) {
      actuators.push_back(static_cast<int>(reference - numbers_.firstInput()));
      inputs.push_back(values[i]);
    } else if (reference >= numbers_.firstParameter() && reference < numbers_.firstOutput()) {
      const rt::Parameter& known = engine_->model().parameters[reference - numbers_.firstParameter()];
      if (!std::isfinite(values[i]) || (known.minimum && values[i] < *known.minimum) ||
          (known.maximum && values[i] > *known.maximum))
        throw CallProblem{Outcome::kDiscard, "parameters." + known.name + " = " + rt::printed(values[i]) +
                                                 " is out of range; modelDescription.xml has its minimum and maximum"};
      std::erase_if(pending, [&](const engine::ParameterValue& value) { return value.name == known.name; });
      pending.push_back({known.name, values[i]});
    } else {
      throw CallProblem{Outcome::kError,
                        "value reference " + std::to_string(reference) + " is neither an input nor a parameter"};
    }
  }
  try {
    if (!actuators.empty()) engine_->setInputs(actuators, inputs);
  } catch (const engine::Refusal& refusal) { throw CallProblem{Outcome::kDiscard, words(refusal)}; }
  inputs_set_ = inputs_set_ || !actuators.empty();
  derivatives_known_ = derivatives_known_ && actuators.empty();
  pending_ = std::move(pending);
}

void Instance::setAllInputs(const std::vector<double>& values) {
  std::vector<int> all(values.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  engine_->setInputs(all, values);
}

void Instance::applyParameters() {
  std::erase_if(pending_, [&](const engine::ParameterValue& value) {
    return std::count(engine_->parameters().begin(), engine_->parameters().end(), value) > 0;
  });
  if (pending_.empty()) return;
  const engine::ParameterValues values = std::exchange(pending_, {});
  try {
    if (mode_ == kInitialization) {
      // All parameters: those of an earlier call too.
      engine::ParameterValues all = engine_->parameters();
      for (engine::ParameterValue& one : all)
        for (const engine::ParameterValue& value : values)
          if (one.name == value.name) one.value = value.value;
      const std::vector<double> inputs(engine_->inputs().begin(), engine_->inputs().end());
      makeEngine(all);
      setAllInputs(inputs);
    } else {
      engine_->setParameters(values);
    }
  } catch (const engine::Refusal& refusal) {
    throw CallProblem{Outcome::kDiscard, words(refusal) + "; the parameters stay what they were"};
  }
  forgetOutputs();
  for (const engine::ParameterValue& value : values)
    event("parameters." + value.name + " = " + rt::printed(value.value) + " from t = " + rt::printed(time()) + " s on");
}

std::uint64_t Instance::stateHash() {
  prepareValues();
  requireReadable(static_cast<std::uint32_t>(numbers_.hash()));
  return rt::hashState(engine_->state());
}

const char* Instance::stateHashText() {
  hash_text_ = rt::formatHash(stateHash());
  return hash_text_.c_str();
}

// ---- steps ----

double Instance::time() const noexcept {
  return start_time_ + static_cast<double>(engine_->tick()) * period();
}

void Instance::onInternalSteps(IntermediateUpdate update, bool may_return, std::span<const std::uint32_t> readable) {
  for (const std::uint32_t reference : readable)
    if (reference < numbers_.firstOutput() || reference >= numbers_.hash())
      throw Error("value reference " + std::to_string(reference) +
                  " of requiredIntermediateVariables has no intermediateUpdate=\"true\" in modelDescription.xml; name "
                  "outputs that have it");
  intermediate_update_ = std::move(update);
  may_return_ = may_return;
  intermediate_.assign(readable.begin(), readable.end());
}

void Instance::makeTicks(std::int64_t ticks) {
  forgetOutputs();
  const std::int64_t made = engine_->run({.ticks = ticks,
                                          .actuators = {},
                                          .rows = {},
                                          .signals = {},
                                          .every = 1,
                                          .outputs = {},
                                          .output_ticks = {},
                                          .look = {}});
  failed_ = made < ticks;
  if (failed_) throw CallProblem{Outcome::kDiscard, engine_->fault() + "; restore a saved state, or reset"};
}

// The rounding of an importer that adds up its steps grows without limit: it also may begin where its last step ended.
void Instance::requireBegin(double current) const {
  if (std::abs(current - time()) <= kTimeRounding * period()) return;
  if (importer_time_ && std::abs(current - *importer_time_) <= kStepRounding * period()) return;
  throw CallProblem{Outcome::kDiscard, "the step begins at " + rt::printed(current) + " s, but the unit is at " +
                                           rt::printed(time()) + " s; begin where the last step ended"};
}

bool Instance::step(double current, double size) {
  requireBegin(current);
  const double count = size / period();
  if (!(count > 0.5) || !(count < 1e12) || !(std::abs(count - std::round(count)) <= kStepRounding)) {
    const double near = std::max(1.0, std::isfinite(count) ? std::round(count) : 1.0);
    throw CallProblem{Outcome::kDiscard, "the communication step of " + rt::printed(size) +
                                             " s is no whole multiple of the internal step of " +
                                             rt::printed(period()) + " s; use " + rt::printed(near * period()) + " s"};
  }
  const auto ticks = static_cast<std::int64_t>(std::round(count));
  if (stop_time_ && time() + static_cast<double>(ticks) * period() > *stop_time_ + 0.5 * period())
    throw CallProblem{Outcome::kError, "the step of " + rt::printed(size) + " s from " + rt::printed(time()) +
                                           " s ends beyond the stop time " + rt::printed(*stop_time_) +
                                           " s; end at the stop time, or give a later one before the initialization"};
  applyParameters();
  inputs_set_ = false;
  importer_time_.reset();
  if (makeSteps(ticks)) return true;
  importer_time_ = current + size;
  return false;
}

bool Instance::makeSteps(std::int64_t ticks) {
  if (!intermediate_update_) {
    makeTicks(ticks);
    return false;
  }
  std::optional<double> end;
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    if (end && time() + period() > *end + kTimeRounding * period()) return true;
    makeTicks(1);
    mode_ = kIntermediate;
    const std::optional<double> asked = intermediate_update_(time());
    mode_ = kStepping;
    if (asked && !may_return_) warnOfReturn();
    if (asked && may_return_) end = asked;
  }
  return false;
}

// ---- messages ----

void Instance::setLogging(bool on, std::span<const char* const> categories) {
  for (const char* category : categories)
    if (category == nullptr ||
        std::find(kLogCategories.begin(), kLogCategories.end(), category) == kLogCategories.end())
      throw CallProblem{Outcome::kError, "unknown log category \"" + std::string(category ? category : "") +
                                             "\"; modelDescription.xml lists them"};
  logging_ = on;
  categories_.assign(categories.begin(), categories.end());
}

bool Instance::logs(const char* category) const {
  return logging_ && (categories_.empty() ||
                      std::any_of(categories_.begin(), categories_.end(),
                                  [&](const std::string& one) { return one == category || one == kLogAll; }));
}

void Instance::report(const CallProblem& problem) const {
  // An error is always told; what it is follows from nothing else.
  const bool is_error = problem.outcome >= Outcome::kError;
  const char* const category = is_error ? kLogError : kLogDiscard;
  if (is_error || logs(category)) log_(problem.outcome, category, problem.message);
}

// Once: an importer may ask at each internal step.
void Instance::warnOfReturn() {
  if (warned_of_return_ || !logs(kLogWarning)) return;
  warned_of_return_ = true;
  log_(
      Outcome::kWarning, kLogWarning,
      "fmi3DoStep: the intermediate update asks for an early return, but fmi3InstantiateCoSimulation did not allow it; "
      "the step goes on");
}

void Instance::event(const std::string& message) const {
  if (logs(kLogEvents)) log_(Outcome::kOk, kLogEvents, message);
}

}  // namespace tactus::fmi
