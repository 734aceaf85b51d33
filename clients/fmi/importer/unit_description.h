// UnitDescription: what modelDescription.xml of an FMU of anybody says, and which rules of the standard it breaks.
#pragma once

#include "clients/fmi/importer/unit_exponents.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::fmi {

/// One thing that is wrong with a unit.
struct UnitFinding {
  bool is_error = true;  ///< otherwise a warning
  std::string text;      ///< where, what, and what must hold
};

struct UnitVariable {
  std::string name;
  std::string type;  ///< "Real" of FMI 2.0 is "Float64"
  std::uint32_t reference = 0;
  std::string causality, variability;
  std::optional<double> minimum, maximum, start;  ///< of numbers
  bool has_start = false, is_array = false;
  bool in_updates = false;  ///< FMI 3.0: an importer may name and read it in intermediate updates
  std::string unit;
  std::int64_t line = 0;

  bool isScalarNumber() const { return type == "Float64" && !is_array; }
};

/// What the description says of a unit of measurement: value in base units = factor * value + offset.
struct MeasuringUnit {
  std::optional<UnitExponents> exponents;
  double factor = 1, offset = 0;
};

struct UnitDescription {
  int version = 0;  ///< 2 or 3
  std::string version_text, name, token, tool;
  std::string identifier;  ///< of the co-simulation; empty if there is none
  bool saves_states = false, serializes_states = false, once_per_process = false, variable_step = false;
  bool updates_between_steps = false, returns_early = false;  ///< FMI 3.0
  double start_time = 0;
  std::optional<double> step, internal_step;  ///< s, as the unit recommends
  std::vector<UnitVariable> variables;
  std::map<std::string, MeasuringUnit> units;  ///< by name
  std::vector<std::string> log_categories;

  const UnitVariable* find(const std::string& wanted) const;
  /// Where the shared object for this machine must be, below the folder of the unit.
  std::string binary() const;
};

/// Reads a description. A document type, and with it every entity, is refused.
/// @param[out] findings  rules that the description breaks
/// @throws Error with the line, for a file that is no XML or no description of FMI 2.0 or 3.0
UnitDescription readDescription(const std::string& path, std::vector<UnitFinding>& findings);

}  // namespace tactus::fmi
