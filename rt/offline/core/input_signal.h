// InputSignal: the values of the actuators over time.
#pragma once

#include <functional>
#include <span>

namespace tactus::rt {
struct Model;
}

namespace tactus::rt::offline {

/// Values of the actuators (N, N m; m, rad and their rates for drives) at a time, s; `values` has one element for each
/// actuator.
using InputSignal = std::function<void(double t, std::span<double> values)>;

/// The input that holds every actuator at the value that the model declares.
InputSignal declaredInput(const Model& model);

}  // namespace tactus::rt::offline
