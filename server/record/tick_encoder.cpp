#include "server/record/tick_encoder.h"

#include "rt/model/model.h"
#include "server/model_io/tuned_model.h"
#include "server/record/scene_message.h"
#include "server/record/snapshot_message.h"
#include "server/wire/state_frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tactus::server {

namespace {

std::vector<std::string> namesOf(const rt::SignalDirectory& directory, const std::vector<int>& indices) {
  std::vector<std::string> names;
  for (const int i : indices) names.push_back(directory.signals()[static_cast<std::size_t>(i)].name);
  return names;
}

/// Unit of each signal by its name.
std::map<std::string, std::string> unitsOf(const rt::SignalDirectory& directory,
                                           const std::vector<std::string>& names) {
  std::map<std::string, std::string> units;
  for (const std::string& name : names)
    if (const int i = directory.find(name); i >= 0)
      units.emplace(name, directory.signals()[static_cast<std::size_t>(i)].unit);
  return units;
}

// Compares bits, not values: -0 differs from 0.
bool sameBits(const std::vector<double>& a, const std::vector<double>& b) noexcept {
  // Without values there is no address to compare at.
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

template <class Message>
McapSchema schemaOf(RecordingChannel channel) {
  const google::protobuf::Descriptor& type = *Message::descriptor();
  return {static_cast<std::uint16_t>(channel), type.full_name(), "protobuf", descriptorSetOf(type)};
}

McapSchema schemaOf(RecordingChannel channel, const ValueSchema& schema) {
  return {static_cast<std::uint16_t>(channel), schema.typeName(), "protobuf", schema.descriptorSet()};
}

}  // namespace

TickEncoder::TickEncoder(const rt::SignalDirectory& directory, RecordedSignals signals, v1::RecordingSetup setup,
                         std::uint64_t script_hash)
    : directory_(directory),
      reader_(directory, signals.indices),
      signals_(std::move(signals)),
      setup_(std::move(setup)),
      script_hash_(script_hash),
      period_ns_(setup_.settings().period_ns()),
      state_interval_(std::max<std::int64_t>(1'000'000'000 / std::max<std::int64_t>(period_ns_, 1), 1)),
      input_schema_("Inputs", directory.model().actuator_names),
      signal_schema_("Signals", namesOf(directory, signals_.indices)),
      values_(signals_.indices.size()),
      frames_every_(std::max<std::int64_t>(
          std::llround(1e9 / kSceneFramesPerSecond / static_cast<double>(std::max<std::int64_t>(period_ns_, 1))), 1)),
      log_time_(static_cast<std::uint64_t>(setup_.start_time_ns())),
      publish_time_(log_time_) {
  setup_.set_format(kRecordingFormat);
  setup_.set_signals_every(signals_.every);
  if (signals_.scene) lines_.emplace(setup_.model(), directory.model());
}

std::vector<McapSchema> TickEncoder::schemas() const {
  std::vector<McapSchema> schemas{schemaOf<v1::RecordingSetup>(RecordingChannel::kSetup),
                                  schemaOf<v1::RecordedState>(RecordingChannel::kState),
                                  schemaOf(RecordingChannel::kInputs, input_schema_),
                                  schemaOf(RecordingChannel::kSignals, signal_schema_),
                                  schemaOf<v1::RecordedTick>(RecordingChannel::kTick),
                                  schemaOf<v1::RecordedGap>(RecordingChannel::kGap),
                                  schemaOf<v1::TimingReport>(RecordingChannel::kTiming),
                                  schemaOf<v1::RecordedParameters>(RecordingChannel::kParameters)};
  if (signals_.scene) {
    schemas.push_back(schemaOf<foxglove::FrameTransforms>(RecordingChannel::kFrames));
    schemas.push_back(schemaOf<foxglove::SceneUpdate>(RecordingChannel::kScene));
    schemas.push_back(schemaOf<foxglove::SceneUpdate>(RecordingChannel::kLines));
  }
  return schemas;
}

std::vector<McapChannel> TickEncoder::channels() const {
  std::vector<McapChannel> channels;
  std::uint16_t id = 0;
  std::vector<const char*> topics{"/setup", "/state", "/inputs", "/signals", "/tick", "/gap", "/timing", "/parameters"};
  if (signals_.scene) topics.insert(topics.end(), {"/tf", "/scene", "/lines"});
  for (const char* topic : topics) {
    ++id;
    channels.push_back({id, id, topic, "protobuf", {}});
  }
  // Players show the units: they are not part of the messages.
  channels[static_cast<std::size_t>(RecordingChannel::kInputs) - 1].metadata =
      unitsOf(directory_, input_schema_.names());
  channels[static_cast<std::size_t>(RecordingChannel::kSignals) - 1].metadata =
      unitsOf(directory_, signal_schema_.names());
  return channels;
}

std::map<std::string, std::string> TickEncoder::metadata() const {
  return {{"version", setup_.build().version()},
          {"commit", setup_.build().commit()},
          {"compiler", setup_.build().compiler()},
          {"flags", setup_.build().flags()},
          {"instruction_set", setup_.build().instruction_set()},
          {"session", setup_.session().name()},
          {"model", setup_.session().model_name()},
          {"model_hash", setup_.model_hash()},
          {"period_ns", std::to_string(period_ns_)},
          {"iterations", std::to_string(setup_.settings().iterations())}};
}

void TickEncoder::add(RecordingChannel channel, const std::string& data) {
  block_.messages.add(static_cast<std::uint16_t>(channel), ++sequences_[channel], log_time_, publish_time_, data);
}

template <class Message>
void TickEncoder::add(RecordingChannel channel, const Message& message) {
  message.SerializeToString(&scratch_);
  add(channel, scratch_);
}

void TickEncoder::addSetup() {
  add(RecordingChannel::kSetup, setup_);
  if (signals_.scene) add(RecordingChannel::kScene, sceneOf(setup_.model(), log_time_));
}

void TickEncoder::moveClock(const rt::Snapshot& snapshot) {
  // Advances by the simulated time between two ticks, also across a gap; by one period after a restart.
  const rt::SnapshotHeader& header = snapshot.header;
  const std::int64_t ticks = clock_ && clock_->epoch == header.epoch ? header.tick - clock_->tick : 1;
  clock_ = {header.tick, header.epoch};
  log_time_ += static_cast<std::uint64_t>(ticks * period_ns_);
  publish_time_ = static_cast<std::uint64_t>(snapshot.header.publish_time_ns);
}

bool TickEncoder::addTick(const rt::Snapshot& snapshot, bool with_signals) {
  const rt::SnapshotHeader& header = snapshot.header;
  const bool begins = !last_ || last_->header.epoch != header.epoch;
  moveClock(snapshot);

  const bool new_inputs =
      begins || !sameBits(last_->inputs, snapshot.inputs) || last_->header.input_first_tick != header.input_first_tick;
  if (begins || header.tick % state_interval_ == 0) addState(snapshot, begins);
  if (!begins && last_->header.model_version != header.model_version) addParameters(snapshot);
  if (new_inputs) {
    input_schema_.encode(header.tick, snapshot.inputs, scratch_);
    add(RecordingChannel::kInputs, scratch_);
  }
  const bool signals_due = !values_.empty() && header.tick % signals_.every == 0;
  const bool frames_due = signals_.scene && (begins || header.tick % frames_every_ == 0);
  if (with_signals && signals_due) {
    reader_.read(snapshot, values_);
    signal_schema_.encode(header.tick, values_, scratch_);
    add(RecordingChannel::kSignals, scratch_);
  }
  if (with_signals && frames_due) addFrames(snapshot);
  const bool leaves_out = !with_signals && (signals_due || frames_due);
  if (leaves_out) ++block_.bare;
  tick_.set_tick(header.tick);
  tick_.set_state_hash(rt::hashState(header.tick, snapshot.state));
  tick_.set_flags(frameFlags(header));
  tick_.set_input_sequence(header.input_sequence);
  tick_.set_input_first_tick(header.input_first_tick);
  add(RecordingChannel::kTick, tick_);

  if (block_.ticks++ == 0 && block_.gaps == 0) block_.first_tick = header.tick;
  block_.last_tick = header.tick;
  last_ = snapshot;
  return leaves_out;
}

void TickEncoder::addState(const rt::Snapshot& snapshot, bool begins) {
  state_.set_begins(begins);
  writeSnapshot(snapshot, *directory_.modelOf(snapshot.header.model_version), script_hash_, *state_.mutable_snapshot());
  add(RecordingChannel::kState, state_);
}

void TickEncoder::addParameters(const rt::Snapshot& snapshot) {
  v1::RecordedParameters parameters;
  parameters.set_tick(snapshot.header.tick);
  writeParameters(parametersOf(*directory_.modelOf(snapshot.header.model_version)), *parameters.mutable_values());
  add(RecordingChannel::kParameters, parameters);
}

void TickEncoder::addFrames(const rt::Snapshot& snapshot) {
  writeFrames(directory_.model(), snapshot, log_time_, frames_);
  add(RecordingChannel::kFrames, frames_);
  if (lines_->empty()) return;
  lines_->write(snapshot, log_time_, lines_drawn_);
  add(RecordingChannel::kLines, lines_drawn_);
}

void TickEncoder::addGap(std::int64_t first_tick, std::uint64_t ticks, bool inputs_complete) {
  v1::RecordedGap gap;
  gap.set_first_tick(first_tick);
  gap.set_ticks(ticks);
  gap.set_inputs_complete(inputs_complete);
  add(RecordingChannel::kGap, gap);
  if (block_.ticks == 0 && block_.gaps == 0) block_.first_tick = first_tick;
  ++block_.gaps;
  block_.missing += ticks;
  if (!inputs_complete) last_.reset();
}

void TickEncoder::addTiming(const v1::TimingReport& report) {
  add(RecordingChannel::kTiming, report);
}

TickEncoder::Content& TickEncoder::Content::operator+=(const Content& more) noexcept {
  ticks += more.ticks;
  gaps += more.gaps;
  missing += more.missing;
  bare += more.bare;
  return *this;
}

TickEncoder::Block TickEncoder::take() {
  return std::exchange(block_, {});
}

std::uint64_t inputBytes(const rt::Model& model, std::int64_t period_ns, std::int64_t ticks) noexcept {
  constexpr std::uint64_t kMessage = kMcapRecordHead + 2 + 4 + 8 + 8 + McapBlock::kIndexBytes;
  constexpr std::uint64_t kVarint = 1 + 10, kDouble = 2 + 8, kHash = 1 + 8;  // with the tag
  const rt::StateLayout layout(model);
  const std::uint64_t tick = kMessage + 4 * kVarint + kHash;
  const std::uint64_t inputs = kMessage + kVarint + kDouble * static_cast<std::uint64_t>(layout.actuators);
  // A complete state once a simulated second: state, input history, and what is said around them.
  const std::uint64_t state =
      kMessage + kDouble * static_cast<std::uint64_t>(layout.size() + 3 * layout.actuators) + 1024;
  const std::int64_t states =
      1 + ticks / std::max<std::int64_t>(1'000'000'000 / std::max<std::int64_t>(period_ns, 1), 1);
  return static_cast<std::uint64_t>(ticks) * (tick + inputs) + static_cast<std::uint64_t>(states) * state;
}

bool inputsHeldBetween(const rt::Snapshot& before, const rt::Snapshot& after, std::uint64_t lost) noexcept {
  const rt::SnapshotHeader &a = before.header, &b = after.header;
  return a.epoch == b.epoch && !a.faulted && !b.faulted && b.tick - a.tick == static_cast<std::int64_t>(lost) + 1 &&
         a.model_version == b.model_version && a.input_first_tick == b.input_first_tick &&
         a.input_sequence == b.input_sequence && sameBits(before.inputs, after.inputs);
}

}  // namespace tactus::server
