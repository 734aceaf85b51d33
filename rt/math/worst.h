// The larger and the smaller of two values; a value that is not a number is not lost.
#pragma once

namespace tactus::rt {

/// The larger of two; not a number where one of them is not. Lanes have their own.
inline double worst(double a, double b) noexcept {
  return b <= a || a != a ? a : b;
}

/// The smaller of two; `b` where it is not a number. Lanes have their own.
inline double minimum(double a, double b) noexcept {
  return b >= a ? a : b;
}

}  // namespace tactus::rt
