#include "server/link/datagram.h"

#include "rt/model/limits.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace tactus::server {

namespace {

// The wire and this machine are little-endian: numbers are copied.
static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kMagic = 0x54434154;  // "TACT"
constexpr std::uint8_t kVersion = 1;

// Where each number begins.
constexpr std::size_t kAtMagic = 0, kAtVersion = 4, kAtKind = 5, kAtFlags = 6, kAtToken = 8, kAtLayout = 16,
                      kAtSequence = 24, kAtTick = 32, kAtSimTime = 40, kAtSendTime = 48, kAtAcknowledged = 56,
                      kAtMissed = 64, kAtIndex = 72, kAtCount = 76, kAtSets = 78, kAtMode = 79;

template <class T>
T get(std::span<const std::byte> bytes, std::size_t offset) noexcept {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <class T>
void put(DatagramBuffer& out, std::size_t offset, T value) noexcept {
  std::memcpy(out.data() + offset, &value, sizeof value);
}

void begin(DatagramBuffer& out, DatagramKind kind, std::uint64_t token) noexcept {
  std::fill_n(out.begin(), kDatagramHeader, std::byte{0});
  put(out, kAtMagic, kMagic);
  put(out, kAtVersion, kVersion);
  put(out, kAtKind, kind);
  put(out, kAtToken, token);
}

/// Bit g: the inputs of group g are ignored.
std::uint32_t ignoredGroups(const v1::StateFrame& frame) noexcept {
  std::uint32_t groups = 0;
  for (int g = 0; g < frame.group_modes_size(); ++g)
    if (frame.group_modes(g) == v1::INPUT_MODE_SAFE || frame.group_modes(g) == v1::INPUT_MODE_RAMPING)
      groups |= 1u << g;
  return groups;
}
static_assert(rt::kMaxGroups <= 8);

std::size_t seal(DatagramBuffer& out, std::size_t size, const DatagramKey& key) noexcept {
  const DatagramKey::Tag tag = key.tag(std::span(out).first(size));
  std::copy(tag.begin(), tag.end(), out.begin() + static_cast<std::ptrdiff_t>(size));
  return size + kDatagramTag;
}

}  // namespace

void InputDatagram::values(std::size_t i, std::span<double> out) const noexcept {
  if (count == 0) return;  // `out` may have no address
  std::memcpy(out.data(), bytes.data() + kDatagramHeader + i * count * sizeof(double), count * sizeof(double));
}

bool readInput(std::span<const std::byte> bytes, InputDatagram& datagram) noexcept {
  if (bytes.size() < kMinDatagram || bytes.size() > kMaxDatagram) return false;
  if (get<std::uint32_t>(bytes, kAtMagic) != kMagic || get<std::uint8_t>(bytes, kAtVersion) != kVersion) return false;
  if (get<std::uint8_t>(bytes, kAtKind) != static_cast<std::uint8_t>(DatagramKind::kInput)) return false;
  datagram.token = get<std::uint64_t>(bytes, kAtToken);
  datagram.layout = get<std::uint64_t>(bytes, kAtLayout);
  datagram.sequence = get<std::uint64_t>(bytes, kAtSequence);
  datagram.tick = get<std::int64_t>(bytes, kAtTick);
  datagram.acknowledged = get<std::uint64_t>(bytes, kAtAcknowledged);
  datagram.count = get<std::uint16_t>(bytes, kAtCount);
  datagram.sets = get<std::uint8_t>(bytes, kAtSets);
  datagram.bytes = bytes;
  return datagram.sequence > 0 && datagram.tick >= 0 && datagram.sets > 0 &&
         bytes.size() == kMinDatagram + datagram.sets * datagram.count * sizeof(double);
}

bool isAuthentic(std::span<const std::byte> bytes, const DatagramKey& key) noexcept {
  return key.fits(bytes.first(bytes.size() - kDatagramTag), bytes.last<kDatagramTag>());
}

std::size_t writeState(const v1::StateFrame& frame, std::uint64_t token, std::uint64_t layout, const DatagramKey& key,
                       DatagramBuffer& out) noexcept {
  begin(out, DatagramKind::kState, token);
  put(out, kAtFlags, static_cast<std::uint16_t>((frame.flags() & 0xff) | ignoredGroups(frame) << 8));
  put(out, kAtLayout, layout);
  put(out, kAtSequence, frame.sequence());
  put(out, kAtTick, frame.tick());
  put(out, kAtSimTime, frame.sim_time_ns());
  put(out, kAtSendTime, frame.server_time_ns());
  put(out, kAtAcknowledged, frame.input_sequence());
  put(out, kAtMissed, frame.frames_missed());
  constexpr std::int64_t oldest = std::numeric_limits<std::uint32_t>::max();
  put(out, kAtIndex, static_cast<std::uint32_t>(std::clamp<std::int64_t>(frame.input_age_ticks(), 0, oldest)));
  put(out, kAtCount, static_cast<std::uint16_t>(frame.packed().size() / sizeof(double)));
  put(out, kAtSets, std::uint8_t{1});
  put(out, kAtMode, static_cast<std::uint8_t>(frame.input_mode()));
  std::memcpy(out.data() + kDatagramHeader, frame.packed().data(), frame.packed().size());
  return seal(out, kDatagramHeader + frame.packed().size(), key);
}

std::size_t writeRefusal(RefusalCode code, std::uint64_t sequence, std::uint32_t index, std::int64_t tick,
                         std::uint64_t token, const DatagramKey& key, DatagramBuffer& out) noexcept {
  begin(out, DatagramKind::kRefusal, token);
  put(out, kAtFlags, code);
  put(out, kAtTick, tick);
  put(out, kAtAcknowledged, sequence);
  put(out, kAtIndex, index);
  return seal(out, kDatagramHeader, key);
}

}  // namespace tactus::server
