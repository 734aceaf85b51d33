// Recorder: writes a running session into a file without the session noticing. One thread copies the publications of
// the loop into blocks in memory, another hands them to the disk, a third has the disk keep them.
//
//   tick ─> SnapshotRing ─> collector: TickEncoder ─> DiskWriter: BlockQueue ─> McapWriter ─> FileSink
//
// When the disk falls behind, the signals are left out first (queue half full), then whole ticks (queue full). What is
// left out is counted, and where ticks are missing the file says so.
#pragma once

#include "rt/loop/snapshot_ring.h"
#include "server/record/disk_writer.h"
#include "server/record/file_sink.h"
#include "server/record/tick_encoder.h"

#include "tactus/v1/state.pb.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tactus::server {

/// What the recorder sees of a session. All of it must outlive the recorder.
struct RecorderSource {
  const rt::SnapshotRing& ring;
  const rt::SignalDirectory& directory;
  /// Sleeps until there is a publication after an index, or until the timeout; kClosed ends the recording.
  std::function<rt::WaitResult(std::uint64_t index, std::chrono::nanoseconds timeout)> wait;
  std::function<v1::TimingReport()> timing;
};

struct RecorderOptions {
  RecordedSignals signals;
  std::size_t queue_bytes = std::size_t{16} << 20;
  std::size_t block_bytes = std::size_t{256} << 10;          ///< a block is closed when it has these,
  std::chrono::milliseconds block_time{50};                  ///< or when its first message is so old
  std::uint64_t largest_file = std::uint64_t{4} << 30;       ///< bytes; then the recording ends
  std::chrono::nanoseconds report_interval{10'000'000'000};  ///< of the timing report, simulated time
  std::chrono::nanoseconds patience{10'000'000'000};         ///< with the disk, when the recording ends
};

struct RecorderStatus {
  bool running = true;                          ///< still takes ticks
  std::uint64_t ticks = 0;                      ///< recorded; those that wait for the disk are among them
  std::uint64_t bytes = 0;                      ///< in the file
  std::int64_t last_tick = 0;                   ///< of the newest block in the file
  std::uint64_t lost_ticks = 0;                 ///< not recorded
  std::uint64_t lost_signals = 0;               ///< ticks recorded without their signals
  std::optional<std::int64_t> incomplete_from;  ///< the first tick of which the input is not recorded
  std::string error;                            ///< why it ended before it was told to; empty if it did not
};

class Recorder {
 public:
  /// Begins the file and the recording, with the newest publication as its first.
  /// @throws Error if the file does not take its beginning
  Recorder(RecorderSource source, RecorderOptions options, v1::RecordingSetup setup, std::uint64_t script_hash,
           std::unique_ptr<FileSink> file, std::string name);
  ~Recorder() { stop(); }

  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Records what has been published until now, ends the file and waits for the disk, but no longer than the patience:
  /// what a disk that never answers has not taken by then is lost, and the status says so.
  void stop();

  RecorderStatus status() const;
  const std::string& name() const noexcept { return name_; }

 private:
  v1::TimingReport timing() const;
  void collect();
  void drain();
  void take(const rt::Snapshot& snapshot);
  void lose(std::uint64_t publications);
  void addGap(bool inputs_complete);
  void flush();
  void drop(const TickEncoder::Block& block);
  void addLastWords();

  const RecorderSource source_;
  const RecorderOptions options_;
  const std::string name_;

  // ---- the collector's ----
  TickEncoder encoder_;
  rt::Snapshot snapshot_;
  std::uint64_t seen_ = 0;  ///< publication that was looked at last
  std::int64_t tick_ = 0;   ///< newest tick that was seen
  std::uint64_t lost_ = 0;  ///< publications that were lost just before
  std::int64_t lost_from_ = 0;
  bool blocked_ = false;  ///< the queue was full; nothing is taken until it is half empty
  bool dropped_ = false;  ///< of the lost ones some were taken already
  bool gave_up_ = false;  ///< the disk had no room for the last words
  std::int64_t next_report_ = 0;
  std::chrono::steady_clock::time_point block_begun_;

  const std::shared_ptr<DiskWriter> disk_;

  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> stop_at_{0};  ///< the last publication to record, once stopping

  mutable std::mutex mutex_;
  RecorderStatus status_;  ///< of the collector; what the disk has done comes from there

  std::mutex stop_;
  std::thread collecting_;
};

}  // namespace tactus::server
