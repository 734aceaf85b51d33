// Units of signals as powers of base units, as FMI describes them.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace tactus::fmi {

/// kg, m, s, A, K, mol, cd, rad.
inline constexpr std::array<const char*, 8> kBaseUnits = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
using UnitExponents = std::array<int, kBaseUnits.size()>;

/// Exponents of a coherent SI unit: symbols with a space between factors, "^" before an exponent, and "/" before each
/// divisor: "N m", "m/s^2", "N s/m", "1". None for a text with another symbol.
std::optional<UnitExponents> exponentsOf(const std::string& unit);

/// A unit of anybody in the spelling of exponentsOf(): "N.m", "N*m", "m.s-1" and "kg.m2" are "N m", "m s^-1" and
/// "kg m^2".
std::string spelledAsOurs(const std::string& unit);

}  // namespace tactus::fmi
