// The sweep down: motion of the bodies, multipliers of their joints, and what the next solve needs.
#pragma once

#include "rt/ali3p/forest/evaluation.h"

namespace tactus::rt {

/// Applies the solution of a solve to one group, its carriers before it.
template <int Freedoms, Level solved>
TACTUS_INLINE void descendGroup(const ForestContext& context, const LanePlaces& carriers, ForestNode<Freedoms>& node,
                                ForestSums& sums) noexcept {
  ForestBody& b = node.body;
  auto& joint = node.joint;
  const LaneTwist total = b.x;
  if constexpr (Freedoms == kFreeBody) {
    LaneScalar x[6] = {total.linear.x,  total.linear.y,  total.linear.z,
                       total.angular.x, total.angular.y, total.angular.z};
    solveLdlt<6>(joint.pivot, 6, x);
    b.x = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  } else {
    LaneScalar on[6];
    carriers.read(kForestX, on);
    const LaneTwist of_carrier{{on[0], on[1], on[2]}, {on[3], on[4], on[5]}};
    const LaneScalar zero(0);
    LaneThree turn{zero, zero, zero};
    for (int i = 0; i < joint.kNormals; ++i) turn = turn + joint.c[i] * joint.normal[i];
    if constexpr (Freedoms > 0) {
      LaneScalar q[Freedoms];
      std::copy_n(joint.s, Freedoms, q);
      solveLdlt<Freedoms>(joint.pivot, Freedoms, q);
      for (int i = 0; i < Freedoms; ++i) turn = turn + (q[i] - joint.K[i].dot(of_carrier)) * joint.freedom[i];
    }
    // ali3p (47)
    b.x = {threeOf(joint.c_point) + joint.arm.cross(turn) + of_carrier.linear + of_carrier.angular.cross(joint.shift),
           turn + of_carrier.angular};
    if constexpr (solved != Level::kVelocity) {
      // ali3p (48), (23)
      const LaneTwist rest = total - b.M.times(b.x);
      const LaneThree moment = momentAbout(joint.arm, rest);
      const LaneScalar factor(solved == Level::kPosition ? 1.0 / context.scale : 1.0);
      joint.force += factor * vectorOf(rest.linear);
      for (int i = 0; i < joint.kNormals; ++i) joint.multipliers[i] += factor * joint.normal[i].dot(moment);
    }
  }
  const LaneVector translation = vectorOf(b.x.linear), rotation = vectorOf(b.x.angular);
  if constexpr (solved == Level::kPosition) {
    const double h = 2.0 / context.dt;
    b.r += translation;
    b.a += h * h * translation;     // ali3p (2)
    b.p = turnedBy(b.p, rotation);  // ali3p (1)
  } else if constexpr (solved == Level::kVelocity) {
    b.v += translation;  // ali3p (21)
    b.omega += rotation;
  } else {
    b.a += translation;  // ali3p (22)
    b.alpha += rotation;
    return;
  }
  sums.increment = worst(sums.increment, worst(translation.squaredNorm(), context.square * rotation.squaredNorm()));
}

/// One group on the way down, and what the next solve needs of it.
template <int Freedoms, Level solved, Level next>
TACTUS_INLINE void descendAndEvaluate(const ForestContext& context, const ForestElement& element,
                                      const LanePlaces& carriers, ForestNode<Freedoms>& node,
                                      ForestSums& sums) noexcept {
  descendGroup<Freedoms, solved>(context, carriers, node, sums);
  ForestBody& b = node.body;
  if constexpr (solved == Level::kPosition) {
    updateOrientation(context.dt, b);
    if constexpr (next != Level::kPosition) finishPositions(context.dt, b);
  } else if constexpr (solved == Level::kVelocity) {
    b.omega_b = b.R.transpose() * b.omega;
  } else {
    b.alpha_b = b.R.transpose() * b.alpha;
  }
  evaluate<Freedoms, solved, next>(context, element, carriers, node, sums);
}

}  // namespace tactus::rt
