// Recorder: writes a running session to a file without delaying its ticks. One thread copies the publications of the
// loop into blocks in memory, a second thread writes the blocks, a third thread syncs the file.
//
//   tick ─> SnapshotRing ─> collector: TickEncoder ─> DiskWriter: BlockQueue ─> McapWriter ─> FileSink
//
// When the disk falls behind, first the signals and the scene are left out (the queue's own memory half full), then
// whole ticks (queue full). The queue is sized in seconds of inputs: it holds those of a minute that the disk does not
// answer. Both losses are counted and reported while they happen, and the file marks each gap in its ticks.
#pragma once

#include "rt/loop/snapshot_ring.h"
#include "server/record/disk_watch.h"
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

/// What a recorder says of itself while it runs.
struct RecorderNotice {
  enum class Kind : std::uint8_t {
    kIncomplete,  ///< ticks or signals are missing; `tick` is where the newest gap begins
    kDisk,        ///< data will be lost unless something is done; `tick` is the newest one
    kEnded,       ///< it has ended early; `tick` is the first one that is not in the file. Sent once
  };
  Kind kind;
  std::int64_t tick;
  std::string text;  ///< with the name of the recording
};

/// The parts of a session that the recorder uses. They must outlive the recorder.
struct RecorderSource {
  const rt::SnapshotRing& ring;
  const rt::SignalDirectory& directory;
  /// Sleeps until there is a publication after `index`, or until the timeout. kClosed ends the recording.
  std::function<rt::WaitResult(std::uint64_t index, std::chrono::nanoseconds timeout)> wait;
  std::function<v1::TimingReport()> timing;
  /// Gets each notice, at most two a second; may be empty.
  std::function<void(const RecorderNotice&)> tell{};
};

struct RecorderOptions {
  RecordedSignals signals;
  QueueLimits queue{std::size_t{16} << 20, std::size_t{16} << 20};
  std::size_t block_bytes = std::size_t{256} << 10;          ///< a block is closed when it has this size,
  std::chrono::milliseconds block_time{50};                  ///< or when its first message has this age
  std::uint64_t largest_file = std::uint64_t{4} << 30;       ///< bytes, at which the recording ends
  std::uint64_t disk_reserve = 0;                            ///< bytes of its disk that stay free: it ends before
  std::shared_ptr<DiskClaims> claims = {};                   ///< of all recordings on this disk; null: this one only
  std::chrono::nanoseconds report_interval{10'000'000'000};  ///< simulated time between two timing reports
  std::chrono::nanoseconds patience{10'000'000'000};         ///< maximum wait at the end for a disk that takes nothing
  bool realtime = false;  ///< the collector may take a real-time class, the lowest: the ticks have one
};

struct RecorderStatus {
  bool running = true;                          ///< takes further ticks
  std::uint64_t ticks = 0;                      ///< recorded ticks, including those that wait for the disk
  std::uint64_t bytes = 0;                      ///< size of the file
  std::int64_t last_tick = 0;                   ///< newest tick in the file
  std::uint64_t lost_ticks = 0;                 ///< ticks that are not recorded, also those after an early end
  std::uint64_t lost_signals = 0;               ///< ticks recorded without signals or frames that were due
  std::optional<std::int64_t> incomplete_from;  ///< first tick whose input is not recorded
  std::string error;                            ///< why it ended early; empty if it did not
  std::uint64_t gaps = 0;                       ///< places at which consecutive ticks are lost
  std::string warning;                          ///< the newest one; empty if there was none
  std::int64_t warning_tick = 0;                ///< newest tick when it was given, or where the newest gap begins
};

class Recorder {
 public:
  /// Starts the file and the recording, with the newest publication as its first.
  /// @throws Error if the first block cannot be written
  Recorder(RecorderSource source, RecorderOptions options, v1::RecordingSetup setup, std::uint64_t script_hash,
           std::unique_ptr<FileSink> file, std::string name);
  ~Recorder() { stop(); }

  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Records everything published so far, ends the file and waits for the disk, at most for `patience`. Whatever the
  /// disk has not taken by then is lost, and the status reports it.
  void stop();

  RecorderStatus status() const;
  const std::string& name() const noexcept { return name_; }

 private:
  v1::TimingReport timing() const;
  void collect();
  void drain();
  void take(const rt::Snapshot& snapshot);
  void lose(std::uint64_t publications);
  /// Something is missing. @param[in] tick  where the newest gap begins
  void noteLoss(std::int64_t tick);
  void tellLoss();
  void tellEnd(const std::string& reason);
  void watchDisk();
  void say(RecorderNotice::Kind kind, std::int64_t tick, const std::string& text);
  void addGap(bool inputs_complete);
  void flush();
  void drop(const TickEncoder::Block& block);
  void writeTrailer();

  const RecorderSource source_;
  const RecorderOptions options_;
  const std::string name_;

  // ---- used by the collector only ----
  TickEncoder encoder_;
  rt::Snapshot snapshot_;
  std::uint64_t first_ = 0;  ///< the publication with which the recording begins
  std::uint64_t seen_ = 0;   ///< newest publication that was examined
  std::int64_t tick_ = 0;    ///< newest tick that was examined
  std::uint64_t lost_ = 0;   ///< publications lost since the newest one that was recorded
  std::int64_t lost_from_ = 0;
  bool blocked_ = false;  ///< the queue was full; nothing is recorded until it has `resume_below_` bytes
  std::size_t resume_below_ = 0;
  bool dropped_ = false;  ///< some of the lost publications were in a block that was dropped
  bool gave_up_ = false;  ///< the queue had no room for the trailer
  std::int64_t next_report_ = 0;
  std::chrono::steady_clock::time_point block_begun_, next_notice_, next_look_, next_line_;
  bool told_end_ = false;
  bool untold_ = false;           ///< a loss that no notice has reported
  std::int64_t untold_from_ = 0;  ///< where the newest gap of it begins
  DiskWatch watch_;

  const std::shared_ptr<DiskWriter> disk_;

  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> stop_at_{0};  ///< the last publication to record, once stopping

  mutable std::mutex mutex_;
  RecorderStatus status_;  ///< what the collector counts; disk_ has the rest

  std::mutex stop_;
  std::thread collecting_;
};

}  // namespace tactus::server
