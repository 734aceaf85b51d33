// ReservedDisk: the file of a recording that leaves a part of its disk free.
#pragma once

#include "server/record/file_sink.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace tactus::server {

/// Bytes that the recordings of a server are about to write: what they append, and the ends of their files.
using DiskClaims = std::atomic<std::uint64_t>;

/// For one thread at a time; room() and sync() may be called from another one.
class ReservedDisk final : public FileSink {
 public:
  /// Space for what a file system keeps of the written bytes: whole pages, and lists of them.
  static constexpr std::uint64_t kOverhead = std::uint64_t{64} << 10;

  /// @param reserve  bytes of the disk that stay free; 0: the disk may become full
  /// @param claims   shared with the other files of the disk; null: there are none
  ReservedDisk(std::unique_ptr<FileSink> file, std::uint64_t reserve, std::shared_ptr<DiskClaims> claims);
  ~ReservedDisk() override { keepForEnd(0); }
  ReservedDisk(const ReservedDisk&) = delete;
  ReservedDisk& operator=(const ReservedDisk&) = delete;

  /// append() also leaves room for so many bytes, which end the file.
  void keepForEnd(std::uint64_t bytes) noexcept;

  /// From now on append() writes the end of the file, for which the room was kept.
  void beginEnd() noexcept { ending_ = true; }

  /// The file is complete: nothing may be called from now on.
  void close() noexcept {
    keepForEnd(0);
    file_.reset();
  }

  /// An append() was refused because of the reserve.
  bool reached() const noexcept { return reached_; }

  /// Fails with ENOSPC, and writes nothing, if the disk would have less than its reserve left.
  int append(std::string_view bytes) noexcept override;
  int truncate(std::uint64_t bytes) noexcept override { return file_->truncate(bytes); }
  int sync() noexcept override { return file_->sync(); }
  std::optional<std::uint64_t> room() noexcept override { return file_->room(); }

 private:
  std::unique_ptr<FileSink> file_;
  const std::uint64_t reserve_;
  const std::shared_ptr<DiskClaims> claims_;
  std::uint64_t kept_ = 0;
  bool ending_ = false, reached_ = false;
};

}  // namespace tactus::server
