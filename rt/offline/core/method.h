// Method: what a school offers under a name, with its options and a function that starts it.
#pragma once

#include "rt/offline/core/dynamic_system.h"
#include "rt/offline/core/option.h"
#include "rt/offline/core/stepper.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tactus::rt::offline {

/// Starts a method at a point. The system must outlive the stepper.
/// @throws Error with the reason if the method cannot treat the system
using MakeStepper =
    std::function<std::unique_ptr<Stepper>(const DynamicSystem&, const MotionPoint& start, const OptionValues&)>;

struct Method {
  std::string name;       ///< "newmark-tangent"
  std::string summary;    ///< one line
  int order;              ///< nominal order, on ordinary differential equations and in minimal coordinates
  std::string index_3;    ///< orders of position, velocity and multiplier on the constrained equations
  std::string stability;  ///< one line
  std::vector<Option> options;
  MakeStepper make;
  std::string family = {};  ///< the family of its school
};

/// Methods with one origin. Each school has a folder; its methods.cpp holds the table of its methods.
struct School {
  std::string family;  ///< paper or library that the methods come from
  std::vector<Method> methods;
};

/// A MakeStepper for steppers that are constructed from the system, the start and one value for each function in
/// `chosen`, each called with the values of the options.
template <class S, class... Chosen>
MakeStepper makes(Chosen... chosen) {
  return [=](const DynamicSystem& system, const MotionPoint& start, const OptionValues& options) {
    return std::make_unique<S>(system, start, chosen(options)...);
  };
}

}  // namespace tactus::rt::offline
