// The sweep up: loads of the bodies and, with a new tangent, their inertias, from what they carry to their carriers.
#pragma once

#include "rt/ali3p/forest/evaluation.h"
#include "rt/ali3p/inertia_gain.h"
#include "rt/ali3p/stiffness_limit_lanes.h"

namespace tactus::rt {

/// What force elements add to the inertias of four bodies.
struct ForestAdded {
  LaneScalar mass;
  Symmetric3<LaneScalar> inertia;  ///< world axes

  /// Gives one lane the numbers of another one.
  void repeat(int from, int lane) noexcept {
    mass.set(lane, mass[from]);
    setLane<ForestGroup::kLanes>(inertia, lane, laneOf<ForestGroup::kLanes>(inertia, from).full());
  }
};

/// What a group meets on the way up.
struct ForestClimb {
  const LanePlaces* children;  ///< ForestPassed of each child
  int child_count;
  const ForestAdded* added;  ///< or none
  bool on_ground;            ///< nothing is passed on
  ForestPassed& passed;
};

/// Geometric stiffness of the joints of a group on the side of the carried bodies, or on that of the carriers.
template <int Freedoms>
TACTUS_INLINE Symmetric3<LaneScalar> stiffnessOf(const ForestJoint<Freedoms>& joint, bool of_carrier) noexcept {
  const LaneVector& arm = of_carrier ? joint.carrier_arm : joint.own_arm;
  LaneMatrix K = rotationalStiffness<LaneScalar>(arm, of_carrier ? LaneVector(-joint.force) : joint.force);
  for (int i = 0; i < joint.kNormals; ++i) {
    const LaneVector &a = of_carrier ? joint.carrier_direction[i] : joint.own_direction[i],
                     &b = of_carrier ? joint.own_direction[i] : joint.carrier_direction[i];
    K += rotationalStiffness<LaneScalar>(a, b * joint.multipliers[i]);
  }
  return Symmetric3<LaneScalar>::lowerOf(K);
}

/// Adds the tangent of four bodies to what their children have left in M: masses, and the inertias with the stiffness
/// of all joints of the bodies.
/// @param K  of the children; then of the joints of the group as well
/// @param is_moving  the positions are being solved
template <int Freedoms>
TACTUS_INLINE void addTangent(const ForestContext& context, const ForestElement& element, const ForestAdded* added,
                              bool is_moving, Symmetric3<LaneScalar> K, ForestNode<Freedoms>& node,
                              Symmetric6<LaneScalar>& M, ForestSums& sums) noexcept {
  const ForestBody& b = node.body;
  if constexpr (Freedoms != kFreeBody) K += stiffnessOf(node.joint, false);
  Symmetric3<LaneScalar> J = rotated(b.R, element.inertia);
  if (is_moving) {
    const LaneScalar gain = inertiaGain<LaneScalar>(context.dt, context.least_gain, b.p, b.p_start, b.drift);
    J = (LaneScalar(1) + gain) * J;
    sums.gain = worst(gain, sums.gain);
  }
  K = LaneScalar(context.scale) * K;     // ali3p (10)
  Symmetric3<LaneScalar> J_hat = J + K;  // ali3p (9)
  double limited[ForestGroup::kLanes] = {};
  limit<ForestGroup::kLanes>(J, K, J_hat, limited);
  for (int lane = 0; lane < ForestGroup::kLanes; ++lane) sums.limited += limited[lane] * element.counts[lane];
  LaneScalar mass = element.mass;
  if (added) {
    mass += added->mass;
    J_hat += added->inertia;
  }
  for (int k = 0; k < 3; ++k) M.at(k, k) += mass;
  M.at(3, 3) += J_hat.xx;
  M.at(4, 3) += J_hat.yx;
  M.at(5, 3) += J_hat.zx;
  M.at(4, 4) += J_hat.yy;
  M.at(5, 4) += J_hat.zy;
  M.at(5, 5) += J_hat.zz;
}

/// Eliminates four bodies with the rows of their joints.
template <int Freedoms>
TACTUS_INLINE void eliminate(const ForestClimb& climb, const Symmetric6<LaneScalar>& M, ForestNode<Freedoms>& node,
                             ForestSums& sums) noexcept {
  auto& joint = node.joint;
  CarriedArms<LaneScalar> arms;
  arms.sign = LaneScalar(1);  // in these rows the carried body comes first
  for (int k = 0; k < 3; ++k) {
    arms.own[k] = joint.own_arm[k];
    arms.other[k] = joint.carrier_arm[k];
  }
  for (int i = 0; i < joint.kNormals; ++i) {
    const LaneVector normal = joint.own_direction[i].cross(joint.carrier_direction[i]);
    for (int k = 0; k < 3; ++k) arms.normal[i][k] = normal[k];
  }
  FreedomGeometry<LaneScalar, Freedoms> geometry;
  geometry.form(arms);
  FreedomElimination<LaneScalar, Freedoms> body;
  body.eliminate(geometry, M);  // ali3p (43)
  sums.least = minimum(sums.least, body.least);
  joint.arm = geometry.arm;
  joint.shift = geometry.shift;
  for (int i = 0; i < joint.kNormals; ++i) joint.normal[i] = geometry.normal[i];
  for (int i = 0; i < Freedoms; ++i) {
    joint.freedom[i] = geometry.freedom[i];
    for (int j = i; j < Freedoms; ++j) joint.pivot[i * joint.kSize + j] = body.pivot[i * joint.kSize + j];
    joint.K[i] = passDown(geometry.shift, body.K[i]);  // ali3p (44)
  }
  if (climb.on_ground) return;
  climb.passed.inertia = atCarrier(geometry.shift, body.N);  // ali3p (44)
  climb.passed.stiffness = stiffnessOf(joint, true);
}

/// One group on the way up, its children before it.
/// @tparam factors      forms the tangent and factors it
/// @tparam with_bodies  the bodies have a right side; else only the rows have one
template <int Freedoms, bool factors, bool with_bodies>
TACTUS_INLINE void climbGroup(const ForestContext& context, const ForestElement& element, const ForestClimb& climb,
                              bool is_moving, ForestNode<Freedoms>& node, ForestSums& sums) noexcept {
  constexpr int kLoad = 6, kInertia = Symmetric6<LaneScalar>::kNumbers, kAll = kLoad + kInertia + 6;
  static_assert(sizeof(ForestPassed) == kAll * sizeof(LaneScalar));
  ForestBody& b = node.body;
  const LaneScalar zero(0);
  LaneTwist total = with_bodies ? b.load : LaneTwist{{zero, zero, zero}, {zero, zero, zero}};
  const auto addLoad = [&total](const LaneScalar* n) noexcept {
    total = total + LaneTwist{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  };
  if constexpr (factors) {
    LaneScalar left[kInertia + 6];  // by the children: inertia, stiffness
    for (LaneScalar& number : left) number = zero;
    for (int i = 0; i < climb.child_count; ++i) {
      LaneScalar n[kAll];
      climb.children[i].read(0, n);
      addLoad(n);
      for (int k = 0; k < kInertia + 6; ++k) left[k] += n[kLoad + k];
    }
    Symmetric6<LaneScalar> M;
    std::copy_n(left, kInertia, M.numbers);
    const LaneScalar* of_joints = left + kInertia;
    addTangent(
        context, element, climb.added, is_moving,
        Symmetric3<LaneScalar>{of_joints[0], of_joints[1], of_joints[2], of_joints[3], of_joints[4], of_joints[5]},
        node, M, sums);
    b.M = M;
    if constexpr (Freedoms == kFreeBody) {
      for (int c = 0; c < 6; ++c)
        for (int r = c; r < 6; ++r) node.joint.pivot[6 * c + r] = M.at(r, c);
      sums.least = minimum(sums.least, factorLdlt<6>(node.joint.pivot, 6));
    } else {
      eliminate(climb, M, node, sums);
    }
  } else {
    for (int i = 0; i < climb.child_count; ++i) {
      LaneScalar n[kLoad];
      climb.children[i].read(0, n);
      addLoad(n);
    }
  }
  b.x = total;
  if constexpr (Freedoms != kFreeBody) {
    auto& joint = node.joint;
    const LaneThree arm = joint.arm;
    LaneThree turn{zero, zero, zero};
    for (int i = 0; i < joint.kNormals; ++i) turn = turn + joint.c[i] * joint.normal[i];
    const LaneTwist w{threeOf(joint.c_point) + arm.cross(turn), turn};  // ali3p (42)
    const LaneTwist f = total - b.M.times(w);                           // ali3p (46)
    const LaneThree moment = momentAbout(arm, f);
    for (int i = 0; i < Freedoms; ++i) joint.s[i] = joint.freedom[i].dot(moment);
    if (climb.on_ground) return;
    LaneTwist down = passDown(joint.shift, f);
    for (int i = 0; i < Freedoms; ++i) down = down - joint.s[i] * joint.K[i];  // ali3p (46)
    climb.passed.load = with_bodies ? b.reaction + down : down;
  }
}

}  // namespace tactus::rt
