// One element of W segments as lanes: its constants, and the numbers that a step works on. World axes unless said
// otherwise.
#pragma once

#include "rt/math/lanes.h"
#include "rt/math/symmetric3.h"
#include "rt/plan/chain.h"

namespace tactus::rt {

template <int W>
using LaneVector3 = Eigen::Matrix<Lanes<W>, 3, 1>;
template <int W>
using LaneVector4 = Eigen::Matrix<Lanes<W>, 4, 1>;
template <int W>
using LaneMatrix3 = Eigen::Matrix<Lanes<W>, 3, 3>;

/// Constants of one element of each segment. Body axes are here the principal axes, as in ChainElement.
template <int W>
struct LaneElement {
  Lanes<W> mass;
  LaneVector3<W> moments;          ///< principal moments of inertia
  LaneVector3<W> s_left, s_right;  ///< joint points, body axes
  LaneVector4<W> axes;             ///< from these body axes to those of State
  Lanes<W> drag_linear, drag_angular;
  Lanes<W> movable;                ///< 1, or 0 where there is no body
  Lanes<W> joined;                 ///< 1 if there is a joint to the next element of the segment, else 0
  Lanes<W> sign;                   ///< of the multipliers of the joint at the right, in State
  int body[W], row[W];             ///< in State: first number of the body, first row of the joint; -1: none
  int first_action, action_count;  ///< range in ChainLoads
  bool has_bodies, has_rows;       ///< in all lanes
};

/// Rotation of a body, and what follows from it.
template <int W>
struct Posture {
  LaneMatrix3<W> R;
  LaneVector3<W> arm_left, arm_right;  ///< from the center of mass to the joint points
  LaneVector3<W> omega_b, alpha_b;     ///< body axes
};

/// Orientation at the start of the step: p, 2 pd, (8/dt) pd + 2 pdd.
template <int W>
struct StartOrientation {
  LaneVector4<W> p, spin, drift;
};

/// What a step works on at one element of W segments.
template <int W>
struct LaneIterate {
  LaneIterate() noexcept {}  // unspecified until a step has begun

  // Motion, current iterate. Written by predict(), load() and the sweeps down; read by every evaluation.
  LaneVector3<W> r, a;
  LaneVector3<W> v;  ///< while the positions are being solved: v less (dt/2) a
  LaneVector4<W> p;
  union {
    StartOrientation<W> start;  ///< until the positions are solved
    Posture<W> posture;         ///< once the positions are solved
  };
  LaneVector3<W> omega, alpha;  ///< once the positions are solved

  /// Right side: minus the residual of the equations of motion. Written by ChainEvaluation; read by both sweeps.
  LaneVector3<W> force, torque;

  // The tangent as factored. Written by a sweep up that forms it, read by all sweeps.
  Lanes<W> w_mass;
  Symmetric3<Lanes<W>> w_J;  ///< the world inertia between rotateTangent() and the sweep up that forms the tangent
  LaneVector3<W> tangent_left, tangent_right;  ///< the arms it was formed with

  // The joint at the right within the segment. Multipliers act on x_left - x_right.
  LaneVector3<W> lambda;
  /// Minus the right side of the rows. Written by ChainEvaluation; the sweep up adds the motion of its compounds.
  LaneVector3<W> beta;
  LaneVector3<W> own_beta;         ///< beta before a sweep up with TangentUse::kTried
  Symmetric3<Lanes<W>> S_inverse;  ///< with P and Q written by a sweep up that factors, read by all sweeps
  LaneMatrix3<W> P, Q;
};

template <int W>
TACTUS_INLINE LaneVector3<W> broadcast(const Vector3d& v) noexcept {
  return {Lanes<W>(v[0]), Lanes<W>(v[1]), Lanes<W>(v[2])};
}

/// One lane.
template <int W, int Size>
TACTUS_INLINE Eigen::Matrix<double, Size, 1> laneOf(const Eigen::Matrix<Lanes<W>, Size, 1>& v, int lane) noexcept {
  Eigen::Matrix<double, Size, 1> one;
  for (int k = 0; k < Size; ++k) one[k] = v[k][lane];
  return one;
}

template <int W, int Size>
TACTUS_INLINE void setLane(Eigen::Matrix<Lanes<W>, Size, 1>& lanes, int lane,
                           const Eigen::Matrix<double, Size, 1>& value) noexcept {
  for (int k = 0; k < Size; ++k) lanes[k].set(lane, value[k]);
}

}  // namespace tactus::rt
