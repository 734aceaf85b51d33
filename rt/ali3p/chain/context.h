// What a step along the lanes of a Chain knows while it runs.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/ali3p/workspace.h"
#include "rt/plan/chain.h"

namespace tactus::rt {

/// The level of the constraints that a solve is about.
enum class Level { kPosition, kVelocity, kAcceleration, kNone };

constexpr int indexOf(Level level) noexcept {
  return static_cast<int>(level);
}

/// True if the motion of the joint points at a level is looked at after bodies have moved at `moved`, before a solve at
/// `next`.
constexpr bool isEvaluated(Level level, Level moved, Level next) noexcept {
  const bool skips_velocity = moved == Level::kPosition && next == Level::kAcceleration;
  return level == moved || level == next || (level == Level::kVelocity && skips_velocity);
}

/// Constants of one step, and the scratch of all threads.
struct ChainContext {
  const Model& model;
  const Chain& chain;
  const Settings& settings;
  double dt;     ///< s
  double scale;  ///< dt^2 / 4
  std::span<const double> input;
  Workspace& ws;

  ChainContext(const Model& the_model, const Chain& the_chain, const Settings& the_settings, double length,
               std::span<const double> the_input, Workspace& workspace) noexcept
      : model(the_model),
        chain(the_chain),
        settings(the_settings),
        dt(length),
        scale(0.25 * length * length),
        input(the_input),
        ws(workspace) {}
};

}  // namespace tactus::rt
