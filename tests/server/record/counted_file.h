// A file on a disk that several files share: only how full the disk is counts.
#pragma once

#include "server/record/file_sink.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tactus::server::tests {

/// One of several files on a disk, which counts only how full it is.
class CountedFile final : public FileSink {
 public:
  CountedFile(std::atomic<std::uint64_t>& used, std::uint64_t room) : used_(used), room_(room) {}

  int append(std::string_view bytes) noexcept override {
    used_ += bytes.size();
    return 0;
  }
  int truncate(std::uint64_t) noexcept override { return 0; }
  int sync() noexcept override { return 0; }
  std::optional<std::uint64_t> room() noexcept override { return room_ - std::min<std::uint64_t>(room_, used_); }

 private:
  std::atomic<std::uint64_t>& used_;
  const std::uint64_t room_;
};

}  // namespace tactus::server::tests
