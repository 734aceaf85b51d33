// Numbers with units as people write them: "30 deg", "12 mm", "5 kN/m".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tactus::server {

/// Why a text is no value of a field.
struct QuantityProblem {
  std::string rule, hint;
};

/// The value of a text in SI units and radians.
///
/// A unit is a product of symbols, each with an exponent after ^ ("N/m^1.5") or as its last digit, divided by space, *
/// or /; a / divides by the one symbol, or by the parentheses, after it. "sqrt(kg)" is "kg^0.5". Known are m, g, t, s,
/// min, h, rad, deg, rev, N, Pa, bar, J, W, Hz and % with the prefixes G, M, k, c, m and u where they are usual, in,
/// ft, lb, lbf, psi, mph, kmh, rpm and Nm. Angles are a dimension of their own: "N m/deg" is not "N m".
/// @param text  a number and a unit
/// @param unit  of the field, as its description has it: "N/m"; several units with "or" or "and" allow each of them
std::optional<double> quantityIn(std::string_view text, const std::string& unit, QuantityProblem& problem);

/// What a number in `from` is multiplied by to be one in `to`, the unit of a field; none if the units do not agree.
std::optional<double> factorBetween(std::string_view from, const std::string& to, QuantityProblem& problem);

}  // namespace tactus::server
