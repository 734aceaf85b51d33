// A setting of the solver as people write it: "full_newton=true".
#pragma once

#include "rt/ali3p/settings.h"

#include <string>

namespace tactus::server {

/// The parts of "NAME=VALUE". A flag is true, false, 1 or 0, every other setting a number; what the name and the range
/// allow, changeSetting() says.
/// @throws Error if there is no name, or if the value is none of these
rt::SettingChange parseSolverSetting(const std::string& word);

}  // namespace tactus::server
