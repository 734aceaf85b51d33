// Numbers and texts one behind the other in a string of bytes, in the byte order of the machine.
#pragma once

#include "rt/error.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace tactus::fmi {

class ByteWriter {
 public:
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void number(Number value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::size_t size() const noexcept { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a ByteWriter wrote; every read throws Error where the bytes end before it.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename Number>
  requires std::is_arithmetic_v<Number> Number number() {
    Number value{};
    raw(&value, sizeof value);
    return value;
  }
  std::string text() { return std::string(cut(size(1))); }
  void raw(void* data, std::size_t size) {
    const std::string_view part = cut(size);
    if (!part.empty()) std::memcpy(data, part.data(), size);  // of an empty list `data` is null
  }

  /// A count of elements of at least `each` bytes.
  std::size_t size(std::size_t each) {
    const auto count = number<std::uint64_t>();
    if (count > rest_.size() / each) throw Error("the bytes end early");
    return static_cast<std::size_t>(count);
  }
  bool atEnd() const noexcept { return rest_.empty(); }

 private:
  std::string_view cut(std::size_t size) {
    if (size > rest_.size()) throw Error("the bytes end early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

/// FNV-1a, 64 bit.
inline std::uint64_t checksum(std::string_view bytes) noexcept {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

}  // namespace tactus::fmi
