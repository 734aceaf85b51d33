// Which vibrations steps of higher order hold: they amplify undamped ones that a step does not resolve.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/error.h"

#include <optional>

namespace tactus::rt {

/// What a step of higher order needs of a vibration.
struct StepLimit {
  double undamped_angle;  ///< rad, that an undamped vibration may turn in a step
  double damping_part;    ///< damping that outweighs the amplification at any frequency: C >= part dt K
};

/// A third-order step multiplies the amplitude of a vibration by 1 + 8.7e-4 x^6 where it turns by x: at the limit by
/// 1 + 1.0e-8, 3.7 % in an hour of steps of 1 ms. A fourth-order step damps it up to 1.8 rad. The test of this file
/// steps damped oscillators of 0.2 to 30 rad a step.
/// @source rt/doc/ali3p.md section 8
constexpr StepLimit limitOfStep(int order) noexcept {
  return order == 3 ? StepLimit{0.15, 0.05} : StepLimit{1.5, 0.1};
}

/// The finding on settings for two orders at once, or on steps of higher order that amplify a vibration of a compliant
/// row; none where the settings ask for plain steps. Vibrations that come from gravity, from spinning bodies or from
/// loads that are no rows are not seen here.
/// @throws Error if the initial state cannot be assembled
std::optional<Finding> findAmplified(const Model& model, const Settings& settings);

/// @throws ModelError with the finding of findAmplified(), or Error as it does
void requireStableSteps(const Model& model, const Settings& settings);

}  // namespace tactus::rt
