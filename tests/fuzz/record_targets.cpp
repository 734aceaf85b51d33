// What Tactus has written itself and reads again: recordings and snapshots. Checksums are mended, so that what they
// would keep out is read.
#include "tests/fuzz/mutate_message.h"

#include "rt/error.h"
#include "server/record/crc32.h"
#include "server/record/mcap_format.h"
#include "server/record/recording_reader.h"
#include "server/record/replay.h"
#include "server/record/snapshot_message.h"
#include "tests/server/record/recorded_run.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace tactus::fuzz {

namespace {

using server::McapCursor;
using server::McapOpcode;
using server::tests::MemoryDisk;
using server::tests::RecordedRun;

/// Makes the checksums of blocks fit, and takes the others away.
void mendChecksums(std::string& file) {
  std::size_t at = server::kMcapMagic.size();
  while (file.size() > at + server::kMcapRecordHead) {
    McapCursor head(std::string_view(file).substr(at));
    const auto opcode = static_cast<McapOpcode>(head.number<std::uint8_t>());
    const auto length = head.number<std::uint64_t>();
    const std::size_t begin = at + server::kMcapRecordHead;
    if (length > file.size() - begin) return;
    if (opcode == McapOpcode::kDataEnd && length >= 4) std::memset(file.data() + begin, 0, 4);
    if (opcode == McapOpcode::kFooter && length >= 20) std::memset(file.data() + begin + 16, 0, 4);
    if (opcode == McapOpcode::kChunk) {
      McapCursor chunk(std::string_view(file).substr(begin, length));
      chunk.take(8 + 8 + 8 + 4);
      chunk.text();
      chunk.take(8);
      if (chunk.good()) {
        const std::uint64_t size = chunk.left().size();
        const std::uint32_t crc = server::crc32(chunk.left());
        std::memcpy(file.data() + begin + 16, &size, sizeof size);
        std::memcpy(file.data() + begin + 24, &crc, sizeof crc);
        std::memcpy(file.data() + begin + length - size - 8, &size, sizeof size);
      }
    }
    at = begin + length;
  }
}

/// A file in memory with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    require(fd_ >= 0 && ::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "memory for a file");
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  const int fd_;
};

bool recording(std::string_view bytes) {
  if (bytes.empty()) return false;
  std::string content(bytes.substr(1));
  if ((bytes[0] & 1) != 0) mendChecksums(content);
  const MemoryFile file(content);
  try {
    server::RecordingReader reader(file.path());
    // A model of somebody else's size takes somebody else's time.
    if (reader.setup().model().bodies_size() > 48) return true;
    std::size_t rows = 0;
    server::RecordedRow row;
    while (reader.next(row)) require(++rows <= content.size(), "a row takes at least a byte");
    require(reader.complete() || !reader.problem().empty(), "an incomplete recording says why");
    server::RecordingReader again(file.path());
    // A gap of any length is replayed tick by tick: no more of them than a second.
    std::int64_t last = 0;
    server::RecordingReader looked(file.path());
    while (looked.next(row)) {
      if (row.tick > last + 1000 || row.unrecorded > 1000) return true;
      last = row.tick;
    }
    server::replay(again);
    return reader.complete();
  } catch (const Error&) { return false; }
}

std::vector<std::string> recordingSeeds() {
  std::vector<std::string> seeds;
  for (const char* model : {"motor_four_bar", "spatial_pendulum"}) {
    MemoryDisk disk;
    RecordedRun run(model);
    server::RecorderOptions options;
    options.signals = {run.directory.resolve({"*.r.x"}), 1};
    run.record(disk.file(), options);
    run.tick(5);
    run.settle();
    run.recorder->stop();
    seeds.push_back('\1' + disk.bytes());
  }
  return seeds;
}

bool snapshot(std::string_view bytes) {
  static RecordedRun run;
  v1::SessionSnapshot message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  message.set_format(server::kSnapshotFormat);
  message.set_state_hash(
      rt::hashState(message.tick(), {message.state().data(), static_cast<std::size_t>(message.state_size())}));
  message.set_content_hash(server::hashContent(message));
  try {
    run.loop.restore(server::readSnapshot(message, run.model, run.settings.period_ns));
  } catch (const Error&) { return false; }
  for (int i = 0; i < 20; ++i) run.loop.tick();
  return true;
}

std::vector<std::string> snapshotSeeds() {
  std::vector<std::string> seeds;
  RecordedRun run;
  for (int i = 0; i < 3; ++i) {
    rt::Snapshot newest(run.model);
    run.loop.ring().newest(newest);
    v1::SessionSnapshot message;
    server::writeSnapshot(newest, run.model, 0, message);
    seeds.push_back(message.SerializeAsString());
    run.tick(7);
  }
  return seeds;
}

}  // namespace

std::vector<Target> recordTargets() {
  return {{"recording", 400'000, recording, recordingSeeds, nullptr},
          {"snapshot", 4096, snapshot, snapshotSeeds, mutateBytesOf<v1::SessionSnapshot>}};
}

}  // namespace tactus::fuzz
