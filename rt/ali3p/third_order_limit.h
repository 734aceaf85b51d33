// Which vibrations third-order steps hold: they amplify undamped ones, little where the step resolves them well.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/error.h"

#include <optional>

namespace tactus::rt {

/// Angle, rad, that an undamped vibration may turn in a third-order step. The step multiplies its amplitude by
/// 1 + 8.7e-4 x^6 where it turns by x: at the limit by 1 + 1.0e-8, 3.7 % in an hour of steps of 1 ms.
/// @source rt/doc/ali3p.md section 8
inline constexpr double kMaxUndampedAngle = 0.15;

/// Damping of a row that outweighs the amplification of a third-order step at any frequency: C >= part dt K. The test
/// of this file steps damped oscillators of 0.2 to 30 rad a step.
inline constexpr double kDampingPart = 0.05;

/// The finding on third-order steps that amplify a vibration of a compliant row; none where the settings ask for plain
/// steps. Vibrations that come from gravity, from spinning bodies or from loads that are no rows are not seen here.
/// @throws Error if the initial state cannot be assembled
std::optional<Finding> findAmplified(const Model& model, const Settings& settings);

/// @throws ModelError with the finding of findAmplified(), or Error as it does
void requireStableSteps(const Model& model, const Settings& settings);

}  // namespace tactus::rt
