// Replay: runs the recorded inputs through the tick again and compares every recorded bit.
#pragma once

#include "rt/loop/tick_loop.h"
#include "rt/signals/model_versions.h"
#include "rt/signals/signal_reader.h"
#include "server/record/recording_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// The first difference between two runs.
struct Difference {
  std::int64_t tick = 0;
  std::string signal;          ///< "crank.r.x"; "state hash" if no value is recorded; "status" for a failed step
  double a = 0, b = 0;         ///< recorded and replayed value, or the values of two recordings
  std::uint64_t ulps = 0;      ///< number of doubles between the values
  std::string text_a, text_b;  ///< for values that are not numbers
};

/// The loop of a recorded session, rebuilt from the setup of the recording.
class RecordedSession {
 public:
  /// @param step  another step, for tests
  /// @throws Error if the model cannot be built or the settings are not valid
  explicit RecordedSession(const v1::RecordingSetup& setup, rt::StepFunction* step = &rt::step);
  ~RecordedSession();

  const rt::Model& model() const noexcept { return *model_; }
  const rt::SignalDirectory& signals() const noexcept { return directory_; }

  /// Applies a row: takes its state, or ticks with its inputs up to its tick.
  /// @throws Error if the row cannot follow the previous one, or its state does not fit the model
  void follow(const RecordedRow& row);

  /// Valid after follow().
  const rt::Snapshot& snapshot() const noexcept { return snapshot_; }
  rt::TickStatus status() const noexcept { return loop_->fault(); }

 private:
  void tune(const ParameterValues& values);
  rt::Snapshot readState(const RecordedRow& row) const;

  v1::Model message_;
  std::unique_ptr<const rt::Model> model_;
  std::unique_ptr<const rt::Plan> plan_;
  rt::ModelVersions versions_;
  rt::SignalDirectory directory_;
  std::unique_ptr<rt::TickLoop> loop_;
  rt::ActuatorInput input_;
  rt::Snapshot snapshot_;
  std::unique_ptr<rt::CompiledModel> mechanism_;
  std::uint64_t next_version_ = 1;
};

/// Indices of signals, in the order of their names. @throws Error for a name that the model does not have
std::vector<int> indicesOf(const rt::SignalDirectory& directory, const std::vector<std::string>& names);

/// Compares the rows of a recording with the session that replays them.
class RowComparison {
 public:
  /// Both must outlive it. @throws Error if the model lacks a recorded signal
  RowComparison(const RecordingReader& recording, const RecordedSession& session);

  /// The first difference between a row and the session after follow(row).
  std::optional<Difference> compare(const RecordedRow& row);

 private:
  const RecordedSession& session_;
  const std::vector<std::string> names_;
  rt::SignalReader reader_;
  std::vector<double> values_;
};

struct ReplayReport {
  std::uint64_t ticks = 0;    ///< replayed and compared
  std::uint64_t bridged = 0;  ///< replayed but not recorded, so not compared
  std::uint64_t begins = 0;   ///< rows with a state, from which the replay starts again
  std::uint64_t missing = 0;  ///< ticks of the whole file that are not recorded and cannot be replayed
  std::int64_t first_tick = 0, last_tick = 0;
  std::uint64_t state_hash = 0;  ///< hash after the last tick
  std::optional<Difference> difference;
  bool complete = false;  ///< the recording has not ended early, and the file has its end
  std::string problem;    ///< how an incomplete file ends
};

/// Replays a recording up to the first difference.
/// @throws Error, see RecordedSession
ReplayReport replay(RecordingReader& recording, rt::StepFunction* step = &rt::step);

/// The differences between this binary and the one that recorded, one a line; empty if there are none.
std::string unlikeBuild(const v1::RecordingSetup& setup, const v1::BuildStamp& here);

}  // namespace tactus::server
