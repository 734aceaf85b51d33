// Cubic interpolation between equally spaced points.
#pragma once

namespace tactus::rt {

/// Weights of the four points around a place between the middle two, and their derivatives by t: through every point,
/// with one continuous derivative (Catmull and Rom).
struct CubicWeights {
  double w[4], d[4];

  /// @param t  0 at the second point, 1 at the third
  explicit CubicWeights(double t) noexcept {
    const double t2 = t * t, t3 = t2 * t;
    w[0] = 0.5 * (-t + 2 * t2 - t3);
    w[1] = 0.5 * (2 - 5 * t2 + 3 * t3);
    w[2] = 0.5 * (t + 4 * t2 - 3 * t3);
    w[3] = 0.5 * (t3 - t2);
    d[0] = 0.5 * (-1 + 4 * t - 3 * t2);
    d[1] = 0.5 * (-10 * t + 9 * t2);
    d[2] = 0.5 * (1 + 8 * t - 9 * t2);
    d[3] = 0.5 * (3 * t2 - 2 * t);
  }
};

/// Their second derivatives.
struct CubicSecondDerivatives {
  double w[4];

  explicit CubicSecondDerivatives(double t) noexcept : w{2 - 3 * t, -5 + 9 * t, 4 - 9 * t, 3 * t - 1} {}
};

}  // namespace tactus::rt
