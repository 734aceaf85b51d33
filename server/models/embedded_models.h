// The model files that are compiled into the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

struct EmbeddedModel {
  std::string name;
  std::string_view json;
};

/// Defined in a file that the build writes; in the order of names.
const std::vector<EmbeddedModel>& embeddedModels();

}  // namespace tactus::server
