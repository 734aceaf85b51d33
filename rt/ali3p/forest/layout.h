// A group of a forest in lanes: the constants of four bodies and of the joints that carry them, and the numbers that a
// step works on. World axes unless said otherwise.
#pragma once

#include "rt/ali3p/tree/freedom_elimination.h"
#include "rt/math/symmetric3.h"
#include "rt/mechanics/lane_ends.h"
#include "rt/plan/forest_groups.h"

#include <algorithm>
#include <cstddef>

namespace tactus::rt {

using LaneParameters = Eigen::Matrix<LaneScalar, 4, 1>;  ///< Euler parameters
using LaneThree = Three<LaneScalar>;
using LaneTwist = Twist<LaneScalar>;

TACTUS_INLINE LaneThree threeOf(const LaneVector& v) noexcept {
  return {v[0], v[1], v[2]};
}
TACTUS_INLINE LaneVector vectorOf(const LaneThree& v) noexcept {
  return {v.x, v.y, v.z};
}

/// Constants of a group.
struct ForestElement {
  LaneScalar mass;
  Symmetric3<LaneScalar> inertia;                           ///< body axes
  LaneVector own_point, carrier_point;                      ///< of the joint, body axes
  LaneVector own_direction[3], carrier_direction[3];        ///< of each dot-1 row, body axes
  LaneScalar sign;                                          ///< of the multipliers of the point, in State
  LaneScalar counts;                                        ///< 1 in a lane with a body of its own, else 0
  int body[ForestGroup::kLanes], row[ForestGroup::kLanes];  ///< in State: first number of the body, first row
};

/// What a group passes to the bodies that carry it.
struct ForestPassed {
  LaneTwist load;
  Symmetric6<LaneScalar> inertia;
  Symmetric3<LaneScalar> stiffness;  ///< K_g of the joints, without the factor dt^2/4
};

/// What a step works on of four bodies.
struct ForestBody {
  ForestBody() noexcept {}  // unspecified until a step has begun

  // Motion, current iterate. Written by predict(), load() and the sweeps down; read by every evaluation.
  LaneVector r;
  LaneMatrix R;
  LaneVector v;      ///< while the positions are being solved: v less (dt/2) a
  LaneVector omega;  ///< once the positions are solved
  LaneVector a;
  LaneVector alpha;  ///< once the positions are solved
  LaneTwist x;       ///< solution; between the sweeps all loads on the body
  LaneParameters p;
  LaneVector omega_b, alpha_b;  ///< body axes

  // At the start of the step: p, 2 pd, (8/dt) pd + 2 pdd. Written by predict().
  LaneParameters p_start, spin, drift;

  /// Right side: minus the residual of the equations of motion but for what the children pass. Written where the bodies
  /// have moved; read by sweeps up.
  LaneTwist load;
  LaneTwist reaction;        ///< of the joints on the carriers, in the same residual; likewise
  Symmetric6<LaneScalar> M;  ///< the tangent with what the children have left; written by sweeps up that factor it
  ForestPassed passed;       ///< written by sweeps up, read by those of the carriers
};
/// The beginning of a ForestBody as numbers: those of BodyMotion, then x.
inline constexpr int kForestMotion = 24, kForestX = 24, kForestPlaceNumbers = 12;
static_assert(offsetof(ForestBody, x) == kForestX * sizeof(LaneScalar), "r to alpha are moved as numbers");

/// What a step works on of the joints of a group, with `Freedoms` freedoms.
template <int Freedoms>
struct ForestJoint {
  static constexpr int kNormals = 3 - Freedoms;
  static constexpr int kSize = std::max(Freedoms, 1), kDirections = std::max(kNormals, 1);

  // At the iterate. Written where the bodies have moved.
  LaneVector own_arm, carrier_arm;  ///< from the centers of mass to the points; of ground from the origin
  LaneVector own_direction[kDirections], carrier_direction[kDirections];
  // Rows: motion of the carried body less that of the carrier.
  LaneVector force;                     ///< multipliers of the point
  LaneScalar multipliers[kDirections];  ///< and of the dot-1 rows
  LaneVector c_point;                   ///< right sides of the rows
  LaneScalar c[kDirections];

  // As factored. Written by sweeps up that factor, read by all sweeps.
  LaneThree arm, shift;             ///< s and d
  LaneThree normal[kDirections];    ///< g
  LaneThree freedom[kSize];         ///< e
  LaneScalar pivot[kSize * kSize];  ///< factors of D
  LaneTwist K[kSize];               ///< columns of K_a^T
  LaneScalar s[kSize];              ///< S^T f; written by sweeps up, read by sweeps down
};

/// Free bodies have no joint: the factors of M.
template <>
struct ForestJoint<kFreeBody> {
  LaneScalar pivot[6 * 6];  ///< column-major
};

template <int Freedoms>
struct ForestNode {
  ForestBody body;
  ForestJoint<Freedoms> joint;
};

/// Where four lanes find the numbers of their bodies: all in one group beside each other, or each somewhere else.
struct LanePlaces {
  const double* at[ForestGroup::kLanes];
  bool beside;

  /// Numbers from the one with index `first` on.
  template <int N>
  TACTUS_INLINE void read(int first, LaneScalar (&to)[N]) const noexcept {
    if (beside) {
      for (int k = 0; k < N; ++k) to[k] = LaneScalar::from(at[0] + ForestGroup::kLanes * (first + k));
    } else {
      for (int k = 0; k < N; ++k) {
        const int i = ForestGroup::kLanes * (first + k);
        to[k] = LaneScalar(LaneScalar::Vector{at[0][i], at[1][i], at[2][i], at[3][i]});
      }
    }
  }
};

/// Calls f.template operator()<Freedoms>() for the freedoms of a group.
template <class F>
TACTUS_INLINE void withFreedomsOf(int freedoms, F&& f) noexcept {
  switch (freedoms) {
    case 0: return f.template operator()<0>();
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    default: return f.template operator()<kFreeBody>();
  }
}

}  // namespace tactus::rt
