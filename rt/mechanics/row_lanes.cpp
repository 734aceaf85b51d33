#include "rt/mechanics/row_lanes.h"

#include "rt/math/lane_transpose.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/primitives/primitives.h"

namespace tactus::rt {

namespace {

constexpr int kLanes = 4;
using Quad = PrimitiveLanes::Scalar;
using QuadVector = PrimitiveLanes::Vector;

// A BodyMotion as numbers: r, R, v, omega_w, a, alpha_w.
static_assert(sizeof(BodyMotion) == 24 * sizeof(double));
constexpr int kOmega = 15;
/// Of r and R.
constexpr int kPlaceNumbers = 12;

/// Numbers of four bodies' motions from `offset` on, by lane.
template <int N>
TACTUS_INLINE void gatherMotion(const std::array<int, kLanes>& body, const BodyMotion* motions, int offset,
                                Quad (&values)[N]) noexcept {
  const double* from[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    from[lane] = reinterpret_cast<const double*>(&motionOf(motions, body[static_cast<std::size_t>(lane)])) + offset;
  gather(from, values);
}

/// Where one side of four primitives is.
struct LaneEnd {
  QuadVector r, fixed;  ///< center of mass; arm or direction in world axes

  TACTUS_INLINE LaneEnd(const std::array<int, kLanes>& body, const BodyMotion* motions,
                        const QuadVector& in_body) noexcept {
    Quad n[kPlaceNumbers];
    gatherMotion(body, motions, 0, n);
    for (int k = 0; k < 3; ++k) {
      r[k] = n[k];
      fixed[k] = n[3 + k] * in_body[0] + n[6 + k] * in_body[1] + n[9 + k] * in_body[2];
    }
  }
};

TACTUS_INLINE QuadVector omegaOf(const std::array<int, kLanes>& body, const BodyMotion* motions) noexcept {
  Quad n[kLanes];
  gatherMotion(body, motions, kOmega, n);
  return {n[0], n[1], n[2]};
}

/// Row `k` of each primitive of a group.
TACTUS_INLINE void storeRow(const PrimitiveLanes& group, int k, const SideOfRow<Quad>& side_1,
                            const SideOfRow<Quad>& side_2, RowJacobian* jacobian) noexcept {
  Quad values[12];
  for (int i = 0; i < 3; ++i) {
    values[i] = side_1.translation[i];
    values[3 + i] = side_1.rotation[i];
    values[6 + i] = side_2.translation[i];
    values[9 + i] = side_2.rotation[i];
  }
  double* rows[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) rows[lane] = jacobian[group.row[static_cast<std::size_t>(lane)] + k].h[0];
  scatter(values, rows);
}

TACTUS_INLINE void storeValue(const PrimitiveLanes& group, int k, const Quad& value, double* of_rows) noexcept {
  for (int lane = 0; lane < kLanes; ++lane) of_rows[group.row[static_cast<std::size_t>(lane)] + k] = value[lane];
}

TACTUS_INLINE Quad loadValue(const PrimitiveLanes& group, int k, const double* of_rows) noexcept {
  return Quad(Quad::Vector{of_rows[group.row[0] + k], of_rows[group.row[1] + k], of_rows[group.row[2] + k],
                           of_rows[group.row[3] + k]});
}

TACTUS_INLINE void evaluatePoints(const PrimitiveLanes& group, const LaneEnd& e_1, const LaneEnd& e_2, double* phi,
                                  RowJacobian* jacobian) noexcept {
  const QuadVector d = distanceOfPoints<Quad>(e_1.r, e_1.fixed, e_2.r, e_2.fixed);
  for (int k = 0; k < 3; ++k) {
    storeValue(group, k, -d[k], phi);
    storeRow(group, k, pointSide<Quad>(k, group.moves_1, e_1.fixed), pointSide<Quad>(k, -group.moves_2, e_2.fixed),
             jacobian);
  }
}

TACTUS_INLINE void evaluateDots(const PrimitiveLanes& group, const LaneEnd& e_1, const LaneEnd& e_2, double* phi,
                                RowJacobian* jacobian) noexcept {
  storeValue(group, 0, e_1.fixed.dot(e_2.fixed), phi);
  const QuadVector n = e_1.fixed.cross(e_2.fixed);
  const QuadVector none = QuadVector::Constant(Quad(0.0));
  storeRow(group, 0, {none, group.moves_1 * n}, {none, -group.moves_2 * n}, jacobian);
}

/// Adds the matrices of one side of the primitives to their bodies, one after the other: some may be the same.
TACTUS_INLINE void addMatrices(const Eigen::Matrix<Quad, 3, 3>& k, const std::array<int, kLanes>& body, int count,
                               Matrix3d* stiffness) noexcept {
  const Quad* n = k.data();
  Quad::Vector first[kLanes] = {n[0].vector(), n[1].vector(), n[2].vector(), n[3].vector()};
  Quad::Vector second[kLanes] = {n[4].vector(), n[5].vector(), n[6].vector(), n[7].vector()};
  transpose(first);
  transpose(second);
  for (int lane = 0; lane < count; ++lane) {
    if (body[static_cast<std::size_t>(lane)] == kGround) continue;
    double* to = stiffness[body[static_cast<std::size_t>(lane)]].data();
    (Quad::from(to) + Quad(first[lane])).to(to);
    (Quad::from(to + 4) + Quad(second[lane])).to(to + 4);
    to[8] += n[8][lane];
  }
}

PrimitiveLanes emptyGroup(const Primitive& p) {
  PrimitiveLanes group{};
  group.kind = p.kind;
  return group;
}

void setLane(const Primitive& p, int lane, PrimitiveLanes& group) {
  const auto at = static_cast<std::size_t>(lane);
  const bool points = p.kind == PrimitiveKind::kPoint;
  group.body_1[at] = p.body_1;
  group.body_2[at] = p.body_2;
  group.row[at] = p.row;
  for (int k = 0; k < 3; ++k) {
    group.fixed_1[k].set(lane, points ? p.s_1[k] : p.a_1[k]);
    group.fixed_2[k].set(lane, points ? p.s_2[k] : p.a_2[k]);
  }
  group.moves_1.set(lane, p.body_1 == kGround ? 0.0 : 1.0);
  group.moves_2.set(lane, p.body_2 == kGround ? 0.0 : 1.0);
}

}  // namespace

RowLanes::RowLanes(const Model& model) {
  forEachPrimitive([&](auto primitive) {
    if constexpr (!primitive.kInLanes) return;
    const std::size_t first = groups_.size();
    for (const Primitive& p : model.primitives) {
      if (p.kind != primitive.kKind) continue;
      if (groups_.size() == first || groups_.back().count == kLanes) {
        groups_.push_back(emptyGroup(p));
        for (int lane = 0; lane < kLanes; ++lane) setLane(p, lane, groups_.back());
      }
      setLane(p, groups_.back().count++, groups_.back());
    }
  });
  for (std::size_t i = 0; i < model.primitives.size(); ++i)
    withPrimitive(model.primitives[i].kind, [&](auto primitive) {
      if constexpr (!primitive.kInLanes) alone_.push_back(static_cast<int>(i));
    });
}

void RowLanes::evaluate(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                        RowJacobian* jacobian) const noexcept {
  for (const PrimitiveLanes& group : groups_) {
    const LaneEnd e_1(group.body_1, motions, group.fixed_1), e_2(group.body_2, motions, group.fixed_2);
    group.kind == PrimitiveKind::kPoint ? evaluatePoints(group, e_1, e_2, phi, jacobian)
                                        : evaluateDots(group, e_1, e_2, phi, jacobian);
  }
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    evaluateContinuedRows(p, motions, displacements, phi + p.row, jacobian + p.row);
  }
  evaluateCouplers(model, motions, displacements, phi, jacobian);
}

void RowLanes::evaluateGamma(const Model& model, const BodyMotion* motions, double* gamma) const noexcept {
  for (const PrimitiveLanes& group : groups_) {
    const LaneEnd e_1(group.body_1, motions, group.fixed_1), e_2(group.body_2, motions, group.fixed_2);
    const QuadVector omega_1 = omegaOf(group.body_1, motions), omega_2 = omegaOf(group.body_2, motions);
    if (group.kind == PrimitiveKind::kPoint) {
      const QuadVector c = centripetalDifference<Quad>(omega_1, e_1.fixed, omega_2, e_2.fixed);
      for (int k = 0; k < 3; ++k) storeValue(group, k, c[k], gamma);
    } else {
      storeValue(group, 0, -dotRate2<Quad>(omega_1, omega_2, e_1.fixed, e_2.fixed), gamma);
    }
  }
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    rt::evaluateGamma(p, motions, gamma + p.row);
  }
  for (const Coupler& coupler : model.couplers) gamma[coupler.terms.front().row] = couplerGamma(coupler, motions);
}

void RowLanes::addGeometricStiffness(const Model& model, const BodyMotion* motions, const double* lambda,
                                     Matrix3d* stiffness) const noexcept {
  for (const PrimitiveLanes& group : groups_) {
    const LaneEnd e_1(group.body_1, motions, group.fixed_1), e_2(group.body_2, motions, group.fixed_2);
    const bool points = group.kind == PrimitiveKind::kPoint;
    const Quad lambda_0 = loadValue(group, 0, lambda);
    QuadVector load_1, load_2;
    if (points) {
      load_1 = {lambda_0, loadValue(group, 1, lambda), loadValue(group, 2, lambda)};
      load_2 = -load_1;
    } else {
      load_1 = e_2.fixed * lambda_0;
      load_2 = e_1.fixed * lambda_0;
    }
    addMatrices(rotationalStiffness<Quad>(e_1.fixed, load_1), group.body_1, group.count, stiffness);
    addMatrices(rotationalStiffness<Quad>(e_2.fixed, load_2), group.body_2, group.count, stiffness);
  }
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    rt::addGeometricStiffness(p, motions, lambda + p.row, stiffness);
  }
  for (const Coupler& coupler : model.couplers)
    for (const Primitive& term : coupler.terms) rt::addGeometricStiffness(term, motions, lambda + term.row, stiffness);
}

}  // namespace tactus::rt
