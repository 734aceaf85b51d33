// The one concept of rt/offline: a model, a method by name and its options in; a Trajectory out.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "rt/offline/equations_of_motion.h"
#include "rt/offline/option.h"
#include "rt/offline/stepper.h"
#include "rt/offline/trajectory.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tactus::rt::offline {

/// A method: what it is, what can be set, and how to put it to work.
struct Method {
  std::string name;     ///< "newmark-tangent"
  std::string family;   ///< which paper or school it comes from
  std::string summary;  ///< one line
  int order = 0;        ///< nominal, on ordinary differential equations and in minimal coordinates
  std::string index_3;  ///< orders of position, velocity and multiplier on the constrained equations
  std::string stability;
  std::vector<Option> options;
  /// @throws Error if the method cannot treat the system, and why
  std::function<std::unique_ptr<Stepper>(const DynamicSystem&, const MotionPoint& start, const OptionValues&)> make;
};

/// All methods, family by family.
const std::vector<Method>& methods();

/// @throws Error naming the nearest known method
const Method& findMethod(const std::string& name);

/// What is to be integrated.
struct Problem {
  const Model& model;
  State start;                ///< consistent, as initialState() gives it for the input at 0; its tick is not looked at
  InputSignal input;          ///< none: every actuator keeps its declared value
  double step = 1e-3;         ///< s; the longest one of a method that chooses its steps
  double until = 1;           ///< s
  std::vector<double> times;  ///< s, rising, the only ones to be kept besides the start; none: every step
  const std::atomic<bool>* interrupt = nullptr;  ///< looked at after each step
  std::function<void(double t)> progress;        ///< called after each step, if set
};

/// Runs a method over a problem. A run that fails midway returns what it has and says when, where and why.
/// @param[in] settings  KEY=VALUE, see Method::options
/// @throws Error before the first step: an unknown method or option, a step that does not divide the horizon or the
///         times, a model that the method cannot treat
Trajectory integrate(const Problem& problem, const std::string& method, const std::vector<std::string>& settings = {});

}  // namespace tactus::rt::offline
