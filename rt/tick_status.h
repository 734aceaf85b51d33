// What a tick returns. A tick never throws: a step that fails leaves State untouched and reports the reason here.
#pragma once

#include <cstdint>

namespace tactus::rt {

enum class TickStatus : std::uint8_t {
  kOk,
  kNonFinite,    ///< a state, multiplier or residual was not finite; State keeps the last good tick
  kNotPositive,  ///< a pivot of the elimination was not positive; State keeps the last good tick
  kInputLost,    ///< the controller was lost, and an actuator of the model demands a fault; no step was tried
};

constexpr const char* toString(TickStatus status) noexcept {
  switch (status) {
    case TickStatus::kOk: return "ok";
    case TickStatus::kNonFinite: return "non-finite";
    case TickStatus::kNotPositive: return "not positive definite";
    case TickStatus::kInputLost: return "input lost";
  }
  return "unknown";
}

/// The report of one step. Plain numbers, copied into the Snapshot.
struct StepReport {
  TickStatus status = TickStatus::kOk;
  bool converged = true;               ///< the last increment is below the monitor's limit
  std::int32_t iterations = 0;         ///< Newton iterations done
  std::int32_t factorizations = 0;     ///< number of times that the tangent was formed and factored
  std::int32_t limited = 0;            ///< bodies whose geometric stiffness was limited
  double increment = 0;                ///< scaled norm of the last increment of the positions, m
  double contraction = 0;              ///< last increment over the one before; 0 where that is round-off
  double residual = 0;                 ///< norm of the position constraints before the last Newton increment
  double constraint_position = 0;      ///< |Phi| after the step
  double constraint_velocity = 0;      ///< |Phi_q qd| after the projection
  double constraint_acceleration = 0;  ///< |Phi_q qdd - gamma| after the projection
  double velocity_projection = 0;      ///< |v - v*|, scaled: how much the projection changed the velocities, m/s

  bool operator==(const StepReport&) const = default;
};

}  // namespace tactus::rt
