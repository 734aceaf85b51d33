// DiskWriter: the two threads of a recording that wait for the disk, one to hand it the blocks, one to have it keep
// them.
#pragma once

#include "server/record/block_queue.h"
#include "server/record/file_sink.h"
#include "server/record/mcap_writer.h"
#include "server/record/tick_encoder.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace tactus::server {

/// How far the disk has come.
struct DiskProgress {
  std::uint64_t bytes = 0;     ///< in the file
  std::int64_t last_tick = 0;  ///< of the newest block in the file
  std::string error;           ///< empty while all is well
};

/// Its threads keep it alive: on a disk that never answers they are left behind, and with them whatever they need.
class DiskWriter {
 public:
  struct Limits {
    std::size_t queue_bytes;
    std::uint64_t largest_file;
  };

  /// Begins the file. @throws Error if the disk does not take that
  DiskWriter(std::unique_ptr<FileSink> file, std::string name, const TickEncoder& encoder, const Limits& limits);

  /// Writes the first block in this thread. @throws Error
  void writeFirst(const TickEncoder::Block& block);

  /// Starts the threads.
  static void start(const std::shared_ptr<DiskWriter>& writer);

  /// Takes a block, if there is room for it. @returns false, and `block` is untouched
  bool push(TickEncoder::Block& block, std::size_t bytes) { return queue_.push(block, bytes); }

  /// Bytes that wait, and how many may.
  std::size_t waiting() const { return queue_.bytes(); }
  std::size_t capacity() const noexcept { return queue_.capacity(); }

  /// The disk does not take any more; progress() says why.
  bool failed() const noexcept { return failed_; }

  /// No block comes any more: waits until the disk has the whole file, and no longer than `patience`.
  /// @returns false if it has not; the file is finished should the disk come back
  bool finish(std::chrono::nanoseconds patience);

  DiskProgress progress() const;

 private:
  void writeBlocks();
  void syncBlocks();
  void writeBlock(const TickEncoder::Block& block);
  void fail(const std::string& error);

  const std::string name_;
  const std::unique_ptr<FileSink> file_;
  const std::uint64_t largest_file_;
  McapWriter writer_;
  BlockQueue<TickEncoder::Block> queue_;
  std::atomic<bool> failed_{false};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  DiskProgress progress_;
  std::uint64_t synced_ = 0;  ///< bytes that the disk keeps
  bool written_ = false;      ///< every block is in the file, or none will be any more
  bool ended_ = false;        ///< both threads have nothing left to do
};

}  // namespace tactus::server
