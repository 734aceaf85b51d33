// TickEncoder: writes the recorded data of each tick as messages of an MCAP block. No files, no threads.
#pragma once

#include "rt/signals/signal_reader.h"
#include "rt/state/snapshot.h"
#include "server/record/mcap_writer.h"
#include "server/record/scene_lines.h"
#include "server/record/value_schema.h"

#include "foxglove/scene.pb.h"
#include "tactus/v1/recording.pb.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

inline constexpr std::uint32_t kRecordingFormat = 1;

/// Channels of a recording; schemas have the same numbers.
enum class RecordingChannel : std::uint16_t {
  kSetup = 1,
  kState,
  kInputs,
  kSignals,
  kTick,
  kGap,
  kTiming,
  kParameters,
  kFrames,  ///< only with the scene
  kScene,   ///< only with the scene
  kLines    ///< only with the scene
};

/// The signals to record beside the inputs.
struct RecordedSignals {
  std::vector<int> indices;  ///< indices into the directory; may be empty
  std::int64_t every = 1;    ///< signals are recorded every n ticks
  bool scene = false;        ///< records the frames of all bodies and their shapes, too
};

/// For one thread at a time. The directory must outlive it.
class TickEncoder {
 public:
  /// @param setup        everything but format, signals and start time, which the encoder adds
  /// @param script_hash  see hashScript()
  TickEncoder(const rt::SignalDirectory& directory, RecordedSignals signals, v1::RecordingSetup setup,
              std::uint64_t script_hash);

  // ---- the front of the file ----
  std::vector<McapSchema> schemas() const;
  std::vector<McapChannel> channels() const;
  std::map<std::string, std::string> metadata() const;

  // ---- messages, in the order of the ticks ----

  /// Adds the setup: once, as the first message.
  void addSetup();

  /// Adds a publication of the loop. The first one, and one after a gap with incomplete inputs, includes its State.
  /// @param with_signals  false leaves out the signals and the frames of the scene
  /// @returns true if the tick lacks signals or frames that were due
  bool addTick(const rt::Snapshot& snapshot, bool with_signals);

  /// Adds a gap: the ticks from `first_tick` on are not recorded. The next tick includes its State unless the inputs
  /// are complete.
  void addGap(std::int64_t first_tick, std::uint64_t ticks, bool inputs_complete);

  void addTiming(const v1::TimingReport& report);

  // ---- the current block ----

  /// What of the ticks is in a block, or in a file.
  struct Content {
    std::uint64_t ticks = 0;
    std::uint64_t gaps = 0, missing = 0;  ///< gaps, and the ticks that they lack
    std::uint64_t bare = 0;               ///< ticks without the signals or frames that were due

    Content& operator+=(const Content& more) noexcept;
  };

  struct Block : Content {
    McapBlock messages;
    std::int64_t first_tick = 0;  ///< recorded, or missing in a gap
    std::int64_t last_tick = 0;
  };
  const Block& block() const noexcept { return block_; }

  /// Takes out the current block and starts the next one.
  Block take();

  /// The newest publication; null before the first one and after a gap with incomplete inputs.
  const rt::Snapshot* last() const noexcept { return last_ ? &*last_ : nullptr; }

 private:
  template <class Message>
  void add(RecordingChannel channel, const Message& message);
  void add(RecordingChannel channel, const std::string& data);
  void addState(const rt::Snapshot& snapshot, bool begins);
  void addParameters(const rt::Snapshot& snapshot);
  void addFrames(const rt::Snapshot& snapshot);
  void moveClock(const rt::Snapshot& snapshot);

  const rt::SignalDirectory& directory_;
  rt::SignalReader reader_;
  const RecordedSignals signals_;
  v1::RecordingSetup setup_;
  const std::uint64_t script_hash_;
  const std::int64_t period_ns_, state_interval_;
  const ValueSchema input_schema_, signal_schema_;

  Block block_;
  std::optional<rt::Snapshot> last_;
  std::vector<double> values_;
  std::string scratch_;
  v1::RecordedTick tick_;
  v1::RecordedState state_;
  foxglove::FrameTransforms frames_;
  std::optional<SceneLines> lines_;  ///< none without the scene
  foxglove::SceneUpdate lines_drawn_;
  const std::int64_t frames_every_;  ///< ticks
  std::map<RecordingChannel, std::uint32_t> sequences_;

  // Log time is the wall clock at the start plus the simulated time since then. It does not follow jumps of the wall
  // clock, and it does not go back when a session is reset.
  std::uint64_t log_time_, publish_time_;
  struct Place {
    std::int64_t tick;
    std::uint64_t epoch;
  };
  std::optional<Place> clock_;  ///< of the publication that log_time_ belongs to; none before the first one
};

/// Bytes in memory for `ticks` recorded ticks, every one with new inputs, without signals; see McapBlock::bytes().
std::uint64_t inputBytes(const rt::Model& model, std::int64_t period_ns, std::int64_t ticks) noexcept;

/// True if no input can have changed in the `lost` publications between two recorded ones.
bool inputsHeldBetween(const rt::Snapshot& before, const rt::Snapshot& after, std::uint64_t lost) noexcept;

}  // namespace tactus::server
