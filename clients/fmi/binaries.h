// The shared objects of units, which the program carries in itself.
#pragma once

#include <string_view>

namespace tactus::fmi {

/// The bytes of the shared object for FMI 2 or 3.
std::string_view unitBinary(int version);

}  // namespace tactus::fmi
