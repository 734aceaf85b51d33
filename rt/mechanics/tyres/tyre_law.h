// The steady law of a tyre with slip, whichever its kind is. laws.h is the list of laws.
#pragma once

#include "rt/mechanics/tyres/slip.h"
#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

/// @rt no allocation, no throw, fixed work
SlipStiffness slipStiffness(const SlipTyre& tyre, double load, double camber) noexcept;

/// @rt no allocation, no throw, fixed work
SlipForce slipForce(const SlipTyre& tyre, const TyreSlip& slip) noexcept;

/// The same with the stiffness that slipStiffness() gives for the load and the camber of the slip.
/// @rt no allocation, no throw, fixed work
SlipForce slipForce(const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness) noexcept;

/// Largest deflection of the tread as a factor on `slip`: 1 where the slip is below the limit.
/// @param speed  of the wheel's center, m/s
/// @rt no allocation, no throw, fixed work
double limitOfSlip(const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness, double speed) noexcept;

/// The speed at which the tread runs through the contact, m/s, with either sign.
/// @param rolling  omega R, m/s
/// @param center   speed of the wheel's center along the road, m/s
/// @rt no allocation, no throw, fixed work
double treadSpeed(const SlipTyre& tyre, double rolling, double center) noexcept;

}  // namespace tactus::rt
