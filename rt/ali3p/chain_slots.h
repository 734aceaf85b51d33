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

/// Constants of one place of each segment.
template <int W>
struct LanePlace {
  Lanes<W> mass;
  Symmetric3<Lanes<W>> inertia;    ///< body axes
  LaneVector3<W> s_left, s_right;  ///< joint points, body axes
  Lanes<W> drag_linear, drag_angular;
  Lanes<W> movable;  ///< 1, or 0 where there is no body
  Lanes<W> joined;   ///< 1 if there is a joint to the next place of the segment, else 0
  Lanes<W> sign;     ///< of that joint's multipliers in State
  int body[W], row[W];
};

template <int W>
struct LaneSlot {
  // Motion, current iterate.
  LaneVector3<W> r, v, a;
  LaneVector3<W> omega, alpha;      ///< once the positions are solved
  LaneVector3<W> omega_b, alpha_b;  ///< body axes
  LaneVector4<W> p;
  LaneMatrix3<W> R;
  LaneVector3<W> arm_left, arm_right;     ///< from the centre of mass to the joint points
  LaneVector4<W> p_prev, pd_prev, drift;  ///< at the start of the step; drift = (4/dt) pd + pdd

  LaneVector3<W> force, torque;  ///< right side: minus the residual of the equations of motion

  // The tangent as factored.
  Lanes<W> w_mass;
  Symmetric3<Lanes<W>> w_J;
  LaneVector3<W> tangent_left, tangent_right;  ///< the arms it was formed with

  // The joint at the right within the segment. Multipliers: of x_left - x_right.
  LaneVector3<W> lambda;
  LaneVector3<W> gap;   ///< minus the right side of its rows
  LaneVector3<W> beta;  ///< right side of its compound
  Lanes<W> epsilon;
  Symmetric3<Lanes<W>> S_inverse;
  LaneMatrix3<W> P, Q;
};

template <int W>
TACTUS_INLINE LaneVector3<W> broadcast(const Vector3d& v) noexcept {
  return {Lanes<W>(v[0]), Lanes<W>(v[1]), Lanes<W>(v[2])};
}

/// One lane.
template <int W>
TACTUS_INLINE Vector3d laneOf(const LaneVector3<W>& v, int lane) noexcept {
  return {v[0][lane], v[1][lane], v[2][lane]};
}

template <int W>
TACTUS_INLINE Symmetric3<double> laneOf(const Symmetric3<Lanes<W>>& m, int lane) noexcept {
  return {m.xx[lane], m.yx[lane], m.zx[lane], m.yy[lane], m.zy[lane], m.zz[lane]};
}

template <int W>
TACTUS_INLINE void setLane(LaneVector3<W>& lanes, int lane, const Vector3d& value) noexcept {
  for (int k = 0; k < 3; ++k) lanes[k].set(lane, value[k]);
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
