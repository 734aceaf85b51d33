// The bytes of a datagram: a fixed little-endian header, values, a tag. Described in clients/udp/README.md.
#pragma once

#include "server/link/datagram_key.h"

#include "tactus/v1/state.pb.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::server {

/// Largest datagram that Ethernet does not fragment: 1500 bytes without the headers of IP and UDP.
inline constexpr std::size_t kMaxDatagram = 1472;
inline constexpr std::size_t kDatagramHeader = 80, kDatagramTag = 8;
inline constexpr std::size_t kMinDatagram = kDatagramHeader + kDatagramTag;
inline constexpr std::size_t kDatagramValues = (kMaxDatagram - kMinDatagram) / sizeof(double);

using DatagramBuffer = std::array<std::byte, kMaxDatagram>;

enum class DatagramKind : std::uint8_t { kInput = 1, kState = 2, kRefusal = 3 };

/// Why an authentic input was not used; sent to the device.
enum class RefusalCode : std::uint16_t {
  kLayout = 1,      ///< the layout hash, or the number of values, is not the agreed one
  kNotFinite = 2,   ///< of the value with the number in `index`
  kOutOfRange = 3,  ///< of the value with the number in `index`
  kLate = 4,        ///< the tick that it was for is over
  kTooFar = 5,      ///< the tick that it is for is too far ahead
  kNotTicking = 6,  ///< the session is paused, at fault or at its end
};

/// A received input with its header decoded. Valid as long as its bytes.
struct InputDatagram {
  std::uint64_t token = 0, layout = 0;
  std::uint64_t sequence = 0;      ///< from 1, rising
  std::int64_t tick = 0;           ///< that it is for; 0 for the next
  std::uint64_t acknowledged = 0;  ///< newest state that the device has got
  std::size_t count = 0;           ///< values of a set
  std::size_t sets = 0;            ///< its own and those that it repeats; set i is that of the datagram sequence - i
  std::span<const std::byte> bytes;

  /// Copies set `i` < sets; `out` has `count` elements.
  void values(std::size_t i, std::span<double> out) const noexcept;
};

/// Decodes everything but the tag. @returns false if this is not an input of this version, or if its length is wrong
bool readInput(std::span<const std::byte> bytes, InputDatagram& datagram) noexcept;

/// Whether the tag belongs to the bytes. Takes the same time wherever it differs.
bool isAuthentic(std::span<const std::byte> bytes, const DatagramKey& key) noexcept;

/// Writes a state with its tag. @returns its length @pre the packed values of the frame fit
std::size_t writeState(const v1::StateFrame& frame, std::uint64_t token, std::uint64_t layout, const DatagramKey& key,
                       DatagramBuffer& out) noexcept;

/// Writes why the input `sequence` was not used. @returns its length
std::size_t writeRefusal(RefusalCode code, std::uint64_t sequence, std::uint32_t index, std::int64_t tick,
                         std::uint64_t token, const DatagramKey& key, DatagramBuffer& out) noexcept;

}  // namespace tactus::server
