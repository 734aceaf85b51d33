// How many threads share a step, for those who asked for more than one.
#pragma once

#include <fmt/format.h>

#include <string>

namespace tactus::server {

/// "2", or "1 of 2: the steps of this model have no work for more".
inline std::string sharedThreads(int sharing, int asked) {
  if (sharing >= asked) return fmt::format("{}", sharing);
  return fmt::format("{} of {}: the steps of this model have no work for more", sharing, asked);
}

}  // namespace tactus::server
