// Snapshot -> StateFrame: the chosen signals of a tick, as one packed array in a message that is used again and again.
#pragma once

#include "rt/signals/signal_directory.h"
#include "rt/state/snapshot.h"

#include "tactus/v1/state.pb.h"

#include <cstdint>
#include <vector>

namespace tactus::server {

/// Which signals a reader gets, in which order.
struct SignalSelection {
  std::vector<int> indices;       ///< into SignalDirectory::signals()
  std::uint64_t layout_hash = 0;  ///< over names, units and order
};

/// Resolves names and globs; an empty list selects nothing.
/// @param field  of the request, for the error
/// @throws RequestError kSignalUnknown with the nearest name
SignalSelection selectSignals(const rt::SignalDirectory& directory, const std::vector<std::string>& patterns,
                              const std::string& field);

/// FrameFlag values of a tick, added.
std::uint32_t frameFlags(const rt::SnapshotHeader& header) noexcept;

/// Fills frames for one reader. Not thread-safe; allocates only for the first frame.
class FrameWriter {
 public:
  /// @param packed  values as little-endian bytes
  FrameWriter(const rt::SignalDirectory& directory, std::vector<int> indices, bool packed);

  /// Writes tick, times, input, flags and values; leaves sequence and frames_missed to the stream.
  /// Frames of one writer should go into one message: its arrays keep their size.
  void write(const rt::Snapshot& snapshot, v1::StateFrame& frame);

 private:
  rt::SignalReader reader_;
  bool packed_;
  std::vector<double> scratch_;
};

}  // namespace tactus::server
