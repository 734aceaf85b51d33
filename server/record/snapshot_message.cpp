#include "server/record/snapshot_message.h"

#include "rt/math/fnv.h"
#include "rt/model/model.h"
#include "server/model_io/tuned_model.h"
#include "server/wire/request_error.h"
#include "server/wire/settings_message.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace tactus::server {

namespace {

class ContentHash {
 public:
  void add(std::uint64_t word) noexcept { hash_.addWord(word); }
  void add(std::int64_t number) noexcept { add(static_cast<std::uint64_t>(number)); }
  void add(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const std::string& text) noexcept {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  template <class List>
  void addAll(const List& list) noexcept {
    add(static_cast<std::uint64_t>(list.size()));
    for (const double number : list) add(number);
  }
  std::uint64_t value() const noexcept { return hash_.value(); }

 private:
  rt::Fnv1a hash_;
};

void writeGroup(const rt::InputLoss& group, v1::InputGroupState& message) {
  message.set_armed(group.armed);
  message.set_lost(group.lost);
  message.set_commanded(group.commanded);
  message.set_latched(group.latched);
  message.set_heard_tick(group.heard_tick);
  message.set_since_tick(group.since_tick);
}

/// @returns the settings without those that the version that wrote the snapshot did not have; these settings do not
///          decide, and the build of such a snapshot differs
v1::StepSettings settingsKnownTo(const v1::SessionSnapshot& snapshot, v1::StepSettings settings) {
  const auto* reflection = v1::StepSettings::GetReflection();
  const auto* descriptor = v1::StepSettings::descriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* field = descriptor->field(i);
    if (field->has_presence() && !reflection->HasField(snapshot.settings(), field))
      reflection->ClearField(&settings, field);
  }
  return settings;
}

[[noreturn]] void refuse(const std::string& field, const std::string& message, const std::string& hint = {}) {
  throw RequestError(Reason::kSnapshotIncompatible, "snapshot." + field, message, hint);
}

void requireSize(int found, std::size_t expected, const char* field) {
  if (static_cast<std::size_t>(found) != expected)
    refuse(field, "has " + std::to_string(found) + " values; this model has " + std::to_string(expected));
}

void requireFinite(const google::protobuf::RepeatedField<double>& values, const std::string& field) {
  for (int i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw RequestError(Reason::kNotFinite, "snapshot." + field + "[" + std::to_string(i) + "]", "is not finite");
}

/// The first value of each actuator in a list. The ramps of earlier versions exceeded a limit by the rounding of two
/// products and a sum, at most 3 units in the last place.
void requireInRange(const google::protobuf::RepeatedField<double>& values, const rt::Model& model,
                    const std::string& field) {
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const rt::Actuator& actuator = model.actuators[i];
    const double value = values[static_cast<int>(i)];
    constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();  // of a limit, which may be infinite
    if (value < actuator.minimum - kRounding * std::abs(actuator.minimum) ||
        value > actuator.maximum + kRounding * std::abs(actuator.maximum))
      throw RequestError(Reason::kValueOutOfRange, "snapshot." + field + "[" + std::to_string(i) + "]",
                         "is outside the range of its actuator");
  }
}

/// A tick whose step failed has no number in the State: its inputs are of the tick after that of the snapshot.
void requireTicks(const v1::SessionSnapshot& message, std::int64_t period_ns) {
  const auto require = [](std::int64_t tick, std::int64_t maximum, const std::string& field) {
    if (tick < 0) throw RequestError(Reason::kValueOutOfRange, "snapshot." + field, "must not be below 0");
    if (tick > maximum)
      throw RequestError(Reason::kValueOutOfRange, "snapshot." + field, "must not be above " + std::to_string(maximum));
  };
  require(message.tick(), std::numeric_limits<std::int64_t>::max() / period_ns - 1, "tick");
  const std::int64_t next = message.tick() + 1;
  require(message.input_first_tick(), next, "input_first_tick");
  require(message.heard_tick(), next, "heard_tick");
  require(message.since_tick(), next, "since_tick");
  for (int g = 0; g < message.further_groups_size(); ++g) {
    const std::string group = "further_groups[" + std::to_string(g) + "].";
    require(message.further_groups(g).heard_tick(), next, group + "heard_tick");
    require(message.further_groups(g).since_tick(), next, group + "since_tick");
  }
}

constexpr const char* kDamaged = "snapshot checksum mismatch: the file is damaged or was edited";

bool hashesMatch(const v1::SessionSnapshot& message) {
  const std::span state(message.state().data(), static_cast<std::size_t>(message.state_size()));
  return message.content_hash() == hashContent(message) && message.state_hash() == rt::hashState(message.tick(), state);
}

/// Whether a text is what formatHash() makes.
bool isHash(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::uint64_t hashScript(const std::vector<rt::ScriptedInput>& script) noexcept {
  if (script.empty()) return 0;
  ContentHash hash;
  for (const rt::ScriptedInput& input : script) {
    hash.add(input.tick);
    hash.addAll(input.values);
  }
  return hash.value();
}

std::uint64_t hashContent(const v1::SessionSnapshot& message) noexcept {
  ContentHash hash;
  hash.add(message.tick());
  hash.addAll(message.state());
  hash.addAll(message.inputs());
  hash.add(message.input_sequence());
  hash.add(message.input_first_tick());
  hash.add(message.script_hash());
  hash.add(message.state_hash());
  hash.add(static_cast<std::uint64_t>(message.input_mode()));
  for (const bool flag :
       {message.input_armed(), message.input_lost(), message.safe_commanded(), message.safe_latched()})
    hash.add(static_cast<std::uint64_t>(flag));
  hash.add(message.heard_tick());
  hash.add(message.since_tick());
  hash.addAll(message.input_history());
  for (const v1::InputGroupState& group : message.further_groups()) {
    for (const bool flag : {group.armed(), group.lost(), group.commanded(), group.latched()})
      hash.add(static_cast<std::uint64_t>(flag));
    hash.add(group.heard_tick());
    hash.add(group.since_tick());
  }
  for (const v1::ParameterValue& parameter : message.parameters()) {
    hash.add(parameter.name());
    hash.add(parameter.value());
  }
  return hash.value();
}

void writeSnapshot(const rt::Snapshot& snapshot, const rt::Model& model, std::uint64_t script_hash,
                   v1::SessionSnapshot& message) {
  message.set_format(kSnapshotFormat);
  message.set_tick(snapshot.header.tick);
  message.mutable_state()->Assign(snapshot.state.begin(), snapshot.state.end());
  message.mutable_inputs()->Assign(snapshot.inputs.begin(), snapshot.inputs.end());
  message.set_input_sequence(snapshot.header.input_sequence);
  message.set_input_first_tick(snapshot.header.input_first_tick);
  message.set_script_hash(script_hash);
  message.set_state_hash(rt::hashState(snapshot.header.tick, snapshot.state));
  message.set_input_mode(static_cast<std::uint32_t>(snapshot.header.input_mode));
  const rt::InputLoss& first = snapshot.header.input_loss[0];
  message.set_input_armed(first.armed);
  message.set_input_lost(first.lost);
  message.set_safe_commanded(first.commanded);
  message.set_safe_latched(first.latched);
  message.set_heard_tick(first.heard_tick);
  message.set_since_tick(first.since_tick);
  message.clear_further_groups();
  for (int g = 1; g < model.groupCount(); ++g)
    writeGroup(snapshot.header.input_loss[static_cast<std::size_t>(g)], *message.add_further_groups());
  message.mutable_input_history()->Assign(snapshot.input_history.begin(), snapshot.input_history.end());
  writeParameters(parametersOf(model), *message.mutable_parameters());
  message.set_content_hash(hashContent(message));
}

rt::Snapshot readSnapshot(const v1::SessionSnapshot& message, const rt::Model& model, std::int64_t period_ns) {
  if (message.format() != kSnapshotFormat)
    refuse("format",
           "is " + std::to_string(message.format()) + "; this version reads " + std::to_string(kSnapshotFormat));
  rt::Snapshot snapshot(model);
  requireSize(message.state_size(), snapshot.state.size(), "state");
  requireSize(message.inputs_size(), snapshot.inputs.size(), "inputs");
  requireFinite(message.state(), "state");
  requireFinite(message.inputs(), "inputs");
  requireSize(message.input_history_size(), snapshot.input_history.size(), "input_history");
  requireFinite(message.input_history(), "input_history");
  requireSize(message.further_groups_size(), model.groups.size() - 1, "further_groups");
  if (message.input_mode() > static_cast<std::uint32_t>(rt::kLastInputMode))
    throw RequestError(Reason::kValueOutOfRange, "snapshot.input_mode", "is not known");
  requireTicks(message, period_ns);
  // The first half of the history: values at which ramps and extrapolations start.
  requireInRange(message.inputs(), model, "inputs");
  requireInRange(message.input_history(), model, "input_history");
  if (!hashesMatch(message)) refuse("content_hash", kDamaged);

  snapshot.header.tick = message.tick();
  snapshot.header.input_sequence = message.input_sequence();
  snapshot.header.input_first_tick = message.input_first_tick();
  snapshot.state.assign(message.state().begin(), message.state().end());
  snapshot.inputs.assign(message.inputs().begin(), message.inputs().end());
  snapshot.header.input_mode = static_cast<rt::InputMode>(message.input_mode());
  snapshot.header.input_loss[0] = {message.input_armed(),  message.input_lost(), message.safe_commanded(),
                                   message.safe_latched(), message.heard_tick(), message.since_tick()};
  for (int g = 1; g < model.groupCount(); ++g) {
    const v1::InputGroupState& group = message.further_groups(g - 1);
    snapshot.header.input_loss[static_cast<std::size_t>(g)] = {group.armed(),   group.lost(),       group.commanded(),
                                                               group.latched(), group.heard_tick(), group.since_tick()};
  }
  snapshot.input_history.assign(message.input_history().begin(), message.input_history().end());
  return snapshot;
}

std::string damageOf(const v1::SessionSnapshot& message) {
  if (message.format() != kSnapshotFormat)
    return "format is " + std::to_string(message.format()) + "; this version reads " + std::to_string(kSnapshotFormat);
  try {
    requireFinite(message.state(), "state");
    requireFinite(message.inputs(), "inputs");
    requireFinite(message.input_history(), "input_history");
  } catch (const RequestError& error) { return error.field() + ' ' + error.what(); }
  // The hash of the content begins with the tick; the fields before it have rules of their own.
  const bool has_head = isHash(message.model_hash()) && message.settings().period_ns() > 0;
  return has_head && hashesMatch(message) ? "" : kDamaged;
}

bool sameBuild(const v1::BuildStamp& a, const v1::BuildStamp& b) {
  return a.SerializeAsString() == b.SerializeAsString();
}

void requireSame(const v1::SessionSnapshot& snapshot, const v1::SessionSnapshot& here) {
  if (snapshot.model_hash() != here.model_hash())
    refuse("model_hash",
           "is " + snapshot.model_hash() + " of \"" + snapshot.model() + "\"; the session runs \"" + here.model() +
               "\" with " + here.model_hash(),
           "create a session of the model of the snapshot");
  if (snapshot.settings().SerializeAsString() != settingsKnownTo(snapshot, here.settings()).SerializeAsString())
    refuse("settings", "period, iterations or other settings are not those of the session",
           "create a session with the settings of the snapshot");
  if (snapshot.script_hash() != here.script_hash())
    refuse("script_hash", "the scripted inputs are not those of the session",
           "create a session with the script of the snapshot");
  if (!sameBuild(snapshot.build(), here.build()))
    refuse("build",
           "was made by " + snapshot.build().version() + " " + snapshot.build().commit() + " (" +
               snapshot.build().compiler() + "); this is " + here.build().version() + " " + here.build().commit() +
               " (" + here.build().compiler() + ")",
           "the same bits are promised for one binary only; use force to restore it anyway");
}

}  // namespace tactus::server
