// TickEncoder: what a recording says about each tick, as messages of an MCAP block. No files, no threads.
#pragma once

#include "rt/signals/signal_directory.h"
#include "rt/state/snapshot.h"
#include "server/record/mcap_writer.h"
#include "server/record/value_schema.h"

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
  kParameters
};

/// What is recorded beside inputs.
struct RecordedSignals {
  std::vector<int> indices;  ///< into the directory; empty for none
  std::int64_t every = 1;    ///< of so many ticks one
};

/// One thread at a time. The directory must outlive it.
class TickEncoder {
 public:
  /// @param setup        all but what the encoder knows itself: format, signals, start time
  /// @param script_hash  of the session, see hashScript()
  TickEncoder(const rt::SignalDirectory& directory, RecordedSignals signals, v1::RecordingSetup setup,
              std::uint64_t script_hash);

  // ---- the front of the file ----
  std::vector<McapSchema> schemas() const;
  std::vector<McapChannel> channels() const;
  std::map<std::string, std::string> metadata() const;

  // ---- messages, in the order of the ticks ----

  /// The setup; once, first.
  void addSetup();

  /// A publication of the loop. The first one, and one after a gap with incomplete inputs, comes with its State.
  /// @param with_signals  false: the signals of this tick are left out
  void addTick(const rt::Snapshot& snapshot, bool with_signals);

  /// So many ticks from `first_tick` on are not recorded; the next one begins anew unless inputs are complete.
  void addGap(std::int64_t first_tick, std::uint64_t ticks, bool inputs_complete);

  void addTiming(const v1::TimingReport& report);

  // ---- the block that they are put into ----

  struct Block {
    McapBlock messages;
    std::int64_t first_tick = 0, last_tick = 0;
    std::uint64_t ticks = 0;
  };
  const Block& block() const noexcept { return block_; }

  /// Takes the block out and begins the next.
  Block take();

  /// The publication that was added last; null before the first and after a gap with incomplete inputs.
  const rt::Snapshot* last() const noexcept { return last_ ? &*last_ : nullptr; }

 private:
  template <class Message>
  void add(RecordingChannel channel, const Message& message);
  void add(RecordingChannel channel, const std::string& data);
  void addState(const rt::Snapshot& snapshot, bool begins);
  void addParameters(const rt::Snapshot& snapshot);
  void moveClock(const rt::Snapshot& snapshot, bool begins);

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
  std::map<RecordingChannel, std::uint32_t> sequences_;

  // Log time goes on with simulated time from the wall clock of the start, whatever the wall clock does, and does not
  // go back when a session is reset.
  std::uint64_t log_time_, publish_time_;
};

/// True if no input can have changed in the `lost` publications between two that were seen.
bool inputsHeldBetween(const rt::Snapshot& before, const rt::Snapshot& after, std::uint64_t lost) noexcept;

}  // namespace tactus::server
