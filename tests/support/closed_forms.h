// Motions with closed forms.
#pragma once

namespace tactus::tests {

/// Angle from the downward vertical, rad, of a pendulum of 1 m that starts at rest at the horizontal (pi / 2), at time
/// t: 2 asin(sn(sqrt(g) t + K, m = 1/2) / sqrt(2)), with period 4 K / sqrt(g).
double pendulumFromHorizontal(double t, double gravity);

}  // namespace tactus::tests
