// The levels at which a step solves.
#pragma once

namespace tactus::rt {

/// Level of the constraints that a solve is about.
enum class Level { kPosition, kVelocity, kAcceleration, kNone };

constexpr int indexOf(Level level) noexcept {
  return static_cast<int>(level);
}

}  // namespace tactus::rt
