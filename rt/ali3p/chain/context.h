// What the kernels of a chain take as input while a step runs.
#pragma once

#include "rt/ali3p/chain/workspace.h"
#include "rt/ali3p/level.h"
#include "rt/ali3p/settings.h"
#include "rt/plan/chain.h"

#include <span>

namespace tactus::rt {

/// Constants of one step, and the scratch of all threads.
struct ChainContext {
  const Model& model;
  const Vector3d& gravity;  ///< of the Model, world, m/s^2
  double length;            ///< typical size of the mechanism, m
  const Chain& chain;
  const Settings& settings;
  double dt;          ///< length of the step, s
  double scale;       ///< dt^2 / 4
  double least_gain;  ///< leastInertiaGain()
  std::span<const double> input;
  ChainWorkspace& ws;
};

}  // namespace tactus::rt
