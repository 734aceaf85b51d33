// The frequency response of a linear system: what its outputs answer to harmonic inputs.
//
//   G(i omega) = C (i omega - A)^-1 B + D                                                         (12)
#pragma once

#include "rt/offline/analysis/linear_system.h"

#include <complex>
#include <functional>
#include <vector>

namespace tactus::rt::offline {

/// G at each frequency, outputs x inputs. Work rises with the cube of the number of states and with the frequencies.
/// @param[in] omega  rad/s; where i omega is an eigenvalue of A, the response is not finite
/// @param[in] progress  called before each frequency; may throw
std::vector<Eigen::MatrixXcd> frequencyResponse(const LinearSystem& system, const std::vector<double>& omega,
                                                const std::function<void()>& progress = {});

}  // namespace tactus::rt::offline
