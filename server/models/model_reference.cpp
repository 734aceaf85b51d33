#include "server/models/model_reference.h"

#include "rt/error.h"

#include <sstream>

namespace tactus::server {

ModelReference parseModelReference(const std::string& text) {
  const std::size_t colon = text.find(':');
  ModelReference reference{text.substr(0, colon), {}};
  if (colon == std::string::npos) return reference;

  const auto malformed = [&](const std::string& part) {
    return Error("\"" + part + "\" in \"" + text +
                 "\" is not a parameter: parameters are written name:key=value,key=value");
  };
  const std::string list = text.substr(colon + 1);
  if (list.empty() || list.back() == ',') throw malformed("");
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) throw malformed(part);
    const std::string key = part.substr(0, equals);
    for (const auto& [known, value] : reference.parameters)
      if (known == key) throw Error("\"" + text + "\" gives the parameter " + key + " twice");
    reference.parameters.emplace_back(key, part.substr(equals + 1));
  }
  return reference;
}

}  // namespace tactus::server
