// What the reports of linear systems have in common, of a model and of a session.
#pragma once

#include "tactus/v1/simulation.pb.h"

#include <functional>
#include <string>
#include <vector>

namespace tactus::text {

/// Largest rate of a state at an equilibrium, m/s^2 or rad/s^2: a ten thousandth of gravity. Thin parts of beams keep
/// about 1e-5 of round-off.
inline constexpr double kAtRest = 1e-3;

/// A matrix with its names; of a large one its size and how to see it; nothing of an empty one.
/// @param value  of row and column
/// @param how    "--json prints it"
std::string matrixText(const char* name, const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                       const std::function<double(int, int)>& value, const char* how);

/// A mode in a table.
struct ModeRow {
  std::string kind;
  double omega = 0, damping = 0, real = 0, imaginary = 0;
  std::string part;  ///< what moves most
};

/// Number, kind, frequency, damping and eigenvalue of each mode; a rigid motion has neither frequency nor damping.
/// @param count  modes to print, the first ones
std::string modesText(const std::vector<ModeRow>& modes, std::size_t count);

}  // namespace tactus::text
