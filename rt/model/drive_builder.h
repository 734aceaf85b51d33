// From the description of a drive to its function.
#pragma once

#include "rt/model/model.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

/// The function of a drive; its actuators are entered by who knows them.
Drive makeDrive(const DriveSpec& spec);

}  // namespace tactus::rt
