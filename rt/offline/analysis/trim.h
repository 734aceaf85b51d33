// Trim: the inputs and the state at which chosen signals have given values and nothing changes but the place.
//
//   u = U(q) p,   S (ud - Omega x u) = 0,   (m - m_0(q))' = 0,   y = y*                           (15)
//
// p are the speeds of the steady motions (steady_motions.h): none at rest; a vehicle goes along its road, turns about
// the normal and rolls on its wheels. Its height, its attitude and whatever does not spin are then constant. m_0 are
// the internal states without load; those of a sliding friction go on. Gauss-Newton with the smallest change of the
// unknowns, begun without slip; where it fails, y goes to y* in steps.
#pragma once

#include "rt/offline/analysis/linearization.h"

#include <atomic>
#include <string>
#include <vector>

namespace tactus::rt::offline {

struct TrimOptions {
  std::vector<int> free_inputs;    ///< actuators that may change
  VectorXd wanted;                 ///< y*, one value for each output
  std::vector<std::string> names;  ///< of the outputs with their units, "speed (m/s)", for errors; may be empty
  bool at_rest = true;             ///< p = 0 is kept
  int max_iterations = 50;         ///< of one step from y to y*
  double time = 0;                 ///< s, at which drives are evaluated
  const std::atomic<bool>* interrupt = nullptr;
};

struct Trim {
  State state;
  std::vector<double> input;
  VectorXd output;
  int iterations = 0;                   ///< of all steps
  int steps = 0;                        ///< from y to y*
  double residual = 0;                  ///< largest of what (15) leaves, in its units
  int steady_motions = 0;               ///< length of p
  Vector3d turning = Vector3d::Zero();  ///< Omega, rad/s, world
};

/// @param[in] start    where the loads have settled; its velocities begin a moving trim
/// @param[in] outputs  of (15); those of a moving trim must not change with the place
/// @throws Error that names the largest remainder, if there is no solution near the start; Error that names the first
///         body that accelerates, if the surroundings change along the motion that was found; Error that names a drive
///         which changes its rate, or moves while the mechanism is to rest; Interrupted
Trim findTrim(const Model& model, const State& start, const std::vector<double>& input, const Outputs& outputs,
              const TrimOptions& options);

}  // namespace tactus::rt::offline
