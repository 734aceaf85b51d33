// The states of an instance: saved, restored, and as bytes.
#include "clients/engine/refusal.h"
#include "clients/fmi/format/byte_stream.h"
#include "clients/fmi/unit/instance.h"

#include <cstring>
#include <utility>

namespace tactus::fmi {

std::unique_ptr<UnitState> Instance::save() const {
  auto state = std::make_unique<UnitState>();
  state->engine = engine_->save();
  state->inputs.assign(engine_->inputs().begin(), engine_->inputs().end());
  if (!inputs_set_) state->inputs.clear();
  state->pending = pending_;
  state->start_time = start_time_;
  state->stop_time = stop_time_;
  state->importer_time = importer_time_;
  state->mode = mode_;
  return state;
}

void Instance::restore(const UnitState& state) {
  try {
    engine_->restore(state.engine);
    if (!state.inputs.empty()) setAllInputs(state.inputs);
  } catch (const engine::Refusal& refusal) { throw CallProblem{Outcome::kError, words(refusal)}; }
  inputs_set_ = !state.inputs.empty();
  pending_ = state.pending;
  start_time_ = state.start_time;
  stop_time_ = state.stop_time;
  importer_time_ = state.importer_time;
  mode_ = state.mode;
  failed_ = engine_->state().tick > 0 && !engine_->fault().empty();
  forgetOutputs();
}

std::string Instance::serialize(const UnitState& state) const {
  ByteWriter out;
  const auto list = [&](const std::vector<double>& values) {
    out.number(static_cast<std::uint64_t>(values.size()));
    out.raw(values.data(), values.size() * sizeof(double));
  };
  const auto parameters = [&](const engine::ParameterValues& values) {
    out.number(static_cast<std::uint64_t>(values.size()));
    for (const engine::ParameterValue& value : values) {
      out.text(value.name);
      out.number(value.value);
    }
  };
  static_assert(std::is_trivially_copyable_v<rt::SnapshotHeader>);
  out.text(token_);
  out.number(static_cast<std::uint64_t>(sizeof(rt::SnapshotHeader)));
  rt::SnapshotHeader header = state.engine.snapshot.header;
  header.publish_time_ns = 0;  // decides nothing; the same state is the same bytes
  out.raw(&header, sizeof header);
  list(state.engine.snapshot.state);
  list(state.engine.snapshot.inputs);
  list(state.engine.snapshot.input_history);
  parameters(state.engine.parameters);
  out.number(state.engine.model_hash);
  list(state.inputs);
  parameters(state.pending);
  out.number(state.start_time);
  for (const std::optional<double>& time : {state.stop_time, state.importer_time}) {
    out.number(time.has_value());
    out.number(time.value_or(0));
  }
  out.number(static_cast<unsigned>(state.mode));
  std::string bytes = out.take();
  const std::uint64_t sum = checksum(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

std::unique_ptr<UnitState> Instance::deserialize(std::string_view bytes) const {
  const auto bad = [](const std::string& why) {
    return CallProblem{Outcome::kError, "the serialized state is " + why + "; nothing has changed"};
  };
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof sum) throw bad("too short");
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof sum);
  std::memcpy(&sum, content.data() + content.size(), sizeof sum);
  if (sum != checksum(content)) throw bad("damaged");
  auto state = std::make_unique<UnitState>();
  try {
    ByteReader in(content);
    const auto list = [&](std::vector<double>& values) {
      values.resize(in.size(sizeof(double)));
      in.raw(values.data(), values.size() * sizeof(double));
    };
    const auto parameters = [&](engine::ParameterValues& values) {
      for (std::size_t left = in.size(sizeof(double)); left > 0; --left) {
        std::string name = in.text();
        values.push_back({std::move(name), in.number<double>()});
      }
    };
    if (in.text() != token_) throw bad("one of another unit");
    if (in.number<std::uint64_t>() != sizeof(rt::SnapshotHeader)) throw bad("one of another version of Tactus");
    in.raw(&state->engine.snapshot.header, sizeof(rt::SnapshotHeader));
    list(state->engine.snapshot.state);
    list(state->engine.snapshot.inputs);
    list(state->engine.snapshot.input_history);
    parameters(state->engine.parameters);
    state->engine.model_hash = in.number<std::uint64_t>();
    state->engine.settings = engine_->settings();
    list(state->inputs);
    parameters(state->pending);
    state->start_time = in.number<double>();
    for (std::optional<double>* const time : {&state->stop_time, &state->importer_time}) {
      const bool known = in.number<std::uint8_t>() != 0;
      const double value = in.number<double>();
      if (known) *time = value;
    }
    state->mode = static_cast<Mode>(in.number<unsigned>());
  } catch (const Error&) { throw bad("damaged"); }
  return state;
}

}  // namespace tactus::fmi
