// RecordingReader: reads a recording tick by tick, up to the last intact block.
#pragma once

#include "server/model_io/tuned_model.h"
#include "server/record/mcap_reader.h"
#include "server/record/tick_encoder.h"

#include "tactus/v1/recording.pb.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// The recorded data of one tick.
struct RecordedRow {
  std::int64_t tick = 0;
  std::uint64_t state_hash = 0;
  std::uint32_t flags = 0;  ///< bitwise OR of FrameFlag values
  std::uint64_t input_sequence = 0;
  std::int64_t input_first_tick = 0;
  bool begins = false;              ///< `state` does not follow from the rows before
  std::uint64_t unrecorded = 0;     ///< ticks since the previous row, which used its inputs
  bool has_state = false;           ///< `state` is recorded
  bool has_new_inputs = false;      ///< `inputs` are recorded; else as in the previous row
  bool has_signals = false;         ///< `signals` are recorded
  bool has_new_parameters = false;  ///< `parameters` are recorded; else as in the previous row
  v1::SessionSnapshot state;
  std::vector<double> inputs, signals;
  ParameterValues parameters;

  bool faulted() const noexcept { return flags & v1::FRAME_FLAG_FAULT; }
};

class RecordingReader {
 public:
  /// @throws Error if the file is not a recording, has another format, or ends before its setup
  explicit RecordingReader(const std::string& path);

  const v1::RecordingSetup& setup() const noexcept { return setup_; }
  const std::vector<std::string>& inputNames() const noexcept { return input_names_; }
  const std::vector<std::string>& signalNames() const noexcept { return signal_names_; }

  /// Reads the next tick. The caller passes the same row object each time. @returns false after the last tick
  bool next(RecordedRow& row);

  // ---- valid up to the newest row ----
  const std::vector<v1::RecordedGap>& gaps() const noexcept { return gaps_; }
  const std::optional<v1::TimingReport>& timing() const noexcept { return timing_; }

  // ---- valid after the last row ----
  bool complete() const noexcept {
    return mcap_.ending() == McapEnding::kComplete && problem_.empty() && mcap_.endedEarly().empty();
  }
  std::string problem() const {
    if (!problem_.empty()) return problem_;
    const std::string& early = mcap_.endedEarly();
    return early.empty() ? mcap_.problem() : "has ended early: " + early;
  }

 private:
  bool stop(const std::string& problem);

  McapReader mcap_;
  v1::RecordingSetup setup_;
  std::vector<std::string> input_names_, signal_names_;
  std::vector<v1::RecordedGap> gaps_;
  std::optional<v1::TimingReport> timing_;
  v1::RecordedTick tick_;
  v1::RecordedState state_;
  v1::RecordedParameters parameters_;
  std::string problem_;
};

/// Number of steps from one double to the next between two values: 0 for equal bits, 1 between -0 and 0, the largest
/// number if one of the values is NaN.
std::uint64_t ulpDistance(double a, double b) noexcept;

/// True if the bits are equal.
bool sameBits(double a, double b) noexcept;

}  // namespace tactus::server
