// A mechanism with every force element and both drives, for methods that treat them as loads and as moving rows.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::tests {

/// Links hinged to each other from a driven arm outwards, with springs about a hinge and along a line, bushings of
/// three and of six rows, a drag, an actuator, and a bob whose distance to ground is driven. At rest at the start,
/// moderately stiff: the fastest motion has about 30 rad/s. `coupled_too`: with a guided body, a coupler, wind and
/// inputs of a bushing besides.
rt::ModelSpec sprungMechanism(bool coupled_too = false);

/// A rotor on a hinge with a spring and damper about it, turning through several turns and back:
/// angle(t) = e^(-0.1 t) 12/w sin(w t), w^2 = 1 - 0.01.
rt::ModelSpec torsionalRotor();

/// A free wheel of 10 kg whose center is not its center of mass, on the far flank of a bump of a tilted road, 20 mm
/// pressed in and soft; `heights`: on waves across and along the road as well.
rt::ModelSpec wheelOnBump(bool heights = false);

}  // namespace tactus::tests
