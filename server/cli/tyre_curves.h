// The steady forces of a tyre as functions of its slip.
#pragma once

#include <string>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// CSV: load (N); slip, as ratio or as tangent of the slip angle; the longitudinal force of the ratio alone, the
/// lateral force (N) and the aligning moment (N m) of the angle alone, and both forces together at equal ratio and
/// tangent; at half, full and one and a half times the nominal load.
/// @throws Error naming the nearest tyre if the model has none of this name
std::string tyreCurves(const rt::Model& model, const std::string& tyre);

}  // namespace tactus::server
