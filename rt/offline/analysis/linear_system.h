// The linear system around one state of a mechanism, for the design of controllers, observers and filters:
//
//   x = (z, w, m),   dx' = A dx + B du,   dy = C dx + D du                                        (3)
//
// z are independent coordinates, w their rates, m the internal states of tyres and friction, u the inputs of the
// actuators, y the outputs. A is exact but for the derivatives of the laws of tyres, friction and powertrains; these,
// B, C and D are central differences of the same laws. rt/doc/analysis.md derives the equations.
//
// Away from an equilibrium the motion of the system is x' = rate + A dx + B du for a short time only.
#pragma once

#include "rt/offline/analysis/driven_motion.h"
#include "rt/offline/analysis/linearization.h"

#include <functional>
#include <string>
#include <vector>

namespace tactus::rt::offline {

struct LinearState {
  std::string name, unit;
};

struct LinearSystem {
  std::vector<LinearState> states;  ///< of z, of w, of m
  std::vector<std::string> inputs;  ///< of all actuators, in the order of the model
  int coordinates = 0;              ///< length of z and of w
  VectorXd state, rate;             ///< x and x' at the point
  MatrixXd A, B, C, D;
  VectorXd output;  ///< y at the point
  MatrixXd motion;  ///< displacement of all bodies by z: six rows a body, translation and rotation, world
  std::vector<Coordinate> chosen;    ///< the coordinates z
  int rank = 0, redundant_rows = 0;  ///< of the constraint rows
  DrivenMotion driven;               ///< of the drives at the point
};

/// Linearizes at a consistent State with given inputs.
/// @param[in] state    positions, velocities and internal states; accelerations and multipliers are computed
/// @param[in] input    value of each actuator, held
/// @param[in] outputs  may be empty: no outputs
/// @param[in] turning  of the axes of the states of bodies, rad/s, world: the turning of a trim makes A constant in a
///                     steady turn
/// @param[in] progress  called with the number of states before each column of A and B; may throw
/// @throws Error at a singular pose; what `progress` throws
LinearSystem linearSystem(const Model& model, const State& state, const std::vector<double>& input, double t = 0,
                          const Outputs& outputs = {}, const Vector3d& turning = Vector3d::Zero(),
                          const std::function<void(int)>& progress = {});

/// Leaves the columns of some inputs.
/// @param[in] chosen  indices of actuators, which rise
void keepInputs(const std::vector<int>& chosen, LinearSystem& system);

}  // namespace tactus::rt::offline
