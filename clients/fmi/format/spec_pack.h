// A ModelSpec as bytes and back, by the fields of its parts: what a unit of FMI reads in place of a model file. Both
// sides are of one build of Tactus, so that the bytes need no names.
#pragma once

#include "rt/model/model_spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::fmi {

struct PackedSpec {
  std::string bytes;
  std::vector<std::size_t> numbers;  ///< where in `bytes` the numbers are, 8 bytes each
};

/// Everything that a spec says, with the values of its parameters.
PackedSpec packSpec(const rt::ModelSpec& spec);

/// The spec of these bytes.
/// @throws Error if they end early or late, or name what no field has
rt::ModelSpec unpackSpec(std::string_view bytes);

}  // namespace tactus::fmi
