// DiskWriter: the two threads of a recording that wait for the disk. One writes the blocks, the other syncs the file.
#pragma once

#include "server/record/block_queue.h"
#include "server/record/mcap_writer.h"
#include "server/record/reserved_disk.h"
#include "server/record/tick_encoder.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace tactus::server {

/// What is in the file so far.
struct DiskProgress {
  std::uint64_t bytes = 0;              ///< size of the file
  std::int64_t last_tick = 0;           ///< newest tick in the file
  TickEncoder::Content content{};       ///< of the file
  std::string error{};                  ///< why the file has ended early; empty if it has not
  std::optional<std::uint64_t> room{};  ///< bytes that the disk could still take at the newest look; none: not known
};

/// Its threads keep it alive: if the disk never answers, the threads and everything they use stay behind.
class DiskWriter {
 public:
  struct Limits {
    QueueLimits queue;
    std::uint64_t largest_file;
    std::uint64_t reserve = 0;                ///< bytes of the disk that stay free
    std::shared_ptr<DiskClaims> claims = {};  ///< of all files of the disk; null: there are no others
  };

  /// Starts the file. @throws Error if it cannot be written
  DiskWriter(std::unique_ptr<FileSink> file, std::string name, const TickEncoder& encoder, const Limits& limits);

  /// Writes the first block in the calling thread. @throws Error if it cannot be written
  void writeFirst(const TickEncoder::Block& block);

  /// Starts the threads.
  static void start(const std::shared_ptr<DiskWriter>& writer);

  /// Takes a block if there is room for it. @returns false otherwise; `block` is then unchanged
  bool push(TickEncoder::Block& block, std::size_t bytes) { return queue_.push(block, bytes); }

  /// Bytes in the queue, and their limits.
  std::size_t waiting() const { return queue_.bytes(); }
  const QueueLimits& limits() const noexcept { return queue_.limits(); }

  /// True after an error of the disk, and at the end of its room; progress() holds the reason.
  bool failed() const noexcept { return failed_; }

  /// Ends the file: waits until the disk holds all of it, as long as it takes something within `patience`.
  /// @returns false if it took nothing for so long; the file is completed if the disk answers later
  bool finish(std::chrono::nanoseconds patience);

  DiskProgress progress() const;

 private:
  McapWriter begin(const TickEncoder& encoder);
  void writeBlocks();
  void syncBlocks();
  void writeBlock(const TickEncoder::Block& block);
  std::string reasonOf(const std::exception& error);
  void fail(const std::string& error);

  const std::string name_;
  ReservedDisk file_;
  const std::uint64_t largest_file_, reserve_;
  McapWriter writer_;
  BlockQueue<TickEncoder::Block> queue_;
  std::atomic<bool> failed_{false};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  DiskProgress progress_;
  std::uint64_t synced_ = 0;  ///< bytes that the disk has confirmed
  bool written_ = false;      ///< every block is in the file, or an error has ended the writing
  bool ended_ = false;        ///< both threads have finished
};

}  // namespace tactus::server
