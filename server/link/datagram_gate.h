// DatagramGate: the filter at the socket of a link. No other part of the link sees a byte of an unknown sender.
#pragma once

#include "server/link/datagram.h"
#include "server/link/sequence_window.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::server {

/// One thread classifies, any thread reads the counts.
class DatagramGate {
 public:
  enum class Verdict : std::uint8_t {
    kFresh,       ///< authentic and newer than all before
    kMalformed,   ///< magic, version, kind or length
    kWrongToken,  ///< of another link, or of none
    kForged,      ///< the tag does not fit
    kDuplicate,
    kOvertaken,
    kOld,
    kTooMany,  ///< authentic and new, but beyond what the link may send
  };
  static constexpr std::size_t kVerdicts = 8;

  /// @param per_second  datagrams that the device may send, in bursts of up to one second and at least one datagram; 0:
  ///                    no limit
  DatagramGate(std::uint64_t token, const DatagramKey& key, double per_second) noexcept
      : token_(token), key_(key), per_second_(per_second), most_(std::max(per_second, 1.0)), credit_(most_) {}

  /// Classifies one datagram, cheap tests first. @param[out] datagram  of kFresh only; valid as long as `bytes`
  /// @rt no allocation, no lock, no throw
  Verdict classify(std::span<const std::byte> bytes, std::int64_t now_ns, InputDatagram& datagram) noexcept;

  /// Numbers that the next fresh datagram leaves out do not count as lost: the device has been silent on purpose or has
  /// started again. Of the classifying thread.
  void expectGap() noexcept { window_.expectGap(); }

  std::uint64_t count(Verdict verdict) const noexcept {
    return counts_[static_cast<std::size_t>(verdict)].load(std::memory_order_relaxed);
  }

  /// Numbers up to the newest that have not arrived.
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  Verdict decide(std::span<const std::byte> bytes, std::int64_t now_ns, InputDatagram& datagram) noexcept;
  bool spend(std::int64_t now_ns) noexcept;

  const std::uint64_t token_;
  const DatagramKey& key_;
  const double per_second_, most_;
  double credit_;
  std::int64_t credited_ns_ = 0;
  SequenceWindow window_;
  std::array<std::atomic<std::uint64_t>, kVerdicts> counts_{};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace tactus::server
