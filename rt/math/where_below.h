// A choice between two values without a branch, for any scalar.
#pragma once

namespace tactus::rt {

/// @returns a where x < limit, else b. Lanes and Duals have their own.
inline double whereBelow(double x, double limit, double a, double b) noexcept {
  return x < limit ? a : b;
}

}  // namespace tactus::rt
