// The words for a flag where people write settings: KEY=true.
#pragma once

#include "rt/word.h"

namespace tactus::rt {

/// "1" and "0" are the values of flags in requests and snapshots.
inline constexpr Word<bool> kFlagWords[] = {{true, "true"}, {false, "false"}, {true, "1"}, {false, "0"}};

}  // namespace tactus::rt
