// The constants of a drive.
#pragma once

#include <cstdint>
#include <vector>

namespace tactus::rt {

enum class DriveKind : std::uint8_t { kPolynomial, kHarmonic, kTable, kInput };

/// A function of time with two derivatives.
struct Drive {
  DriveKind kind = DriveKind::kPolynomial;
  std::vector<double> coefficients;  ///< of kPolynomial; offset, amplitude, frequency, phase of kHarmonic
  std::vector<double> times, values, second_derivatives;  ///< of kTable: points and second derivatives there
  int actuator[3] = {-1, -1, -1};                         ///< of kInput: value, rate, acceleration; -1: zero

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind);
    visit.numbers(coefficients, times, values);
    visit.structure(actuator[0], actuator[1], actuator[2]);
  }
};

}  // namespace tactus::rt
