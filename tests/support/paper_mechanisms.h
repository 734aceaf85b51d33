// Mechanisms of the papers' experiments: with springs, dampers and torques, or of few freedoms in space. Those of
// [DCA3] are in mechanisms.h. Every initial state satisfies the constraints.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::tests {

/// [RN], [TAN]: planar double pendulum, bodies body_1 and body_2, with stiff rotational spring-dampers about joint_1
/// (400 N m/rad) and joint_2 (3e5 N m/rad, 5e4 N m s/rad). Angles as in the paper: joint_1 begins at 2 pi, joint_2 at
/// -pi/12. The inertias 1.0 and 0.225 kg m^2 are those of uniform rods; the paper does not give them.
rt::ModelSpec stiffDoublePendulum();

/// [TAN], [MSE]: Andrews' squeezing mechanism, seven bodies in a plane, ten hinges, nine rows too many, one freedom.
/// The joint "crank" (ground, OF) has the angle beta and a torque of 0.033 N m; no gravity; at rest.
rt::ModelSpec squeezer();

/// [TAN]: three bars on ground joined by two, upright, their heads moving at 1 m/s.
rt::ModelSpec doubleFourBar();

/// [TAN]: five slender rods and six hinges between two points of ground, axes y, z, x, y, z, x; at rest. One freedom
/// and one redundant row.
rt::ModelSpec publishedBricard();

/// [MCS]: spatial slider-crank of the multibody benchmarks; joint "crank" has the angle theta, body "slider" moves
/// along x.
rt::ModelSpec spatialSliderCrank();

/// [MCS]: a point mass of 1 kg on a line of 0.08 m, thrown sideways at 0.7895 m/s. The body "mass" does not turn.
rt::ModelSpec spatialPendulum();

/// [MCS]: a top of 30 kg whose tip keeps a distance of 1 m from the origin. The paper's initial state breaks the
/// constraint; this is the nearest one that does not.
rt::ModelSpec spinTop();

}  // namespace tactus::tests
