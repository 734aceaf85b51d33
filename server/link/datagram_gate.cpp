#include "server/link/datagram_gate.h"

#include <algorithm>

namespace tactus::server {

DatagramGate::Verdict DatagramGate::classify(std::span<const std::byte> bytes, std::int64_t now_ns,
                                             InputDatagram& datagram) noexcept {
  const Verdict verdict = decide(bytes, now_ns, datagram);
  counts_[static_cast<std::size_t>(verdict)].fetch_add(1, std::memory_order_relaxed);
  lost_.store(window_.lost(), std::memory_order_relaxed);
  return verdict;
}

DatagramGate::Verdict DatagramGate::decide(std::span<const std::byte> bytes, std::int64_t now_ns,
                                           InputDatagram& datagram) noexcept {
  if (!readInput(bytes, datagram)) return Verdict::kMalformed;
  if (datagram.token != token_) return Verdict::kWrongToken;
  if (!isAuthentic(bytes, key_)) return Verdict::kForged;

  // From here on the datagram is known to come from the device.
  switch (window_.record(datagram.sequence)) {
    case SequenceWindow::Verdict::kFresh: break;
    case SequenceWindow::Verdict::kDuplicate: return Verdict::kDuplicate;
    case SequenceWindow::Verdict::kOvertaken: return Verdict::kOvertaken;
    case SequenceWindow::Verdict::kOld: return Verdict::kOld;
  }
  return spend(now_ns) ? Verdict::kFresh : Verdict::kTooMany;
}

bool DatagramGate::spend(std::int64_t now_ns) noexcept {
  if (per_second_ <= 0) return true;
  if (credited_ns_ > 0)
    credit_ = std::min(most_, credit_ + 1e-9 * static_cast<double>(now_ns - credited_ns_) * per_second_);
  credited_ns_ = now_ns;
  if (credit_ < 1) return false;
  credit_ -= 1;
  return true;
}

}  // namespace tactus::server
