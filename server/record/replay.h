// Replay: the recorded inputs once more through the tick, and every recorded bit compared.
#pragma once

#include "rt/loop/tick_loop.h"
#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/record/recording_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// Where two runs part.
struct Difference {
  std::int64_t tick = 0;
  std::string signal;      ///< "crank.r.x"; "state hash" where no value is recorded; "status" for a step that failed
  double a = 0, b = 0;     ///< recorded, replayed; or of the first and the second recording
  std::uint64_t ulps = 0;  ///< doubles between them
  std::string text_a, text_b;  ///< of what is not a number
};

/// The loop of a recorded session, made anew from what the recording says.
class RecordedSession {
 public:
  /// @param step  tests put another one in its place
  /// @throws Error if the model cannot be built or the settings cannot be met
  explicit RecordedSession(const v1::RecordingSetup& setup, rt::StepFunction* step = &rt::step);

  const rt::Model& model() const noexcept { return *model_; }
  const rt::SignalDirectory& signals() const noexcept { return directory_; }

  /// Does what the row says: begins with its state, or ticks to its tick with its inputs.
  /// @throws Error if the row cannot follow the one before, or its state does not fit the model
  void follow(const RecordedRow& row);

  /// After follow().
  const rt::Snapshot& snapshot() const noexcept { return snapshot_; }
  rt::TickStatus status() const noexcept { return loop_->fault(); }

 private:
  void tune(const ParameterValues& values);

  v1::Model message_;
  std::unique_ptr<const rt::Model> model_;
  rt::Plan plan_;
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

/// Holds the rows of a recording against the session that follows them.
class RowComparison {
 public:
  /// Both must outlive it. @throws Error if a recorded signal is none of the model
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
  std::uint64_t ticks = 0;    ///< run and compared
  std::uint64_t bridged = 0;  ///< run, not recorded: nothing to compare with
  std::uint64_t begins = 0;   ///< times that the recording begins with a state
  std::uint64_t missing = 0;  ///< ticks that are neither recorded nor can be run
  std::int64_t first_tick = 0, last_tick = 0;
  std::uint64_t state_hash = 0;  ///< of the last tick
  std::optional<Difference> difference;
  bool complete = false;  ///< the file ends with its summary
  std::string problem;    ///< how it ends otherwise
};

/// Stops at the first difference.
/// @throws Error as RecordedSession
ReplayReport replay(RecordingReader& recording, rt::StepFunction* step = &rt::step);

/// What a replay by this binary would have to overlook; empty if nothing.
std::string unlikeBuild(const v1::RecordingSetup& setup, const v1::BuildStamp& here);

}  // namespace tactus::server
