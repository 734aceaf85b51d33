// Descriptor: an open file that is closed at the end of the block.
#pragma once

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

}  // namespace tactus::text
