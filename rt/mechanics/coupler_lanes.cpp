#include "rt/mechanics/coupler_lanes.h"

#include "rt/mechanics/lane_ends.h"
#include "rt/model/model.h"

#include <algorithm>
#include <optional>

namespace tactus::rt {

namespace {

using Part = CouplerLanes::Part;
using Coordinates = CouplerLanes::Coordinates;
using Group = CouplerLanes::Group;
using WeightedPart = CouplerLanes::WeightedPart;
constexpr int kLanes = PrimitiveLanes::kLanes;

LaneEnds<const LanePlace&> endsOf(const PrimitiveLanes& group, const LanePlace& on_1, const LanePlace& on_2) noexcept {
  return {group, on_1, on_2};
}

template <int Lane>
TACTUS_INLINE LaneScalar spreadLane(const LaneScalar& x) noexcept {
  return LaneScalar(__builtin_shufflevector(x.vector(), x.vector(), Lane, Lane, Lane, Lane));
}

/// The sum over the axes: weights of four rows times one number of each axis.
TACTUS_INLINE LaneScalar weigh(const LaneVector& weights, const LaneScalar& of_axes) noexcept {
  return weights[0] * spreadLane<0>(of_axes) + weights[1] * spreadLane<1>(of_axes) +
         weights[2] * spreadLane<2>(of_axes);
}
TACTUS_INLINE LaneVector weigh(const LaneVector& weights, const LaneVector& of_axes) noexcept {
  return {weigh(weights, of_axes[0]), weigh(weights, of_axes[1]), weigh(weights, of_axes[2])};
}

/// Sums of the coordinates of all parts of a group, (1).
TACTUS_INLINE LaneScalar sumOf(const Group& group, const Coordinates* coordinates) noexcept {
  LaneScalar sum(0.0);
  for (const WeightedPart& part : group.parts) {
    const Coordinates& of = coordinates[part.part];
    sum += weigh(part.translation, of.along) + weigh(part.rotation, of.about);
  }
  return sum;
}

[[gnu::flatten]] void evaluatePart(const Part& part, const BodyMotion* motions, Coordinates& to) noexcept {
  const LanePlace on_1(part.along.body_1, motions), on_2(part.along.body_2, motions);
  const Dot2Terms<LaneScalar> along = endsOf(part.along, on_1, on_2).dot2();
  const TwistTerms<LaneScalar> about = endsOf(part.about, on_1, on_2).twist();
  to.along = along.phi();
  to.about = about.phi();
  to.translation = along.a_1;
  to.arm_1 = along.d + along.s_1;
  to.arm_2 = along.s_2;
  to.normal = about.normal();
}

[[gnu::flatten]] void evaluatePartValues(const Part& part, const BodyMotion* motions, Coordinates& to) noexcept {
  const LanePlace on_1(part.along.body_1, motions), on_2(part.along.body_2, motions);
  to.along = endsOf(part.along, on_1, on_2).dot2().phi();
  to.about = endsOf(part.about, on_1, on_2).twist().phi();
}

[[gnu::flatten]] void evaluatePartGammas(const Part& part, const BodyMotion* motions, Coordinates& to) noexcept {
  const LanePlace on_1(part.along.body_1, motions), on_2(part.along.body_2, motions);
  const LaneRates of_1(part.along.body_1, motions), of_2(part.along.body_2, motions);
  to.along = endsOf(part.along, on_1, on_2).dot2().gamma(of_1.v, of_1.omega, of_2.v, of_2.omega);
  to.about = endsOf(part.about, on_1, on_2).twist().gamma(of_1.omega, of_2.omega);
}

[[gnu::flatten]] void evaluateGroup(const Group& group, const Coordinates* coordinates, double* phi,
                                    RowJacobian* jacobian) noexcept {
  const LaneVector none = LaneVector::Constant(LaneScalar(0.0));
  SideOfRow<LaneScalar> sides[CouplerLanes::kMaxPlaces];
  for (int place = 0; place < 2 * group.pairs; ++place) sides[place] = {none, none};
  for (const WeightedPart& part : group.parts) {
    const Coordinates& of = coordinates[part.part];
    SideOfRow<LaneScalar>&on_1 = sides[part.places[0]], &on_2 = sides[part.places[1]];
    // Sides of dot-2 rows are linear in their direction: the arms take the weighted direction as a whole.
    const LaneVector translation = weigh(part.translation, of.translation), turning = weigh(part.rotation, of.normal);
    on_1.translation -= translation;
    on_2.translation += translation;
    on_1.rotation += translation.cross(of.arm_1) + turning;
    on_2.rotation += of.arm_2.cross(translation) - turning;
  }
  storeValue(group.rows[0], 0, sumOf(group, coordinates), phi);
  for (int pair = 0; pair < group.pairs; ++pair) {
    const PrimitiveLanes::Indices& of_pair = group.rows[static_cast<std::size_t>(pair)];
    double* rows[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane] = jacobian[of_pair[lane]].h[0];
    storeRow(rows, sides[2 * pair], sides[2 * pair + 1]);
  }
}

/// Adds the stiffness of the coordinates of a part, each times a load.
[[gnu::flatten]] void addStiffness(const Part& part, const BodyMotion* motions, const std::array<LaneVector, 2>& loads,
                                   Matrix3d* stiffness) noexcept {
  const LanePlace on_1(part.along.body_1, motions), on_2(part.along.body_2, motions);
  const auto byAxis = [](const LaneVector& of_rows) noexcept {
    LaneScalar axes(0.0);
    for (int k = 0; k < 3; ++k) axes.set(k, (of_rows[k][0] + of_rows[k][1]) + (of_rows[k][2] + of_rows[k][3]));
    return axes;
  };
  const LaneScalar force = byAxis(loads[0]), torque = byAxis(loads[1]);
  const Dot2Terms<LaneScalar> along = endsOf(part.along, on_1, on_2).dot2();
  const TwistTerms<LaneScalar> about = endsOf(part.about, on_1, on_2).twist();
  addMatrices(along.stiffness1(force) + about.stiffness1(torque), part.along.body_1, 3, stiffness);
  addMatrices(along.stiffness2(force) + about.stiffness2(torque), part.along.body_2, 3, stiffness);
}

// Set-up: parts and weights from the terms.

/// Weights of one term, and what its part must have.
struct WeightedTerm {
  int body_1, body_2;
  std::array<int, 2> places;
  bool turns;         ///< a twist
  Vector3d s_1, s_2;  ///< of a dot-2 row
  Matrix3d turned;    ///< of a twist row: axes of body 1 in the frame of body 2 when it is zero
  Vector3d weights;
};

WeightedTerm weightedTerm(const Primitive& p, const std::array<int, 2>& places) {
  WeightedTerm term{p.body_1, p.body_2, places, p.kind == PrimitiveKind::kTwist, p.s_1, p.s_2, Matrix3d::Identity(),
                    p.a_1};
  if (!term.turns) return term;
  // Of two unit directions across its axis, times the weight, on body 1; the same without the weight on body 2.
  const double weight = p.b_1.norm();
  const Vector3d next = p.b_1 / weight, last = p.a_1 / weight;
  Matrix3d of_1, of_2;
  of_1 << next, last, next.cross(last);
  of_2 << p.a_2, p.b_2, p.a_2.cross(p.b_2);
  term.turned = of_2 * of_1.transpose();
  term.weights = weight * of_1.col(2);
  return term;
}

/// A part while terms are gathered.
struct OpenPart {
  int body_1, body_2;
  std::optional<std::array<Vector3d, 2>> points;
  std::optional<Matrix3d> turned;

  bool takes(const WeightedTerm& term) const {
    constexpr double kRoundOff = 1e-12;
    if (term.body_1 != body_1 || term.body_2 != body_2) return false;
    if (term.turns) return !turned || (*turned - term.turned).norm() < kRoundOff;
    return !points || ((*points)[0] == term.s_1 && (*points)[1] == term.s_2);
  }
  void take(const WeightedTerm& term) {
    if (term.turns && !turned) turned = term.turned;
    if (!term.turns && !points) points = std::array<Vector3d, 2>{term.s_1, term.s_2};
  }

  Part part() const {
    const Matrix3d C = turned.value_or(Matrix3d::Identity());
    const auto s = points.value_or(std::array<Vector3d, 2>{Vector3d::Zero(), Vector3d::Zero()});
    const Vector3d none = Vector3d::Zero();
    const auto alongAxis = [&](int k) -> Primitive {
      return {PrimitiveKind::kDot2, body_1, body_2, 0, s[0], s[1], Vector3d::Unit(k), none, 0};
    };
    const auto aboutAxis = [&](int k) {
      const Vector3d next = Vector3d::Unit((k + 1) % 3), last = Vector3d::Unit((k + 2) % 3);
      Primitive twist{PrimitiveKind::kTwist, body_1, body_2, 0, none, none, last, C * next, 0};
      twist.b_1 = next;
      twist.b_2 = C * last;
      return twist;
    };
    Part all{PrimitiveLanes(alongAxis(0)), PrimitiveLanes(aboutAxis(0))};
    for (int k = 1; k < 3; ++k) {
      all.along.setLane(alongAxis(k), k);
      all.about.setLane(aboutAxis(k), k);
    }
    return all;
  }
};

bool fitsLanes(const Coupler& coupler) {
  return std::all_of(coupler.terms.begin(), coupler.terms.end(), [](const Primitive& term) {
    return (term.kind == PrimitiveKind::kDot2 || term.kind == PrimitiveKind::kTwist) && term.body_1 != kGround &&
           term.body_2 != kGround;
  });
}

/// A part in one row.
struct RowPart {
  std::size_t part;
  std::array<int, 2> places;
  Vector3d translation = Vector3d::Zero(), rotation = Vector3d::Zero();
};

std::vector<RowPart> partsOf(const Coupler& coupler, std::vector<OpenPart>& open) {
  std::vector<RowPart> parts;
  for (std::size_t k = 0; k < coupler.terms.size(); ++k) {
    const WeightedTerm term = weightedTerm(coupler.terms[k], coupler.places[k]);
    auto part = std::find_if(open.begin(), open.end(), [&](const OpenPart& of) { return of.takes(term); });
    if (part == open.end()) part = open.insert(open.end(), OpenPart{term.body_1, term.body_2, {}, {}});
    part->take(term);
    const auto index = static_cast<std::size_t>(part - open.begin());
    auto row = std::find_if(parts.begin(), parts.end(), [&](const RowPart& of) { return of.part == index; });
    if (row == parts.end()) row = parts.insert(parts.end(), RowPart{index, term.places});
    (term.turns ? row->rotation : row->translation) += term.weights;
  }
  return parts;
}

bool fits(const Group& group, const std::vector<RowPart>& parts, const Joint& joint) {
  return group.count < kLanes && group.pairs == 1 + joint.pair_count &&
         std::equal(group.parts.begin(), group.parts.end(), parts.begin(), parts.end(),
                    [](const WeightedPart& a, const RowPart& b) { return a.part == b.part && a.places == b.places; });
}

void setLane(const Model& model, const Joint& joint, const std::vector<RowPart>& parts, int lane, Group& group) {
  const auto at = static_cast<std::size_t>(lane);
  group.rows[0][at] = joint.first_row;
  for (int i = 0; i < joint.pair_count; ++i)
    group.rows[static_cast<std::size_t>(1 + i)][at] = model.rows + joint.first_pair + i;
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (int c = 0; c < 3; ++c) {
      group.parts[k].translation[c].set(lane, parts[k].translation[c]);
      group.parts[k].rotation[c].set(lane, parts[k].rotation[c]);
    }
}

}  // namespace

CouplerLanes::CouplerLanes(const Model& model) {
  const Vector none = Vector::Constant(Scalar(0.0));
  std::vector<OpenPart> open;
  for (std::size_t i = 0; i < model.couplers.size(); ++i) {
    const Coupler& coupler = model.couplers[i];
    if (!fitsLanes(coupler)) {
      alone_.push_back(static_cast<int>(i));
      continue;
    }
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    const std::vector<RowPart> parts = partsOf(coupler, open);
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) { return fits(other, parts, joint); });
    if (group == groups_.end()) {
      group = groups_.insert(groups_.end(), Group{0, 1 + joint.pair_count, {}, {}});
      for (const RowPart& part : parts) group->parts.push_back({part.part, part.places, none, none});
      for (int lane = 0; lane < kLanes; ++lane) setLane(model, joint, parts, lane, *group);
    }
    setLane(model, joint, parts, group->count++, *group);
  }
  for (const OpenPart& part : open) parts_.push_back(part.part());
  coordinates_.resize(parts_.size());
  of_rows_.resize(parts_.size());
}

void CouplerLanes::evaluate(const BodyMotion* motions, double* phi, RowJacobian* jacobian) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) evaluatePart(parts_[i], motions, coordinates_[i]);
  for (const Group& group : groups_) evaluateGroup(group, coordinates_.data(), phi, jacobian);
}

void CouplerLanes::evaluateValues(const BodyMotion* motions, double* phi) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) evaluatePartValues(parts_[i], motions, coordinates_[i]);
  for (const Group& group : groups_) storeValue(group.rows[0], 0, sumOf(group, coordinates_.data()), phi);
}

void CouplerLanes::evaluateGamma(const BodyMotion* motions, double* gamma) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) evaluatePartGammas(parts_[i], motions, coordinates_[i]);
  for (const Group& group : groups_) storeValue(group.rows[0], 0, sumOf(group, coordinates_.data()), gamma);
}

void CouplerLanes::addGeometricStiffness(const BodyMotion* motions, const double* lambda,
                                         Matrix3d* stiffness) const noexcept {
  for (std::array<Vector, 2>& sums : of_rows_) sums.fill(Vector::Constant(Scalar(0.0)));
  for (const Group& group : groups_) {
    LaneScalar of_row = loadValue(group.rows[0], 0, lambda);
    for (int lane = group.count; lane < kLanes; ++lane) of_row.set(lane, 0.0);
    for (const WeightedPart& part : group.parts) {
      of_rows_[part.part][0] += of_row * part.translation;
      of_rows_[part.part][1] += of_row * part.rotation;
    }
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) addStiffness(parts_[i], motions, of_rows_[i], stiffness);
}

}  // namespace tactus::rt
