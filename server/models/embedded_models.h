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

/// Sorted by name; defined in a source that embed_models.cmake writes.
const std::vector<EmbeddedModel>& embeddedModels();

}  // namespace tactus::server
