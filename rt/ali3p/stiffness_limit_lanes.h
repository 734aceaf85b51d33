// The limit of the geometric stiffness of several bodies beside each other.
#pragma once

#include "rt/ali3p/stiffness_limit.h"
#include "rt/math/lanes.h"
#include "rt/math/symmetric3.h"

namespace tactus::rt {

/// One lane.
template <int W>
TACTUS_INLINE Symmetric3<double> laneOf(const Symmetric3<Lanes<W>>& m, int lane) noexcept {
  return {m.xx[lane], m.yx[lane], m.zx[lane], m.yy[lane], m.zy[lane], m.zz[lane]};
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

/// Limits K in J_hat = J + K where a lane needs it; lane by lane, because it is rare.
template <int W>
TACTUS_INLINE void limit(const Symmetric3<Lanes<W>>& J, const Symmetric3<Lanes<W>>& K, Symmetric3<Lanes<W>>& J_hat,
                         double* limited) noexcept {
  const Symmetric3<Lanes<W>> rest = K + (-kStiffnessLimit) * J;
  const Lanes<W> minor = rest.xx * rest.yy - rest.yx * rest.yx;
  const Lanes<W> lowest = minimum(minimum(rest.xx, minor), rest.determinant());
  if (arePositive(lowest)) return;
  for (int lane = 0; lane < W; ++lane) {
    if (lowest[lane] > 0) continue;
    limited[lane] += 1;
    const Matrix3d sum = limitedSum(laneOf<W>(J, lane).full(), laneOf<W>(K, lane).full());
    setLane<W>(J_hat, lane, sum);
  }
}

}  // namespace tactus::rt
