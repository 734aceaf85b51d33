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
using QuadMatrix = Eigen::Matrix<Quad, 3, 3>;

// A BodyMotion as numbers: r, R, v, omega_w, a, alpha_w.
static_assert(sizeof(BodyMotion) == 24 * sizeof(double));
constexpr int kV = 12;
/// Of r and R, and of v and omega_w.
constexpr int kPlaceNumbers = 12, kRateNumbers = 6;

/// Numbers of four bodies' motions from `offset` on, by lane.
template <int N>
TACTUS_INLINE void gatherMotion(const std::array<int, kLanes>& body, const BodyMotion* motions, int offset,
                                Quad (&values)[N]) noexcept {
  const double* from[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    from[lane] = reinterpret_cast<const double*>(&motionOf(motions, body[static_cast<std::size_t>(lane)])) + offset;
  gather(from, values);
}

/// Where four bodies are.
struct LanePlace {
  Quad n[kPlaceNumbers];

  TACTUS_INLINE LanePlace(const std::array<int, kLanes>& body, const BodyMotion* motions) noexcept {
    gatherMotion(body, motions, 0, n);
  }
  TACTUS_INLINE QuadVector r() const noexcept { return {n[0], n[1], n[2]}; }
  TACTUS_INLINE QuadMatrix R() const noexcept {
    QuadMatrix matrix;
    for (int k = 0; k < 9; ++k) matrix.data()[k] = n[3 + k];
    return matrix;
  }
  /// R s
  TACTUS_INLINE QuadVector rotated(const QuadVector& s) const noexcept {
    QuadVector x;
    for (int k = 0; k < 3; ++k) x[k] = n[3 + k] * s[0] + n[6 + k] * s[1] + n[9 + k] * s[2];
    return x;
  }
};

/// How four bodies move.
struct LaneRates {
  QuadVector v, omega;

  TACTUS_INLINE LaneRates(const std::array<int, kLanes>& body, const BodyMotion* motions) noexcept {
    Quad n[kRateNumbers];
    gatherMotion(body, motions, kV, n);
    v = {n[0], n[1], n[2]};
    omega = {n[3], n[4], n[5]};
  }
};

/// How the bodies of a group move.
struct LaneEndRates {
  const LaneRates on_1, on_2;

  TACTUS_INLINE LaneEndRates(const PrimitiveLanes& group, const BodyMotion* motions) noexcept
      : on_1(group.body_1, motions), on_2(group.body_2, motions) {}
};

/// The vectors of the four primitives of a group, in world axes.
struct LaneEnds {
  const PrimitiveLanes& group;
  const LanePlace on_1, on_2;

  TACTUS_INLINE LaneEnds(const PrimitiveLanes& of, const BodyMotion* motions) noexcept
      : group(of), on_1(of.body_1, motions), on_2(of.body_2, motions) {}

  TACTUS_INLINE QuadVector s1() const noexcept { return on_1.rotated(group.s_1); }
  TACTUS_INLINE QuadVector s2() const noexcept { return on_2.rotated(group.s_2); }
  TACTUS_INLINE QuadVector a1() const noexcept { return on_1.rotated(group.a_1); }
  TACTUS_INLINE QuadVector a2() const noexcept { return on_2.rotated(group.a_2); }
  TACTUS_INLINE QuadVector d(const QuadVector& s_1, const QuadVector& s_2) const noexcept {
    return distanceOfPoints<Quad>(on_1.r(), s_1, on_2.r(), s_2);
  }
  TACTUS_INLINE Dot2Terms<Quad> dot2() const noexcept {
    const QuadVector s_1 = s1(), s_2 = s2();
    return {s_1, s_2, d(s_1, s_2), a1()};
  }
  TACTUS_INLINE TwistTerms<Quad> twist() const noexcept {
    return {a1(), a2(), on_1.rotated(group.b_1), on_2.rotated(group.b_2)};
  }
  TACTUS_INLINE FixedSections<Quad> sections() const noexcept {
    return {group.s_1, group.s_2, sectionFrame<Quad>(group.a_1, group.b_1), sectionFrame<Quad>(group.a_2, group.b_2)};
  }
};

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

TACTUS_INLINE SideOfRow<Quad> times(const Quad& moves, const SideOfRow<Quad>& side) noexcept {
  return {moves * side.translation, moves * side.rotation};
}

TACTUS_INLINE void evaluatePoints(const LaneEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const PrimitiveLanes& group = e.group;
  const QuadVector s_1 = e.s1(), s_2 = e.s2(), d = e.d(s_1, s_2);
  for (int k = 0; k < 3; ++k) {
    storeValue(group, k, -d[k], phi);
    storeRow(group, k, pointSide<Quad>(k, group.moves_1, s_1), pointSide<Quad>(k, -group.moves_2, s_2), jacobian);
  }
}

/// One row with the normal n: of dot-1 and twist.
TACTUS_INLINE void storeNormal(const PrimitiveLanes& group, const QuadVector& n, RowJacobian* jacobian) noexcept {
  const QuadVector none = QuadVector::Constant(Quad(0.0));
  storeRow(group, 0, {none, group.moves_1 * n}, {none, -group.moves_2 * n}, jacobian);
}

TACTUS_INLINE void evaluateDots1(const LaneEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const QuadVector a_1 = e.a1(), a_2 = e.a2();
  storeValue(e.group, 0, a_1.dot(a_2), phi);
  storeNormal(e.group, a_1.cross(a_2), jacobian);
}

TACTUS_INLINE void evaluateDots2(const LaneEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const Dot2Terms<Quad> terms = e.dot2();
  storeValue(e.group, 0, terms.phi(), phi);
  storeRow(e.group, 0, times(e.group.moves_1, terms.side1()), times(e.group.moves_2, terms.side2()), jacobian);
}

TACTUS_INLINE void evaluateTwists(const LaneEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const TwistTerms<Quad> terms = e.twist();
  storeValue(e.group, 0, terms.phi(), phi);
  storeNormal(e.group, terms.normal(), jacobian);
}

[[gnu::flatten]] void evaluateSections(const LaneEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const SectionRows<Quad> rows(e.sections(), {e.on_1.r(), e.on_1.R()}, {e.on_2.r(), e.on_2.R()});
  const auto z = rows.pair.value();
  const auto H = rows.jacobian();
  const auto side = [&](int row, int first, const Quad& moves) noexcept -> SideOfRow<Quad> {
    return {moves * QuadVector(H(row, first), H(row, first + 1), H(row, first + 2)),
            moves * QuadVector(H(row, first + 3), H(row, first + 4), H(row, first + 5))};
  };
  for (int row = 0; row < 6; ++row) {
    storeValue(e.group, row, z[row], phi);
    storeRow(e.group, row, side(row, 0, e.group.moves_1), side(row, 6, e.group.moves_2), jacobian);
  }
}

TACTUS_INLINE void pointGammas(const LaneEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  const QuadVector c = centripetalDifference<Quad>(rates.on_1.omega, e.s1(), rates.on_2.omega, e.s2());
  for (int k = 0; k < 3; ++k) storeValue(e.group, k, c[k], gamma);
}

TACTUS_INLINE void dot1Gammas(const LaneEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeValue(e.group, 0, -dotRate2<Quad>(rates.on_1.omega, rates.on_2.omega, e.a1(), e.a2()), gamma);
}

TACTUS_INLINE void dot2Gammas(const LaneEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeValue(e.group, 0, e.dot2().gamma(rates.on_1.v, rates.on_1.omega, rates.on_2.v, rates.on_2.omega), gamma);
}

TACTUS_INLINE void twistGammas(const LaneEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeValue(e.group, 0, e.twist().gamma(rates.on_1.omega, rates.on_2.omega), gamma);
}

[[gnu::flatten]] void sectionGammas(const LaneEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  const auto of_rows = sectionGamma<Quad>(e.sections(), {e.on_1.r(), e.on_1.R()}, {e.on_2.r(), e.on_2.R()},
                                          rates.on_1.v, rates.on_1.omega, rates.on_2.v, rates.on_2.omega);
  for (int row = 0; row < 6; ++row) storeValue(e.group, row, of_rows[row], gamma);
}

/// Adds the matrices of one side of the primitives to their bodies, one after the other: some may be the same.
TACTUS_INLINE void addMatrices(const QuadMatrix& k, const std::array<int, kLanes>& body, int count,
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

TACTUS_INLINE void evaluateGroup(const PrimitiveLanes& group, const BodyMotion* motions, double* phi,
                                 RowJacobian* jacobian) noexcept {
  // Each kind gathers its own ends, so that what it does not use is not kept.
  switch (group.kind) {
    case PrimitiveKind::kPoint: evaluatePoints({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kDot1: evaluateDots1({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kDot2: evaluateDots2({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kSection: evaluateSections({group, motions}, phi, jacobian); break;
    default: evaluateTwists({group, motions}, phi, jacobian); break;
  }
}

/// Primitives that are in no group, and all couplers.
void evaluateAlone(const Model& model, const std::vector<int>& primitives, const BodyMotion* motions,
                   const double* displacements, double* phi, RowJacobian* jacobian) noexcept {
  for (const int index : primitives) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    evaluateContinuedRows(p, motions, displacements, phi + p.row, jacobian + p.row);
  }
  evaluateCouplers(model, motions, displacements, phi, jacobian);
}

/// For each row whether its joint is compliant.
std::vector<bool> compliantRows(const Model& model) {
  std::vector<bool> compliant(static_cast<std::size_t>(model.rows), false);
  for (const Joint& joint : model.joints)
    for (int k = 0; k < joint.row_count; ++k)
      compliant[static_cast<std::size_t>(joint.first_row + k)] = joint.compliant();
  return compliant;
}

PrimitiveLanes emptyGroup(const Primitive& p) {
  PrimitiveLanes group{};
  group.kind = p.kind;
  return group;
}

void setLane(const Primitive& p, int lane, PrimitiveLanes& group) {
  const auto at = static_cast<std::size_t>(lane);
  group.body_1[at] = p.body_1;
  group.body_2[at] = p.body_2;
  group.row[at] = p.row;
  const auto set = [lane](const Vector3d& from, QuadVector& to) {
    for (int k = 0; k < 3; ++k) to[k].set(lane, from[k]);
  };
  set(p.s_1, group.s_1);
  set(p.s_2, group.s_2);
  set(p.a_1, group.a_1);
  set(p.a_2, group.a_2);
  set(p.b_1, group.b_1);
  set(p.b_2, group.b_2);
  group.moves_1.set(lane, p.body_1 == kGround ? 0.0 : 1.0);
  group.moves_2.set(lane, p.body_2 == kGround ? 0.0 : 1.0);
}

}  // namespace

RowLanes::RowLanes(const Model& model) {
  const std::vector<bool> compliant = compliantRows(model);
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
      groups_.back().any_compliant |= compliant[static_cast<std::size_t>(p.row)];
    }
  });
  for (std::size_t i = 0; i < model.primitives.size(); ++i)
    withPrimitive(model.primitives[i].kind, [&](auto primitive) {
      if constexpr (primitive.kInLanes) return;
      alone_.push_back(static_cast<int>(i));
      if (compliant[static_cast<std::size_t>(model.primitives[i].row)]) alone_compliant_.push_back(static_cast<int>(i));
    });
}

void RowLanes::evaluate(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                        RowJacobian* jacobian) const noexcept {
  for (const PrimitiveLanes& group : groups_) evaluateGroup(group, motions, phi, jacobian);
  evaluateAlone(model, alone_, motions, displacements, phi, jacobian);
}

void RowLanes::evaluateCompliant(const Model& model, const BodyMotion* motions, const double* displacements,
                                 double* phi, RowJacobian* jacobian) const noexcept {
  for (const PrimitiveLanes& group : groups_)
    if (group.any_compliant) evaluateGroup(group, motions, phi, jacobian);
  evaluateAlone(model, alone_compliant_, motions, displacements, phi, jacobian);
}

void RowLanes::evaluateGamma(const Model& model, const BodyMotion* motions, double* gamma) const noexcept {
  for (const PrimitiveLanes& group : groups_) {
    switch (group.kind) {
      case PrimitiveKind::kPoint: pointGammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kDot1: dot1Gammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kDot2: dot2Gammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kSection: sectionGammas({group, motions}, {group, motions}, gamma); break;
      default: twistGammas({group, motions}, {group, motions}, gamma); break;
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
    if (group.kind == PrimitiveKind::kSection) continue;  // adds none, see its head
    const Quad lambda_0 = loadValue(group, 0, lambda);
    const auto add = [&](const QuadMatrix& on_1, const QuadMatrix& on_2) noexcept {
      addMatrices(on_1, group.body_1, group.count, stiffness);
      addMatrices(on_2, group.body_2, group.count, stiffness);
    };
    switch (group.kind) {
      case PrimitiveKind::kPoint: {
        const LaneEnds e(group, motions);
        const QuadVector load(lambda_0, loadValue(group, 1, lambda), loadValue(group, 2, lambda));
        add(rotationalStiffness<Quad>(e.s1(), load), rotationalStiffness<Quad>(e.s2(), -load));
        break;
      }
      case PrimitiveKind::kDot1: {
        const LaneEnds e(group, motions);
        const QuadVector a_1 = e.a1(), a_2 = e.a2();
        add(rotationalStiffness<Quad>(a_1, a_2 * lambda_0), rotationalStiffness<Quad>(a_2, a_1 * lambda_0));
        break;
      }
      case PrimitiveKind::kDot2: {
        const Dot2Terms<Quad> terms = LaneEnds(group, motions).dot2();
        add(terms.stiffness1(lambda_0), terms.stiffness2(lambda_0));
        break;
      }
      default: {
        const TwistTerms<Quad> terms = LaneEnds(group, motions).twist();
        add(terms.stiffness1(lambda_0), terms.stiffness2(lambda_0));
        break;
      }
    }
  }
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    rt::addGeometricStiffness(p, motions, lambda + p.row, stiffness);
  }
  for (const Coupler& coupler : model.couplers)
    for (const Primitive& term : coupler.terms) rt::addGeometricStiffness(term, motions, lambda + term.row, stiffness);
}

}  // namespace tactus::rt
