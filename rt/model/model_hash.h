#pragma once

#include "rt/model/model.h"

#include <cstdint>

namespace tactus::rt {

/// FNV-1a (64 bit) over every number and name that decides a trajectory or how it is addressed.
/// Descriptions and sensors do not count.
std::uint64_t hashModel(const Model& model);

}  // namespace tactus::rt
