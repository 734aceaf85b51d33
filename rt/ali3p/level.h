// The levels at which a step solves.
#pragma once

namespace tactus::rt {

/// Level of the constraints that a solve is about.
enum class Level { kPosition, kVelocity, kAcceleration, kNone };

constexpr int indexOf(Level level) noexcept {
  return static_cast<int>(level);
}

/// Whether the rows are evaluated at a level after bodies have moved at `moved`, before a solve at `next`.
constexpr bool isEvaluated(Level level, Level moved, Level next) noexcept {
  const bool skips_velocity = moved == Level::kPosition && next == Level::kAcceleration;
  return level == moved || level == next || (level == Level::kVelocity && skips_velocity);
}

}  // namespace tactus::rt
