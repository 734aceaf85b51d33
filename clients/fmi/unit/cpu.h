// The instruction set that the unit is compiled for.
#pragma once

namespace tactus::fmi {

/// @throws Error on a processor without it
void requireCpu();

}  // namespace tactus::fmi
