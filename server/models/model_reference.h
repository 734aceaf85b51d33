// The name of a built-in model with its parameters: "chain:n=8".
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tactus::server {

struct ModelReference {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< key and value as written, in their order
};

/// @throws Error if the text is not name[:key=value[,key=value]...], or if a key occurs twice
ModelReference parseModelReference(const std::string& text);

}  // namespace tactus::server
