// Snapshot -> StateFrame: the selected signals of a tick, as one packed array in a message that is reused.
#pragma once

#include "rt/signals/signal_reader.h"
#include "rt/state/snapshot.h"

#include "tactus/v1/state.pb.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::server {

/// Which signals a reader gets, in which order.
struct SignalSelection {
  std::vector<int> indices;       ///< into SignalDirectory::signals()
  std::uint64_t layout_hash = 0;  ///< over names, units and order
};

/// What the globs of one request may cost: each of them is compared with every signal.
inline constexpr std::size_t kMaxGlobs = 256, kMaxGlobBytes = 256, kMaxGlobMatches = 10'000'000;

/// Resolves names and globs; an empty list selects nothing.
/// @param field  of the request, for the error
/// @throws RequestError kSignalUnknown with the nearest name; kLimitExceeded for too many or too long globs
SignalSelection selectSignals(const rt::SignalDirectory& directory, const std::vector<std::string>& patterns,
                              const std::string& field);

/// The sum of the FrameFlag values of a tick.
std::uint32_t frameFlags(const rt::SnapshotHeader& header) noexcept;

v1::InputMode toProto(rt::InputMode mode) noexcept;

/// Fills frames for one reader. Not thread-safe; allocates only for the first frame.
class FrameWriter {
 public:
  /// @param packed  values as little-endian bytes
  FrameWriter(const rt::SignalDirectory& directory, std::vector<int> indices, bool packed);

  /// Writes tick, times, input, flags and values; the stream sets sequence and frames_missed.
  /// Use one message for all frames of a writer: its arrays keep their size.
  /// @param holder  lease of the reader: the frame names the newest input of this lease that is in force, or none; 0:
  ///                the frame names the newest input of any controller
  void write(const rt::Snapshot& snapshot, v1::StateFrame& frame, std::uint64_t holder = 0);

 private:
  rt::SignalReader reader_;
  bool packed_;
  int groups_;  ///< of actuators
  std::vector<double> scratch_;
};

}  // namespace tactus::server
