// Derivatives of the outputs of a unit by its inputs and, in its initial state, by its parameters.
#pragma once

#include "clients/engine/engine.h"
#include "rt/signals/signal_reader.h"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace tactus::fmi {

/// At the communication point: the outputs by the inputs, with the states held. It is D of the linear system of the
/// mechanism in continuous time at the state of the unit, as `tactus analyse linearize` has it: an acceleration or a
/// force answers an input at once, a position or a velocity does not. What an input moves over a step is not in it.
/// @param[in] indices  of the outputs, in the signals of the engine
/// @returns one row for each output, one column for each actuator
/// @throws Error at a singular pose
Eigen::MatrixXd outputsByInputs(const engine::Engine& engine, const std::vector<int>& indices);

/// In the initial state: the outputs by one parameter, by central differences of initial states, or by one-sided ones
/// of second order where the parameter stands at a limit of its own or of the field that it sets.
/// @param[in] parameter  its place in the parameters of the model
/// @throws Error if there are no initial states at either side of this one
Eigen::VectorXd initialOutputsByParameter(const engine::Engine& engine, const std::vector<int>& indices,
                                          std::size_t parameter);

}  // namespace tactus::fmi
