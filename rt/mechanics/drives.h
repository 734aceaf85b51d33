// Drives: the functions of time that driven rows follow.
#pragma once

#include "rt/model/drive.h"

#include <span>

namespace tactus::rt {

/// Prescribed value of a driven row, m or rad, and its first and second time derivatives.
struct DriveValue {
  double value = 0, rate = 0, acceleration = 0;
};

/// @param time   s since tick 0
/// @param input  value of each actuator
/// @rt no allocation, no throw, bounded work
DriveValue evaluateDrive(const Drive& drive, double time, std::span<const double> input) noexcept;

}  // namespace tactus::rt
