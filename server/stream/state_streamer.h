// StateStreamer: which frame a reader gets next. Decimation, credit, newest-wins or queue, and an exact count of missed
// frames. Knows no gRPC.
#pragma once

#include "rt/loop/snapshot_ring.h"
#include "server/wire/state_frame.h"

#include "tactus/v1/state.pb.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::server {

struct StreamOptions {
  enum class Delivery : std::uint8_t { kLatest, kQueue };
  std::vector<int> signals;   ///< into the directory
  bool packed = false;        ///< bytes in place of doubles
  std::uint64_t divisor = 1;  ///< a frame every n publications, counted from the first
  Delivery delivery = Delivery::kLatest;
  std::size_t queue_depth = 64;     ///< of kQueue
  std::uint64_t credit_window = 0;  ///< frames that may be unacknowledged; 0 for any number
  bool from_current = false;        ///< begin with what is there now, not with the next publication
};

/// The view of one reader on a SnapshotRing. One thread requests frames; any thread acknowledges.
///
/// Every n-th publication is due. A due frame is either sent or missed, so that for each frame
/// sequence + frames_missed = number of frames that were due up to it.
class StateStreamer {
 public:
  StateStreamer(const rt::SnapshotRing& ring, const rt::SignalDirectory& directory, StreamOptions options);

  /// Writes the next frame that is due and has credit. Pass the same message each time, so that its arrays are reused.
  /// @returns false if nothing is due, or if there is no credit
  bool next(v1::StateFrame& frame);

  /// Writes the frame of publication `index` regardless of credit; frames that were due before it are missed.
  /// For lockstep, where each input is answered by its own tick.
  void answer(std::uint64_t index, const rt::Snapshot& snapshot, v1::StateFrame& frame);

  /// From now on frames name the inputs of the lease `holder`, and not those of others. From any thread.
  void nameInputsOf(std::uint64_t holder) noexcept { holder_.store(holder, std::memory_order_relaxed); }

  /// Publication after which next() can find something new, for waitNewer().
  std::uint64_t seen() const noexcept { return seen_; }

  /// Publication of the frame that next() wrote last.
  std::uint64_t index() const noexcept { return index_; }

  /// The reader has received every frame up to `sequence`. Older numbers and numbers not sent yet have no effect.
  void acknowledge(std::uint64_t sequence) noexcept;

  /// True while a frame may be sent.
  bool hasCredit() const noexcept;

  /// From any thread. Missed frames as reported by the newest frame.
  std::uint64_t sent() const noexcept { return sent_.load(std::memory_order_relaxed); }
  std::uint64_t missed() const noexcept { return reported_.load(std::memory_order_relaxed); }
  const StreamOptions& options() const noexcept { return options_; }

 private:
  /// A queued frame.
  struct Waiting {
    v1::StateFrame frame;
    std::uint64_t index = 0;
    std::uint64_t lost_before = 0;  ///< due frames that the ring had lost when this one was queued
    std::uint64_t model_version = 0;
  };

  bool nextLatest(v1::StateFrame& frame);
  bool nextQueued(v1::StateFrame& frame);
  void fillQueue();
  void loseUntil(std::uint64_t index) noexcept;
  void stamp(v1::StateFrame& frame, std::uint64_t missed, std::uint64_t model_version) noexcept;

  const rt::SnapshotRing& ring_;
  StreamOptions options_;
  FrameWriter writer_;
  rt::Snapshot snapshot_;

  std::atomic<std::uint64_t> holder_{0};  ///< lease whose inputs the frames name; 0: those of any controller

  std::uint64_t due_;   ///< publication that is due next
  std::uint64_t seen_;  ///< newest publication that was examined
  std::uint64_t index_ = 0;
  std::uint64_t model_version_ = 0;         ///< of the last frame, or of what there was at first
  std::uint64_t lost_ = 0;                  ///< due frames skipped, or overwritten before they were read
  std::atomic<std::uint64_t> reported_{0};  ///< frames_missed of the last frame
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> acknowledged_{0};

  // Queue delivery: a ring of frames that keep their arrays.
  std::vector<Waiting> queue_;
  std::size_t head_ = 0, waiting_ = 0;
  std::uint64_t dropped_ = 0;  ///< oldest frames that a full queue gave up
};

}  // namespace tactus::server
