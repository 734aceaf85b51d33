// A disk in memory that can be full, stuck, or slow to keep what it has taken: the seam under every recording.
#pragma once

#include "server/record/file_sink.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace tactus::server::tests {

class MemoryDisk {
 public:
  /// The one file of the disk.
  std::unique_ptr<FileSink> file() { return std::make_unique<File>(*this); }

  /// From now on writing waits until release().
  void stick() {
    std::lock_guard lock(mutex_);
    stuck_ = true;
  }
  void release() {
    {
      std::lock_guard lock(mutex_);
      stuck_ = sync_stuck_ = false;
    }
    changed_.notify_all();
  }

  /// From now on having the disk keep what it has waits until release(); it takes what is written.
  void stickSync() {
    std::lock_guard lock(mutex_);
    sync_stuck_ = true;
  }

  /// From now on the disk does not keep what it has taken, for the reason `error`.
  void failSync(int error) {
    std::lock_guard lock(mutex_);
    sync_error_ = error;
  }

  /// Waits until somebody waits to write.
  void awaitWriter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

  /// Holds at most so many bytes.
  void setRoom(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    room_ = bytes;
  }

  std::string bytes() const {
    std::lock_guard lock(mutex_);
    return bytes_;
  }

  /// Copies the bytes into a file.
  void save(const std::string& path) const { std::ofstream(path, std::ios::binary) << bytes(); }

 private:
  class File final : public FileSink {
   public:
    explicit File(MemoryDisk& disk) : disk_(disk) {}

    int append(std::string_view bytes) noexcept override {
      std::unique_lock lock(disk_.mutex_);
      ++disk_.waiting_;
      disk_.changed_.notify_all();
      disk_.changed_.wait(lock, [this] { return !disk_.stuck_; });
      --disk_.waiting_;
      // A disk that runs full takes what still fits.
      const std::size_t taken = std::min(bytes.size(), disk_.room_ - std::min(disk_.room_, disk_.bytes_.size()));
      disk_.bytes_.append(bytes.substr(0, taken));
      return taken == bytes.size() ? 0 : ENOSPC;
    }
    int truncate(std::uint64_t bytes) noexcept override {
      std::lock_guard lock(disk_.mutex_);
      disk_.bytes_.resize(bytes);
      return 0;
    }
    int sync() noexcept override {
      std::unique_lock lock(disk_.mutex_);
      disk_.changed_.wait(lock, [this] { return !disk_.sync_stuck_; });
      return disk_.sync_error_;
    }
    std::optional<std::uint64_t> room() noexcept override {
      std::lock_guard lock(disk_.mutex_);
      return disk_.room_ - std::min(disk_.room_, disk_.bytes_.size());
    }

   private:
    MemoryDisk& disk_;
  };

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  std::size_t room_ = std::numeric_limits<std::size_t>::max();
  bool stuck_ = false, sync_stuck_ = false;
  int waiting_ = 0, sync_error_ = 0;
};

}  // namespace tactus::server::tests
