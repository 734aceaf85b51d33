// OfflineRecording: a recording without threads, for runs that may wait for the disk.
#pragma once

#include "server/record/file_sink.h"
#include "server/record/tick_encoder.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tactus::server {

/// Nothing is lost: each block is written before the next tick is taken. Every member that writes throws Error if the
/// write fails.
class OfflineRecording {
 public:
  OfflineRecording(const std::string& path, const rt::SignalDirectory& directory, RecordedSignals signals,
                   v1::RecordingSetup setup, std::uint64_t script_hash);

  void append(const rt::Snapshot& snapshot);

  /// Writes the summary.
  void finish();

 private:
  void flush();

  std::unique_ptr<FileSink> file_;
  TickEncoder encoder_;
  McapWriter writer_;
};

}  // namespace tactus::server
