// Descriptor: an open file that is closed at the end of the block.
#pragma once

#include <cerrno>
#include <cstddef>
#include <string_view>

#include <unistd.h>

namespace tactus::text {

class Descriptor {
 public:
  /// @param descriptor  as open() returns it; below zero: there is none
  explicit Descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const noexcept { return descriptor_; }

 private:
  const int descriptor_;
};

/// Writes all of the content. @returns false, with errno, if a part of it could not be written
inline bool writeAll(int descriptor, std::string_view content) noexcept {
  while (!content.empty()) {
    const ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace tactus::text
