// What stands at one place of W segments: constants, and what moves. World axes unless said otherwise.
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

/// Constants of one place of each segment. Body axes are here those of ChainPlace, the principal ones.
template <int W>
struct LanePlace {
  Lanes<W> mass;
  LaneVector3<W> moments;          ///< of inertia
  LaneVector3<W> s_left, s_right;  ///< joint points, body axes
  LaneVector4<W> axes;             ///< from these body axes to those of State
  Lanes<W> drag_linear, drag_angular;
  Lanes<W> movable;                ///< 1, or 0 where there is no body
  Lanes<W> joined;                 ///< 1 if there is a joint to the next place of the segment, else 0
  Lanes<W> sign;                   ///< of that joint's multipliers in State
  int body[W], row[W];             ///< in State: first number of the body, first row of the joint; -1: none
  int first_action, action_count;  ///< of ChainLoads
  bool has_bodies, has_rows;       ///< in all lanes
};

/// How a body stands and turns.
template <int W>
struct Posture {
  LaneMatrix3<W> R;
  LaneVector3<W> arm_left, arm_right;  ///< from the centre of mass to the joint points
  LaneVector3<W> omega_b, alpha_b;     ///< body axes
};

/// Orientation at the start of the step: p, 2 pd, (8/dt) pd + 2 pdd.
template <int W>
struct StartOrientation {
  LaneVector4<W> p, spin, drift;
};

template <int W>
struct LaneSlot {
  LaneSlot() noexcept {}  // worthless until a step has begun

  // Motion, current iterate.
  LaneVector3<W> r, a;
  LaneVector3<W> v;  ///< while the positions are being solved: without the part of `a`, (dt/2) a
  LaneVector4<W> p;
  union {
    StartOrientation<W> start;  ///< until the positions are solved
    Posture<W> posture;         ///< from then on
  };
  LaneVector3<W> omega, alpha;  ///< from then on

  LaneVector3<W> force, torque;  ///< right side: minus the residual of the equations of motion

  // The tangent as factored.
  Lanes<W> w_mass;
  Symmetric3<Lanes<W>> w_J;  ///< the world inertia, where the tangent has turned but not yet been formed
  LaneVector3<W> tangent_left, tangent_right;  ///< the arms it was formed with

  // The joint at the right within the segment. Multipliers: of x_left - x_right.
  LaneVector3<W> lambda;
  LaneVector3<W> beta;  ///< its gap: minus the right side of its rows; from the sweep up on, that of its compound
  LaneVector3<W> gap;   ///< beta before the sweep up, if that was with Tangent::kTried
  Symmetric3<Lanes<W>> S_inverse;
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

template <int W>
TACTUS_INLINE Symmetric3<double> laneOf(const Symmetric3<Lanes<W>>& m, int lane) noexcept {
  return {m.xx[lane], m.yx[lane], m.zx[lane], m.yy[lane], m.zy[lane], m.zz[lane]};
}

template <int W, int Size>
TACTUS_INLINE void setLane(Eigen::Matrix<Lanes<W>, Size, 1>& lanes, int lane,
                           const Eigen::Matrix<double, Size, 1>& value) noexcept {
  for (int k = 0; k < Size; ++k) lanes[k].set(lane, value[k]);
}

template <int W>
TACTUS_INLINE void setLane(Symmetric3<Lanes<W>>& lanes, int lane, const Matrix3d& m) noexcept {
  lanes.xx.set(lane, m(0, 0));
  lanes.yx.set(lane, m(1, 0));
  lanes.zx.set(lane, m(2, 0));
  lanes.yy.set(lane, m(1, 1));
  lanes.zy.set(lane, m(2, 1));
  lanes.zz.set(lane, m(2, 2));
}

}  // namespace tactus::rt
