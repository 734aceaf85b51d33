#include "server/record/recording_reader.h"

#include "rt/error.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tactus::server {

namespace {

template <class Message>
bool parse(const McapMessage& from, Message& to) {
  return to.ParseFromArray(from.data.data(), static_cast<int>(from.data.size()));
}

}  // namespace

RecordingReader::RecordingReader(const std::string& path) : mcap_(path) {
  McapMessage message;
  if (!mcap_.next(message)) throw Error(path + ": " + mcap_.problem() + ", before its first tick");
  if (message.channel != static_cast<std::uint16_t>(RecordingChannel::kSetup) || !parse(message, setup_))
    throw Error(path + ": is not a recording of Tactus: it does not begin with a setup");
  if (setup_.format() != kRecordingFormat)
    throw Error(path + ": has format " + std::to_string(setup_.format()) + "; this version reads " +
                std::to_string(kRecordingFormat));
  const auto names = [&](RecordingChannel channel) {
    const auto schema = mcap_.schemas().find(static_cast<std::uint16_t>(channel));
    if (schema == mcap_.schemas().end()) throw Error(path + ": lacks the schema of its values");
    return readValueNames(schema->second.data);
  };
  input_names_ = names(RecordingChannel::kInputs);
  signal_names_ = names(RecordingChannel::kSignals);
}

bool RecordingReader::next(RecordedRow& row) {
  row.begins = row.has_state = row.has_new_inputs = row.has_signals = row.has_new_parameters = false;
  row.unrecorded = 0;
  row.inputs.resize(input_names_.size());
  row.signals.resize(signal_names_.size());
  if (!problem_.empty()) return false;

  McapMessage message;
  std::int64_t tick = 0;
  while (mcap_.next(message)) {
    switch (static_cast<RecordingChannel>(message.channel)) {
      case RecordingChannel::kSetup: return stop("has a second setup");
      case RecordingChannel::kState:
        if (!parse(message, state_)) return stop("has a state that cannot be read");
        row.has_state = true;
        row.begins = state_.begins();
        row.state.Swap(state_.mutable_snapshot());
        break;
      case RecordingChannel::kInputs:
        if (!decodeValues(message.data, tick, row.inputs)) return stop("has inputs that cannot be read");
        row.has_new_inputs = true;
        break;
      case RecordingChannel::kSignals:
        if (!decodeValues(message.data, tick, row.signals)) return stop("has signals that cannot be read");
        row.has_signals = true;
        break;
      case RecordingChannel::kGap:
        if (!parse(message, gaps_.emplace_back())) return stop("has a gap that cannot be read");
        if (gaps_.back().inputs_complete()) row.unrecorded += gaps_.back().ticks();
        break;
      case RecordingChannel::kTiming:
        if (!parse(message, timing_.emplace())) return stop("has a timing report that cannot be read");
        break;
      case RecordingChannel::kParameters:
        if (!parse(message, parameters_)) return stop("has parameters that cannot be read");
        row.has_new_parameters = true;
        row.parameters = readParameters(parameters_.values());
        break;
      case RecordingChannel::kTick:
        if (!parse(message, tick_)) return stop("has a tick that cannot be read");
        row.tick = tick_.tick();
        row.state_hash = tick_.state_hash();
        row.flags = tick_.flags();
        row.input_sequence = tick_.input_sequence();
        row.input_first_tick = tick_.input_first_tick();
        return true;
      default: break;  // of a later version
    }
  }
  return false;
}

bool RecordingReader::stop(const std::string& problem) {
  problem_ = problem;
  return false;
}

bool sameBits(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::uint64_t ulpDistance(double a, double b) noexcept {
  if (sameBits(a, b)) return 0;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<std::uint64_t>::max();
  // Maps doubles to unsigned integers in the same order; -0 is one below +0.
  const auto place = [](double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    return bits & kSign ? ~bits : bits | kSign;
  };
  const std::uint64_t p = place(a), q = place(b);
  return p > q ? p - q : q - p;
}

}  // namespace tactus::server
