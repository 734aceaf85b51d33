// The references of a comparison: two independent methods on one model.
//
// Both use the elements of rt/mechanics: laws of springs, tyres and joints, inertia, and the Jacobians of constraints.
// They share neither coordinates nor formulas of integration with each other or with the real-time solver. Hence their
// agreement says nothing about a wrong law of an element; tests compare those with published values.
#pragma once

#include "rt/offline/integrator.h"
#include "rt/state/actuator_input.h"
#include "server/batch/measure.h"
#include "server/batch/method_start.h"
#include "server/batch/stage_clock.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// One method and its settings; some run twice, with an extrapolation of the two.
struct ReferenceMethod {
  std::string method;
  std::vector<std::string> settings;
  double error_order = 0;  ///< above 0: extrapolated from two steps, of which the second is half the first
  double division = 0;     ///< of the real-time solver's step: the shorter one of them
  std::string text;        ///< for reports
};

/// The references for a model, in the order of their execution: two, and a third for what one of them does not reach.
/// Minimal coordinates factor dense matrices, so that larger models have other references, whose work rises with the
/// number of bodies. Explicit methods resolve every vibration, so that stiff models have implicit ones.
/// @param[in] step  s, of the real-time solver
std::vector<ReferenceMethod> referencesFor(const rt::Model& model, double step);

/// What a reference came to.
struct Reference {
  std::string text;
  Series series;       ///< the start first
  double covered = 0;  ///< s
  bool extrapolated = false;
  bool interrupted = false;
  std::string failure;
  double wall_seconds = 0;
  std::int64_t steps = 0;
};

/// The motion that all methods of a comparison compute.
struct Motion {
  const rt::Model& model;
  MethodStart solver;         ///< of the real-time solver
  MethodStart others;         ///< of the references and all other methods
  bool begins_anew = false;   ///< whether the first input differs from the initial values of the actuators
  std::vector<double> jumps;  ///< s, where the input jumps after that, before the end
  double step = 1e-3;         ///< s, of the real-time solver
  std::vector<double> times;  ///< s, of the samples

  const MethodStart& startOf(const std::string& method) const { return method == kStepOfTheServer ? solver : others; }
};

/// The times of at most 500 samples, fewer for large models; the last one is the end.
/// @throws Error if the end is no whole number of steps
std::vector<double> sampleTimes(const rt::Model& model, std::int64_t step_ns, std::int64_t until_ns);

/// @throws Error if the start cannot be assembled
Motion motionOf(const rt::Model& model, const std::string& initial_condition,
                const std::vector<rt::ScriptedInput>& script, std::int64_t step_ns, std::vector<double> times);

/// Whether the laws of a model have kinks before a time, s, where no method has more than order 1: their list, or "".
std::string kinksOf(const rt::Model& model, double until);

/// @param[in] seconds   after which the reference ends, with the samples so far
/// @param[in] progress  called after each step
/// @throws Error if the method cannot treat the model
Reference makeReference(const Motion& motion, const ReferenceMethod& method, SeriesReader& reader, StageClock& clock,
                        double seconds, const std::function<void(double t)>& progress);

/// How many references come to a time, s.
std::ptrdiff_t completeOnes(const std::vector<Reference>& references, double until);

/// The reference that comes farthest; of two that come as far, one that controls its error. Null: none has a sample.
const Reference* farthest(const std::vector<Reference>& references);

}  // namespace tactus::server
