#include "rt/mechanics/row_lanes.h"

#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/lane_ends.h"
#include "rt/mechanics/section_lanes.h"
#include "rt/model/model.h"

namespace tactus::rt {

namespace {

constexpr int kLanes = PrimitiveLanes::kLanes;
using Quad = LaneScalar;
using QuadVector = LaneVector;
using QuadMatrix = LaneMatrix;

TACTUS_INLINE SideOfRow<Quad> times(const Quad& moves, const SideOfRow<Quad>& side) noexcept {
  return {moves * side.translation, moves * side.rotation};
}

TACTUS_INLINE void evaluatePoints(const OwnEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const PrimitiveLanes& group = e.group;
  const QuadVector s_1 = e.s1(), s_2 = e.s2(), d = e.d(s_1, s_2);
  // Unrolled, so that the sides stay in registers: a vector that is stored number by number is slow to read back.
#pragma GCC unroll 3
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

TACTUS_INLINE void evaluateDots1(const OwnEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const QuadVector a_1 = e.a1(), a_2 = e.a2();
  storeValue(e.group, 0, a_1.dot(a_2), phi);
  storeNormal(e.group, a_1.cross(a_2), jacobian);
}

/// One row with the terms of dot-2, a distance or a length.
template <class Terms>
TACTUS_INLINE void storeTerms(const PrimitiveLanes& group, const Terms& terms, double* phi,
                              RowJacobian* jacobian) noexcept {
  storeValue(group, 0, terms.phi(), phi);
  storeRow(group, 0, times(group.moves_1, terms.side1()), times(group.moves_2, terms.side2()), jacobian);
}

void evaluateDots2(const OwnEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  storeTerms(e.group, e.dot2(), phi, jacobian);
}

void evaluateDistances(const OwnEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  storeTerms(e.group, e.distance(), phi, jacobian);
}

void evaluateLengths(const OwnEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  storeTerms(e.group, e.length(), phi, jacobian);
}

TACTUS_INLINE void evaluateTwists(const OwnEnds& e, double* phi, RowJacobian* jacobian) noexcept {
  const TwistTerms<Quad> terms = e.twist();
  storeValue(e.group, 0, terms.phi(), phi);
  storeNormal(e.group, terms.normal(), jacobian);
}

[[gnu::flatten]] void pointGammas(const OwnEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  const QuadVector c = centripetalDifference<Quad>(rates.on_1.omega, e.s1(), rates.on_2.omega, e.s2());
  for (int k = 0; k < 3; ++k) storeValue(e.group, k, c[k], gamma);
}

[[gnu::flatten]] void dot1Gammas(const OwnEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeValue(e.group, 0, -dotRate2<Quad>(rates.on_1.omega, rates.on_2.omega, e.a1(), e.a2()), gamma);
}

template <class Terms>
TACTUS_INLINE void storeGamma(const PrimitiveLanes& group, const Terms& terms, const LaneEndRates& rates,
                              double* gamma) noexcept {
  storeValue(group, 0, terms.gamma(rates.on_1.v, rates.on_1.omega, rates.on_2.v, rates.on_2.omega), gamma);
}

[[gnu::flatten]] void dot2Gammas(const OwnEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeGamma(e.group, e.dot2(), rates, gamma);
}

[[gnu::flatten]] void distanceGammas(const OwnEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeGamma(e.group, e.distance(), rates, gamma);
}

[[gnu::flatten]] void lengthGammas(const OwnEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeGamma(e.group, e.length(), rates, gamma);
}

[[gnu::flatten]] void twistGammas(const OwnEnds& e, const LaneEndRates& rates, double* gamma) noexcept {
  storeValue(e.group, 0, e.twist().gamma(rates.on_1.omega, rates.on_2.omega), gamma);
}

/// The values alone of the rows of a group.
TACTUS_INLINE void evaluateValues(const PrimitiveLanes& group, const BodyMotion* motions, double* phi) noexcept {
  const auto ends = [&]() noexcept { return OwnEnds(group, motions); };
  switch (group.kind) {
    case PrimitiveKind::kPoint: {
      const OwnEnds e = ends();
      const QuadVector d = e.d(e.s1(), e.s2());
      for (int k = 0; k < 3; ++k) storeValue(group, k, -d[k], phi);
      break;
    }
    case PrimitiveKind::kDot1: {
      const OwnEnds e = ends();
      storeValue(group, 0, e.a1().dot(e.a2()), phi);
      break;
    }
    case PrimitiveKind::kDot2: storeValue(group, 0, ends().dot2().phi(), phi); break;
    case PrimitiveKind::kDistance: storeValue(group, 0, ends().distance().phi(), phi); break;
    case PrimitiveKind::kLength: storeValue(group, 0, ends().length().phi(), phi); break;
    case PrimitiveKind::kSection: evaluateSectionValues(group, motions, phi); break;
    default: storeValue(group, 0, ends().twist().phi(), phi); break;
  }
}

TACTUS_INLINE void evaluateGroup(const PrimitiveLanes& group, const BodyMotion* motions, double* phi,
                                 RowJacobian* jacobian) noexcept {
  // Each kind gathers its own ends, so that what it does not use is not kept.
  switch (group.kind) {
    case PrimitiveKind::kPoint: evaluatePoints({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kDot1: evaluateDots1({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kDot2: evaluateDots2({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kDistance: evaluateDistances({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kLength: evaluateLengths({group, motions}, phi, jacobian); break;
    case PrimitiveKind::kSection: evaluateSections(group, motions, phi, jacobian); break;
    default: evaluateTwists({group, motions}, phi, jacobian); break;
  }
}

}  // namespace

RowLanes::RowLanes(const Model& model, const std::vector<bool>& without) : couplers_(model) {
  const auto isLeftOut = [&](const Primitive& p) {
    const auto index = static_cast<std::size_t>(&p - model.primitives.data());
    return index < without.size() && without[index];
  };
  const std::vector<bool> compliant = compliantRows(model);
  forEachPrimitive([&](auto primitive) {
    if constexpr (!primitive.kInLanes) return;
    const std::size_t first = groups_.size();
    for (const Primitive& p : model.primitives) {
      if (p.kind != primitive.kKind || isLeftOut(p)) continue;
      if (groups_.size() == first || groups_.back().count == kLanes) {
        groups_.emplace_back(p);
        elastic_sections_.push_back(p.kind == PrimitiveKind::kSection);
      }
      groups_.back().setLane(p, groups_.back().count++);
      groups_.back().any_compliant |= compliant[static_cast<std::size_t>(p.row)];
      if (!compliant[static_cast<std::size_t>(p.row)]) elastic_sections_.back() = false;
    }
  });
  for (std::size_t i = 0; i < model.primitives.size(); ++i)
    withPrimitive(model.primitives[i].kind, [&](auto primitive) {
      if constexpr (primitive.kInLanes) return;
      alone_.push_back(static_cast<int>(i));
      if (compliant[static_cast<std::size_t>(model.primitives[i].row)]) alone_compliant_.push_back(static_cast<int>(i));
    });
}

void RowLanes::keep(const Model& model, const std::vector<bool>& has) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    bool any = false;
    for (int lane = 0; lane < groups_[i].count; ++lane)
      any = any || has[static_cast<std::size_t>(groups_[i].row[static_cast<std::size_t>(lane)])];
    if (!any) continue;
    groups_[kept] = groups_[i];
    elastic_sections_[kept++] = elastic_sections_[i];
  }
  groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(kept), groups_.end());
  elastic_sections_.resize(kept);
  for (std::vector<int>* indices : {&alone_, &alone_compliant_})
    std::erase_if(*indices, [&](int index) {
      return !has[static_cast<std::size_t>(model.primitives[static_cast<std::size_t>(index)].row)];
    });
}

void RowLanes::evaluate(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                        RowJacobian* jacobian) const noexcept {
  evaluateByParts(model, motions, displacements, phi, jacobian);
  couplers_.writeJacobian(jacobian);
}

void RowLanes::evaluateByParts(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                               RowJacobian* jacobian) const noexcept {
  for (const PrimitiveLanes& group : groups_) evaluateGroup(group, motions, phi, jacobian);
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    evaluateContinuedRows(p, motions, displacements, phi + p.row, jacobian + p.row);
  }
  if (model.couplers.empty()) return;
  couplers_.evaluate(motions, phi);
  for (const int index : couplers_.alone())
    evaluateCoupler(model, model.couplers[static_cast<std::size_t>(index)], motions, displacements, phi, jacobian);
}

void RowLanes::evaluateCompliantValues(const Model& model, const BodyMotion* motions, const double* displacements,
                                       double* phi) const noexcept {
  for (const PrimitiveLanes& group : groups_)
    if (group.any_compliant) evaluateValues(group, motions, phi);
  for (const int index : alone_compliant_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    RowJacobian unused[kMaxPrimitiveRows];
    evaluateContinuedRows(p, motions, displacements, phi + p.row, unused);
  }
  if (model.couplers.empty()) return;
  couplers_.evaluateValues(motions, phi);
  for (const int index : couplers_.alone()) {
    const Coupler& coupler = model.couplers[static_cast<std::size_t>(index)];
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    if (joint.compliant()) phi[joint.first_row] = couplerValue(coupler, motions, displacements);
  }
}

void RowLanes::evaluateGamma(const Model& model, const BodyMotion* motions, double* gamma,
                             bool of_elastic_sections) const noexcept {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const PrimitiveLanes& group = groups_[i];
    if (!of_elastic_sections && elastic_sections_[i]) continue;
    switch (group.kind) {
      case PrimitiveKind::kPoint: pointGammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kDot1: dot1Gammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kDot2: dot2Gammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kDistance: distanceGammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kLength: lengthGammas({group, motions}, {group, motions}, gamma); break;
      case PrimitiveKind::kSection: evaluateSectionGammas(group, motions, gamma); break;
      default: twistGammas({group, motions}, {group, motions}, gamma); break;
    }
  }
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    rt::evaluateGamma(p, motions, gamma + p.row);
  }
  if (model.couplers.empty()) return;
  couplers_.evaluateGamma(motions, gamma);
  for (const int index : couplers_.alone()) {
    const Coupler& coupler = model.couplers[static_cast<std::size_t>(index)];
    gamma[coupler.terms.front().row] = couplerGamma(coupler, motions);
  }
}

[[gnu::flatten]] void RowLanes::addGeometricStiffness(const Model& model, const BodyMotion* motions,
                                                      const double* lambda, Matrix3d* stiffness) const noexcept {
  for (const PrimitiveLanes& group : groups_) {
    if (group.kind == PrimitiveKind::kSection) continue;  // adds none, see its head
    const Quad lambda_0 = loadValue(group.row, 0, lambda);
    const auto add = [&](const QuadMatrix& on_1, const QuadMatrix& on_2) noexcept {
      addMatrices(on_1, group.body_1, group.count, stiffness);
      addMatrices(on_2, group.body_2, group.count, stiffness);
    };
    const auto addTerms = [&](const auto& terms) noexcept {
      add(terms.stiffness1(lambda_0), terms.stiffness2(lambda_0));
    };
    switch (group.kind) {
      case PrimitiveKind::kPoint: {
        const OwnEnds e(group, motions);
        const QuadVector load(lambda_0, loadValue(group.row, 1, lambda), loadValue(group.row, 2, lambda));
        add(rotationalStiffness<Quad>(e.s1(), load), rotationalStiffness<Quad>(e.s2(), -load));
        break;
      }
      case PrimitiveKind::kDot1: {
        const OwnEnds e(group, motions);
        const QuadVector a_1 = e.a1(), a_2 = e.a2();
        add(rotationalStiffness<Quad>(a_1, a_2 * lambda_0), rotationalStiffness<Quad>(a_2, a_1 * lambda_0));
        break;
      }
      case PrimitiveKind::kDot2: addTerms(OwnEnds(group, motions).dot2()); break;
      case PrimitiveKind::kDistance: addTerms(OwnEnds(group, motions).distance()); break;
      case PrimitiveKind::kLength: addTerms(OwnEnds(group, motions).length()); break;
      default: addTerms(OwnEnds(group, motions).twist()); break;
    }
  }
  for (const int index : alone_) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    rt::addGeometricStiffness(p, motions, lambda + p.row, stiffness);
  }
  if (model.couplers.empty()) return;
  // Those in lanes add none, as sections: the bodies of a modal body are thin, so that the limit would cut it off.
  for (const int index : couplers_.alone())
    for (const Primitive& term : model.couplers[static_cast<std::size_t>(index)].terms)
      rt::addGeometricStiffness(term, motions, lambda + term.row, stiffness);
}

}  // namespace tactus::rt
