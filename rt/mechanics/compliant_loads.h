// What springs, dampers and bushings put on the bodies, and its derivatives: a joint with a compliant law taken as a
// force, H^T lambda with lambda from the law. The tick keeps such rows in its linear system instead.
#pragma once

#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/row_derivatives.h"

#include <vector>

namespace tactus::rt {

/// Adds the load -H^T lambda of one compliant joint to its bodies and writes its multipliers.
/// @param[in] displacements  of State: what angles continue
/// @param[in] input        value of each actuator
/// @param[out] lambda  joint.row_count values, as the law gives them
/// @returns the power that it dissipates and that it brings in
/// @rt no allocation, no throw, bounded work
ElementPower addCompliantLoad(const Model& model, const Joint& joint, const BodyMotion* motions,
                              const double* displacements, const double* input, double* lambda, Load* loads) noexcept;

/// Derivatives of H^T lambda of one compliant joint between two bodies, by the position and by the velocity of its two
/// bodies; columns as in row_derivatives.h.
struct CompliantDerivatives {
  Matrix12d by_position, by_velocity;
};

/// Of laws that are not linear, with their slopes at the motion; of tyres with what the road brings in as they move
/// along.
/// @source product rule: d(H^T) lambda + H^T (K H + C d(H u)),  H^T C H, and H^T d(lambda) along the road
CompliantDerivatives differentiateCompliantLoad(const Model& model, const Joint& joint, const BodyMotion* motions,
                                                const double* displacements, const double* input) noexcept;

/// The same of a compliant row with terms, over all its bodies: blocks that add up.
/// @source the same product rule, the row being the sum of its terms
std::vector<BodyLoadDerivative> differentiateCompliantCoupler(const Model& model, const Joint& joint,
                                                              const BodyMotion* motions, const double* displacements,
                                                              const double* input);

}  // namespace tactus::rt
