// A method as a word of the command line.
#pragma once

#include "rt/offline/integrator.h"

#include <sstream>
#include <string>
#include <vector>

namespace tactus::server {

/// Methods that factor dense matrices take minutes for a step of more bodies.
inline constexpr int kMaxDenseBodies = 64;

/// The parts of "NAME:KEY=VALUE:KEY=VALUE".
struct Choice {
  std::string method;
  std::vector<std::string> settings;
};

inline Choice choiceOf(const std::string& text) {
  std::istringstream parts(text);
  Choice choice;
  std::getline(parts, choice.method, ':');
  for (std::string setting; std::getline(parts, setting, ':');) choice.settings.push_back(setting);
  return choice;
}

/// Whether a method factors dense matrices of all coordinates.
inline bool isDense(const std::string& method) {
  const std::string& family = rt::offline::findMethod(method).family;
  return family == "minimal coordinates" || family == "Rosenbrock-Nystrom" || family == "SUNDIALS" ||
         method == "newmark-tangent" || method == "newmark-classic" || method == "central-difference";
}

}  // namespace tactus::server
