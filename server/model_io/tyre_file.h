// Tyre property files (.tir) of MF-Tyre 5.2, PAC2002 and MF-Tyre 6.
#pragma once

#include "server/model_io/located_finding.h"

#include "tactus/v1/model.pb.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

inline constexpr std::size_t kMaxTyreFile = std::size_t{1} << 20;  ///< bytes

/// A tyre as its file describes it. Lengths and forces are in SI units, whatever the units of the file.
struct TyreProperties {
  v1::MagicFormulaTyre formula;         ///< with the scaling factors and the pressure in its coefficients
  double radius = 0, nominal_load = 0;  ///< m, N
  double stiffness = 0, damping = 0;    ///< vertical, N/m and N s/m; 0: not in the file
  std::optional<double> rolling_radius, longitudinal_relaxation, lateral_relaxation;  ///< m, at the nominal load
  double rolling_resistance = 0;  ///< over load times rolling radius
  std::string side;               ///< on which it was measured: "left", "right"; empty: the file does not say
  /// Coefficients that the force law of Tactus does not have and that are not zero, as "NAME (line)".
  std::vector<std::string> left_out;
};

/// Why a text is no tyre property file.
struct TyreProblem {
  int line = 0;  ///< 0: the file as a whole
  std::string value, rule, hint;
};

/// Reads a file: sections in brackets, NAME = value with comments behind $ or !, texts in quotes; tables are passed
/// over.
///
/// FITTYP 5, 6, 21, 51 and 52 and the format PAC2002 are the older form of the formula, FITTYP 60, 61 and 62 the newer
/// one. Lengths, forces, masses and times have the units of [UNITS]; the angle must be radians. Scaling factors and the
/// difference of INFLPRES from NOMPRES are multiplied into the coefficients. The relaxation lengths are those of the
/// nominal load, from PTX1, PTY1 and PTY2, or from the stiffnesses of the carcass; the rolling radius is that of BREFF,
/// DREFF and FREFF.
/// @returns none, with the reason in `problem`, if a line cannot be read or the tyre has no forces
/// @source Pacejka, Tire and Vehicle Dynamics, sections 4.3 and 9; MSC, Using the PAC2002 Tire Model
std::optional<TyreProperties> readTyre(std::string_view text, TyreProblem& problem);

/// Puts what the files of Magic Formula tyres say in place of their names; a tyre whose file cannot be read keeps no
/// formula that the rules would accept.
/// @param root    folder of the model file, out of which no file is read
/// @param folder  from which the paths are
/// @returns what is wrong with files; and as warnings what of a file is left out
std::vector<rt::Finding> readTyreFiles(const std::filesystem::path& root, const std::filesystem::path& folder,
                                       v1::Model& model);

/// Fills a tyre from the properties: what the tyre has already stays.
void fillTyre(const TyreProperties& properties, v1::SlipTyre& tyre);

}  // namespace tactus::server
