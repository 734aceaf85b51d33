// FNV-1a, 64 bit: the hash behind every identity that Tactus prints, stores or sends. Its values are part of the
// format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tactus::rt {

/// Folds bytes into a hash in the order in which they are added.
/// @rt  no allocation, no throw
class Fnv1a {
 public:
  void addByte(std::uint8_t byte) noexcept { hash_ = (hash_ ^ byte) * 0x100000001b3ULL; }

  /// Eight bytes, the least significant one first.
  void addWord(std::uint64_t word) noexcept {
    for (int shift = 0; shift < 64; shift += 8) addByte(static_cast<std::uint8_t>(word >> shift));
  }

  /// Bytes as they lie in memory.
  void addBytes(const void* bytes, std::size_t count) noexcept {
    const auto* p = static_cast<const std::uint8_t*>(bytes);
    for (std::size_t i = 0; i < count; ++i) addByte(p[i]);
  }

  /// The characters of a text, without its length.
  void addText(std::string_view text) noexcept { addBytes(text.data(), text.size()); }

  std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace tactus::rt
