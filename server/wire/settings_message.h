// Solver settings on the wire: StepSettings has a field of the name of each setting in rt::forEachSetting().
#pragma once

#include "rt/ali3p/settings.h"

#include <tactus/v1/snapshot.pb.h>

namespace tactus::server {

void writeSettings(const rt::Settings& settings, v1::StepSettings& message);
rt::Settings readSettings(const v1::StepSettings& message);

}  // namespace tactus::server
