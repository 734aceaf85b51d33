// Where in a text each field of a model is.
#pragma once

#include "rt/error.h"

#include <string>
#include <unordered_map>

namespace tactus::server {

class FieldLines {
 public:
  /// @param path "bodies[2].inertia"; empty for the whole model
  void set(const std::string& path, int line) { lines_.emplace(path, line); }

  /// Line of a field; if the text does not hold it, of the nearest element around it.
  int lineOf(std::string path) const;

 private:
  std::unordered_map<std::string, int> lines_;
};

/// True if `path` is `outer` or lies in it.
bool isWithin(const std::string& path, const std::string& outer);

/// Whether a finding is an error at a path, in it or around it.
bool isErrorAt(const rt::Finding& finding, const std::string& path);

}  // namespace tactus::server
