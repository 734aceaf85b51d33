// UnitMap: which variables of a unit stand for which signals and actuators of a session, and when its results are due.
#pragma once

#include "clients/fmi/importer/unit_description.h"
#include "clients/fmi/session/unit_driver.h"
#include "server/session/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::fmi {

struct UnitMap {
  UnitVariables variables;     ///< an input for each of `signals`, an output for each of `actuators`
  std::vector<int> signals;    ///< into the directory of the session
  std::vector<int> actuators;  ///< of the model
  std::int64_t every = 1;      ///< ticks of one step of the unit
  std::int64_t delay = 1;      ///< ticks from the values that a step reads to the tick that uses its result
  bool safe_on_miss = false;   ///< otherwise the actuators hold their values
};

/// Reads a map, JSON.
/// @param[out] findings  everything that is wrong: file, key, rule and hint
UnitMap readUnitMap(const std::string& path, const UnitDescription& unit, const server::Session& session,
                    std::vector<std::string>& findings);

}  // namespace tactus::fmi
