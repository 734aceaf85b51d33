// Motions and vectors of four primitives in lanes, for the kernels of row_lanes.cpp and coupler_lanes.cpp.
#pragma once

#include "rt/math/lane_transpose.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/mechanics/primitives/primitives.h"

namespace tactus::rt {

using LaneScalar = PrimitiveLanes::Scalar;
using LaneVector = PrimitiveLanes::Vector;
using LaneMatrix = Eigen::Matrix<LaneScalar, 3, 3>;

/// Numbers of four bodies' motions from `offset` on, by lane. A BodyMotion as numbers: r, R, v, omega_w, a, alpha_w.
template <int N>
TACTUS_INLINE void gatherMotion(const PrimitiveLanes::Indices& body, const BodyMotion* motions, int offset,
                                LaneScalar (&values)[N]) noexcept {
  static_assert(sizeof(BodyMotion) == 24 * sizeof(double));
  const double* from[PrimitiveLanes::kLanes];
  for (int lane = 0; lane < PrimitiveLanes::kLanes; ++lane)
    from[lane] = reinterpret_cast<const double*>(&motionOf(motions, body[static_cast<std::size_t>(lane)])) + offset;
  gather(from, values);
}

/// Where four bodies are.
struct LanePlace {
  LaneScalar n[12];  ///< r, R

  LanePlace() = default;
  TACTUS_INLINE LanePlace(const PrimitiveLanes::Indices& body, const BodyMotion* motions) noexcept {
    gatherMotion(body, motions, 0, n);
  }
  TACTUS_INLINE LaneVector r() const noexcept { return {n[0], n[1], n[2]}; }
  TACTUS_INLINE LaneMatrix R() const noexcept {
    LaneMatrix matrix;
    for (int k = 0; k < 9; ++k) matrix.data()[k] = n[3 + k];
    return matrix;
  }
  /// R s
  TACTUS_INLINE LaneVector rotated(const LaneVector& s) const noexcept {
    LaneVector x;
    for (int k = 0; k < 3; ++k) x[k] = n[3 + k] * s[0] + n[6 + k] * s[1] + n[9 + k] * s[2];
    return x;
  }
};

/// How four bodies move.
struct LaneRates {
  LaneVector v, omega;

  LaneRates() = default;
  TACTUS_INLINE LaneRates(const PrimitiveLanes::Indices& body, const BodyMotion* motions) noexcept {
    constexpr int kV = 12;
    LaneScalar n[6];
    gatherMotion(body, motions, kV, n);
    v = {n[0], n[1], n[2]};
    omega = {n[3], n[4], n[5]};
  }
};

/// The vectors of four primitives, in world axes.
/// @tparam Place  LanePlace, or a reference to one
template <class Place>
struct LaneEnds {
  const PrimitiveLanes& group;
  const Place on_1, on_2;

  TACTUS_INLINE LaneVector s1() const noexcept { return on_1.rotated(group.s_1); }
  TACTUS_INLINE LaneVector s2() const noexcept { return on_2.rotated(group.s_2); }
  TACTUS_INLINE LaneVector a1() const noexcept { return on_1.rotated(group.a_1); }
  TACTUS_INLINE LaneVector a2() const noexcept { return on_2.rotated(group.a_2); }
  TACTUS_INLINE LaneVector d(const LaneVector& s_1, const LaneVector& s_2) const noexcept {
    return distanceOfPoints<LaneScalar>(on_1.r(), s_1, on_2.r(), s_2);
  }
  TACTUS_INLINE Dot2Terms<LaneScalar> dot2() const noexcept {
    const LaneVector s_1 = s1(), s_2 = s2();
    return {s_1, s_2, d(s_1, s_2), a1()};
  }
  TACTUS_INLINE DistanceTerms<LaneScalar> distance() const noexcept {
    const LaneVector s_1 = s1(), s_2 = s2();
    return {s_1, s_2, d(s_1, s_2), group.length};
  }
  TACTUS_INLINE LengthTerms<LaneScalar> length() const noexcept {
    const LaneVector s_1 = s1(), s_2 = s2();
    return {s_1, s_2, d(s_1, s_2)};
  }
  TACTUS_INLINE TwistTerms<LaneScalar> twist() const noexcept {
    return {a1(), a2(), on_1.rotated(group.b_1), on_2.rotated(group.b_2)};
  }
  TACTUS_INLINE FixedSections<LaneScalar> sections() const noexcept {
    return {group.s_1, group.s_2, sectionFrame<LaneScalar>(group.a_1, group.b_1),
            sectionFrame<LaneScalar>(group.a_2, group.b_2)};
  }
};

/// One row of each lane: its numbers in the Jacobian.
TACTUS_INLINE void storeRow(double* const (&rows)[PrimitiveLanes::kLanes], const SideOfRow<LaneScalar>& side_1,
                            const SideOfRow<LaneScalar>& side_2) noexcept {
  LaneScalar values[12];
  for (int i = 0; i < 3; ++i) {
    values[i] = side_1.translation[i];
    values[3 + i] = side_1.rotation[i];
    values[6 + i] = side_2.translation[i];
    values[9 + i] = side_2.rotation[i];
  }
  scatter(values, rows);
}

/// Number k behind the first row of each lane.
TACTUS_INLINE void storeValue(const PrimitiveLanes::Indices& row, int k, const LaneScalar& value,
                              double* of_rows) noexcept {
  for (int lane = 0; lane < PrimitiveLanes::kLanes; ++lane)
    of_rows[row[static_cast<std::size_t>(lane)] + k] = value[lane];
}
TACTUS_INLINE LaneScalar loadValue(const PrimitiveLanes::Indices& row, int k, const double* of_rows) noexcept {
  return LaneScalar(
      LaneScalar::Vector{of_rows[row[0] + k], of_rows[row[1] + k], of_rows[row[2] + k], of_rows[row[3] + k]});
}

/// The ends of a group, with bodies of its own.
struct OwnEnds : LaneEnds<LanePlace> {
  TACTUS_INLINE OwnEnds(const PrimitiveLanes& of, const BodyMotion* motions) noexcept
      : LaneEnds<LanePlace>{of, LanePlace(of.body_1, motions), LanePlace(of.body_2, motions)} {}
};

/// How the bodies of a group move.
struct LaneEndRates {
  const LaneRates on_1, on_2;

  TACTUS_INLINE LaneEndRates(const PrimitiveLanes& group, const BodyMotion* motions) noexcept
      : on_1(group.body_1, motions), on_2(group.body_2, motions) {}
};

/// Row `k` of each primitive of a group.
TACTUS_INLINE void storeRow(const PrimitiveLanes& group, int k, const SideOfRow<LaneScalar>& side_1,
                            const SideOfRow<LaneScalar>& side_2, RowJacobian* jacobian) noexcept {
  double* rows[PrimitiveLanes::kLanes];
  for (int lane = 0; lane < PrimitiveLanes::kLanes; ++lane)
    rows[lane] = jacobian[group.row[static_cast<std::size_t>(lane)] + k].h[0];
  storeRow(rows, side_1, side_2);
}

TACTUS_INLINE void storeValue(const PrimitiveLanes& group, int k, const LaneScalar& value, double* of_rows) noexcept {
  storeValue(group.row, k, value, of_rows);
}

/// Adds the matrices of one side of the primitives to their bodies, one after the other: some may be the same.
/// @param count  lanes that count
TACTUS_INLINE void addMatrices(const LaneMatrix& k, const PrimitiveLanes::Indices& body, int count,
                               Matrix3d* stiffness) noexcept {
  const LaneScalar* n = k.data();
  LaneScalar::Vector first[PrimitiveLanes::kLanes] = {n[0].vector(), n[1].vector(), n[2].vector(), n[3].vector()};
  LaneScalar::Vector second[PrimitiveLanes::kLanes] = {n[4].vector(), n[5].vector(), n[6].vector(), n[7].vector()};
  transpose(first);
  transpose(second);
  for (int lane = 0; lane < count; ++lane) {
    if (body[static_cast<std::size_t>(lane)] == kGround) continue;
    double* to = stiffness[body[static_cast<std::size_t>(lane)]].data();
    (LaneScalar::from(to) + LaneScalar(first[lane])).to(to);
    (LaneScalar::from(to + 4) + LaneScalar(second[lane])).to(to + 4);
    to[8] += n[8][lane];
  }
}

}  // namespace tactus::rt
