// DatagramKey: the secret of a link, without which no tag can be made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::server {

/// SipHash-2-4 of libsodium: a key of 16 bytes, a tag of 8.
class DatagramKey {
 public:
  static constexpr std::size_t kBytes = 16;
  using Bytes = std::array<std::byte, kBytes>;
  using Tag = std::array<std::byte, 8>;

  explicit DatagramKey(const Bytes& bytes) noexcept : bytes_(bytes) {}
  ~DatagramKey();

  DatagramKey(const DatagramKey&) = delete;
  DatagramKey& operator=(const DatagramKey&) = delete;

  Tag tag(std::span<const std::byte> message) const noexcept;

  /// Whether `tag` belongs to the message. Takes the same time wherever it differs.
  bool fits(std::span<const std::byte> message, std::span<const std::byte, 8> tag) const noexcept;

  const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

/// From the random numbers of the system. @throws Error if it has none
DatagramKey::Bytes randomKey();

/// A random number that cannot be guessed; never zero. @throws Error
std::uint64_t randomToken();

}  // namespace tactus::server
