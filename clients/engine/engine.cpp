#include "clients/engine/engine.h"

#include "clients/engine/engine_setup.h"
#include "clients/engine/refusal.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "rt/tick_status.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::engine {

namespace {

// Ticks between two calls of Block::look.
constexpr std::int64_t kTicksBetweenLooks = 64;

bool sameSettings(const rt::Settings& a, const rt::Settings& b) {
  bool same = a.period_ns == b.period_ns;
  rt::forEachSetting([&](const rt::SettingInfo&, auto member) { same = same && a.*member == b.*member; });
  return same;
}

}  // namespace

Engine::Engine(std::unique_ptr<const ModelSource> source, const EngineOptions& options)
    : source_(std::move(source)),
      model_(source_->build(options.parameters)),
      declared_(options.parameters.empty() ? parametersOf(*model_) : parametersOf(*source_->build({}))),
      settings_(chosenSettings(*model_, options)),
      initial_condition_(options.initial_condition),
      initial_(assembled(*model_, initial_condition_)),
      plan_(std::make_unique<const rt::Plan>(rt::compilePlan(*model_))),
      loop_(*model_, *plan_, settings_, initial_.state, loopOptions(*plan_, settings_, options.threads)),
      directory_(*model_, &versions_),
      snapshot_(*model_),
      input_(*model_),
      parameters_(parametersOf(*model_)) {}

// ---- inputs ----

int Engine::actuator(const std::string& name) const {
  return actuatorOf(*model_, name);
}

// `row`: number of the row in a block; -1 for none.
void requireValue(const rt::Model& model, std::size_t index, double value, std::int64_t row) {
  const rt::Actuator& actuator = model.actuators[index];
  if (std::isfinite(value) && value >= actuator.minimum && value <= actuator.maximum) return;
  const std::string what = (row < 0 ? "" : "row " + std::to_string(row) + ": ") + "\"" + model.actuator_names[index] +
                           "\" = " + rt::printed(value);
  if (!std::isfinite(value))
    throw Refusal("NOT_FINITE", "inputs", what + " is not a finite number",
                  row < 0 ? "the inputs stay what they are" : "no tick has run");
  throw Refusal("VALUE_OUT_OF_RANGE", "inputs", what + " is out of range",
                "from " + rt::printed(actuator.minimum) + " to " + rt::printed(actuator.maximum));
}

void Engine::checkRow(std::span<const int> actuators, std::span<const double> values, std::int64_t row) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    requireValue(*model_, static_cast<std::size_t>(actuators[i]), values[i], row);
}

void Engine::requireInRange(std::span<const int> actuators, std::span<const double> rows) const {
  const std::size_t width = actuators.size();
  for (std::size_t k = 0; width > 0 && k < rows.size() / width; ++k)
    checkRow(actuators, rows.subspan(k * width, width), static_cast<std::int64_t>(k));
}

void Engine::setInputs(std::span<const int> actuators, std::span<const double> values) {
  if (actuators.size() != values.size())
    throw Refusal("REQUEST_INVALID", "inputs",
                  std::to_string(values.size()) + " values for " + std::to_string(actuators.size()) + " inputs",
                  "give one value for each input");
  checkRow(actuators, values, -1);
  offer(actuators, values);
}

void Engine::offer(std::span<const int> actuators, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) input_.values[static_cast<std::size_t>(actuators[i])] = values[i];
  ++input_.sequence;
  loop_.inputs().offer(input_);
}

// ---- ticks ----

std::int64_t Engine::run(const Block& block) {
  const std::size_t width = block.actuators.size();
  const auto rowOf = [&](std::int64_t k) { return block.rows.subspan(static_cast<std::size_t>(k) * width, width); };
  requireInRange(block.actuators, block.rows);  // every row, before the first tick

  rt::SignalReader reader(directory_, {block.signals.begin(), block.signals.end()});
  std::size_t rows = 0;
  for (std::int64_t k = 0; k < block.ticks; ++k) {
    if (k % kTicksBetweenLooks == 0 && block.look) block.look();
    if (width > 0) offer(block.actuators, rowOf(k));
    if (loop_.tick() != rt::TickStatus::kOk) return k;
    if ((k + 1) % block.every != 0 || block.output_ticks.empty()) continue;
    loop_.ring().newest(snapshot_);
    reader.read(snapshot_, block.outputs.subspan(rows * block.signals.size(), block.signals.size()));
    block.output_ticks[rows++] = snapshot_.header.tick;
  }
  return block.ticks;
}

std::string Engine::fault() const {
  if (!loop_.faulted()) return {};
  return "the step to tick " + std::to_string(tick() + 1) + " failed: " + rt::toString(loop_.fault()) +
         "; the last good state is kept";
}

// ---- state ----

SavedState Engine::save() const {
  SavedState saved{rt::Snapshot(*model_), parameters_, current_ ? current_->model->hash : model_->hash, settings_};
  loop_.ring().newest(saved.snapshot);
  return saved;
}

void Engine::restore(const SavedState& saved) {
  const auto refuse = [](const std::string& what) {
    return Refusal("SNAPSHOT_INCOMPATIBLE", "saved", "the saved state is one of " + what,
                   "restore it in a simulation like the one that saved it");
  };
  if (!sameSettings(saved.settings, settings_)) throw refuse("another period or of other settings");
  if (saved.snapshot.state.size() != snapshot_.state.size() || saved.snapshot.inputs.size() != snapshot_.inputs.size())
    throw refuse("another model");
  std::unique_ptr<rt::CompiledModel> next;
  if (saved.model_hash != (current_ ? current_->model->hash : model_->hash)) {
    if (saved.parameters.empty()) throw refuse("another model");
    std::shared_ptr<const rt::Model> found;
    try {
      found = tuned(saved.parameters);
    } catch (const Refusal&) { throw refuse("another model"); }
    if (found->hash != saved.model_hash) throw refuse("another model");
    next = std::make_unique<rt::CompiledModel>(found, loop_.threads(), ++versions_made_);
  }
  if (next) use(std::move(next), saved.parameters);
  loop_.restore(saved.snapshot);
  input_.values = saved.snapshot.inputs;
}

void Engine::reset() {
  use(nullptr, parametersOf(*model_));
  loop_.reset(initial_.state);
  input_ = rt::ActuatorInput(*model_);
}

// ---- signals and parameters ----

std::vector<int> Engine::select(const std::vector<std::string>& patterns) const {
  try {
    return directory_.resolve(patterns);
  } catch (const Error& error) { throw Refusal("SIGNAL_UNKNOWN", "outputs", error.what()); }
}

std::vector<double> Engine::read(const std::vector<int>& signals) {
  std::vector<double> values(signals.size());
  loop_.ring().newest(snapshot_);
  rt::SignalReader(directory_, signals).read(snapshot_, values);
  return values;
}

void Engine::read(rt::SignalReader& reader, std::span<double> values) {
  loop_.ring().newest(snapshot_);
  reader.read(snapshot_, values);
}

// The model with changes of the parameters in force.
std::shared_ptr<const rt::Model> Engine::tuned(const ParameterValues& values) const {
  // What differs from the declared values, then the changes; a name that is unknown or there twice is left to the
  // source.
  ParameterValues all;
  const auto same = [](const std::string& name) { return [&](const ParameterValue& v) { return v.name == name; }; };
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const bool changes = std::any_of(values.begin(), values.end(), same(parameters_[i].name));
    if (!changes && parameters_[i] != declared_[i]) all.push_back(parameters_[i]);
  }
  all.insert(all.end(), values.begin(), values.end());
  std::shared_ptr<const rt::Model> found = source_->build(all);
  if (!rt::sameStructure(*model_, *found))
    throw Refusal("MODEL_INVALID", "parameters", "rows or signals of the model would not stay what they are");
  requireStable(*found, settings_);
  return found;
}

void Engine::setParameters(const ParameterValues& values) {
  const std::shared_ptr<const rt::Model> found = tuned(values);
  auto next = std::make_unique<rt::CompiledModel>(found, loop_.threads(), ++versions_made_);
  use(std::move(next), parametersOf(*found));
}

Engine::Beginning Engine::beginningWith(const ParameterValues& values) const {
  std::shared_ptr<const rt::Model> found = tuned(values);
  rt::State start = assembled(*found, initial_condition_).state;
  return {std::move(found), std::move(start)};
}

// From the next tick on; null is the model of the construction.
void Engine::use(std::unique_ptr<rt::CompiledModel> next, ParameterValues values) {
  if (next) versions_.add(next->version, next->model);
  loop_.setModel(next.get());
  const std::uint64_t newest = loop_.ring().newestIndex();
  if (current_) versions_.retire(current_->version, newest);
  versions_.forget(newest);
  current_ = std::move(next);
  parameters_ = std::move(values);
}

}  // namespace tactus::engine
