// Trim: the state and the inputs at which chosen signals have given values and nothing accelerates.
//
//   w' = 0,   m' = 0,   y = y*                                                                    (12)
//
// Gauss-Newton on the linear system, with the smallest change of the state and of the free inputs. At rest z alone
// moves; in a steady motion the rates w follow, too: a vehicle that drives straight on, with wheels that roll.
#pragma once

#include "rt/offline/analysis/linear_system.h"

#include <atomic>
#include <string>
#include <vector>

namespace tactus::rt::offline {

struct TrimOptions {
  std::vector<int> free_inputs;  ///< actuators that may change
  VectorXd wanted;               ///< y*, one value for each output
  bool at_rest = true;           ///< w = 0 is kept
  int max_iterations = 50;
  double time = 0;  ///< s, at which drives are evaluated
  const std::atomic<bool>* interrupt = nullptr;
};

struct Trim {
  State state;
  std::vector<double> input;
  VectorXd output;
  int iterations = 0;
  double residual = 0;  ///< largest of what (12) leaves, in its units
};

/// @param[in] outputs  of (12)
/// @throws Error that names the largest remainder, if there is no solution near the start
Trim findTrim(const Model& model, const State& start, const std::vector<double>& input, const Outputs& outputs,
              const TrimOptions& options);

}  // namespace tactus::rt::offline
