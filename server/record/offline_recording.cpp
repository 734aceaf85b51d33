#include "server/record/offline_recording.h"

#include <cstddef>
#include <utility>

namespace tactus::server {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;

}  // namespace

OfflineRecording::OfflineRecording(const std::string& path, const rt::SignalDirectory& directory,
                                   RecordedSignals signals, v1::RecordingSetup setup, std::uint64_t script_hash)
    : file_(createFile(path)),
      encoder_(directory, std::move(signals), std::move(setup), script_hash),
      writer_(*file_, path, encoder_.schemas(), encoder_.channels(), encoder_.metadata()) {
  encoder_.addSetup();
}

void OfflineRecording::append(const rt::Snapshot& snapshot) {
  encoder_.addTick(snapshot, true);
  if (encoder_.block().messages.bytes() >= kBlockBytes) flush();
}

void OfflineRecording::flush() {
  if (!encoder_.block().messages.empty()) writer_.write(encoder_.take().messages);
}

void OfflineRecording::finish() {
  flush();
  writer_.finish();
}

}  // namespace tactus::server
