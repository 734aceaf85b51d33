#include "server/record/reserved_disk.h"

#include <cerrno>
#include <utility>

namespace tactus::server {

ReservedDisk::ReservedDisk(std::unique_ptr<FileSink> file, std::uint64_t reserve, std::shared_ptr<DiskClaims> claims)
    : file_(std::move(file)),
      reserve_(reserve),
      claims_(claims ? std::move(claims) : std::make_shared<DiskClaims>(std::uint64_t{0})) {}

void ReservedDisk::keepForEnd(std::uint64_t bytes) noexcept {
  *claims_ += bytes - kept_;  // modulo 2^64: the difference may be negative
  kept_ = bytes;
}

int ReservedDisk::append(std::string_view bytes) noexcept {
  if (reserve_ == 0) return file_->append(bytes);
  if (ending_) {
    // What is kept stays claimed until it is written.
    const int error = file_->append(bytes);
    if (error == 0) keepForEnd(0);
    return error;
  }
  // Claimed before the look: of two files that want the last room, none sees it as free.
  const std::uint64_t claimed = *claims_ += bytes.size();
  const std::optional<std::uint64_t> room = file_->room();
  reached_ = room && *room < reserve_ + kOverhead + claimed;
  const int error = reached_ ? ENOSPC : file_->append(bytes);
  *claims_ -= bytes.size();
  return error;
}

}  // namespace tactus::server
