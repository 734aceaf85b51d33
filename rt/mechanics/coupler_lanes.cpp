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
constexpr std::size_t kOfPart = 6;  ///< coordinates of a part

/// Values of the coordinates of a part, axis by lane.
struct PartValues {
  LaneScalar along, about;
};

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

/// Where the bodies of a part are: the same in all lanes.
TACTUS_INLINE LanePlace placeOf(const PrimitiveLanes::Indices& body, const BodyMotion* motions) noexcept {
  const BodyMotion& motion = motions[body[0]];
  LanePlace place;
  for (int k = 0; k < 3; ++k) place.n[k] = LaneScalar(motion.r[k]);
  for (int k = 0; k < 9; ++k) place.n[3 + k] = LaneScalar(motion.R.data()[k]);
  return place;
}

[[gnu::flatten]] PartValues evaluatePart(const Part& part, const BodyMotion* motions, Coordinates& to) noexcept {
  const LanePlace on_1 = placeOf(part.along.body_1, motions), on_2 = placeOf(part.along.body_2, motions);
  const Dot2Terms<LaneScalar> along = endsOf(part.along, on_1, on_2).dot2();
  const TwistTerms<LaneScalar> about = endsOf(part.about, on_1, on_2).twist();
  to.translation = along.a_1;
  to.arm_1 = along.d + along.s_1;
  to.arm_2 = along.s_2;
  to.normal = about.normal();
  return {along.phi(), about.phi()};
}

[[gnu::flatten]] PartValues evaluatePartValues(const Part& part, const BodyMotion* motions) noexcept {
  const LanePlace on_1 = placeOf(part.along.body_1, motions), on_2 = placeOf(part.along.body_2, motions);
  return {endsOf(part.along, on_1, on_2).dot2().phi(), endsOf(part.about, on_1, on_2).twist().phi()};
}

[[gnu::flatten]] PartValues evaluatePartGammas(const Part& part, const BodyMotion* motions) noexcept {
  const LanePlace on_1 = placeOf(part.along.body_1, motions), on_2 = placeOf(part.along.body_2, motions);
  const LaneRates of_1(part.along.body_1, motions), of_2(part.along.body_2, motions);
  return {endsOf(part.along, on_1, on_2).dot2().gamma(of_1.v, of_1.omega, of_2.v, of_2.omega),
          endsOf(part.about, on_1, on_2).twist().gamma(of_1.omega, of_2.omega)};
}

[[gnu::flatten]] void writeRows(const Group& group, const Coordinates* coordinates, RowJacobian* jacobian) noexcept {
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
  for (int pair = 0; pair < group.pairs; ++pair) {
    const PrimitiveLanes::Indices& of_pair = group.rows[static_cast<std::size_t>(pair)];
    double* rows[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane] = jacobian[of_pair[lane]].h[0];
    storeRow(rows, sides[2 * pair], sides[2 * pair + 1]);
  }
}

/// Axis by lane: the sum over the axes, each times a number.
TACTUS_INLINE Vector3d sumOfAxes(const LaneVector& axes, const double* numbers) noexcept {
  Vector3d sum;
  for (int k = 0; k < 3; ++k) sum[k] = axes[k][0] * numbers[0] + axes[k][1] * numbers[1] + axes[k][2] * numbers[2];
  return sum;
}

/// The products of the axes with a vector, axis by lane.
TACTUS_INLINE LaneScalar dots(const LaneVector& axes, const Vector3d& v) noexcept {
  return axes[0] * LaneScalar(v[0]) + axes[1] * LaneScalar(v[1]) + axes[2] * LaneScalar(v[2]);
}

/// A vector whose lanes are equal.
TACTUS_INLINE Vector3d ofOneLane(const LaneVector& v) noexcept {
  return {v[0][0], v[1][0], v[2][0]};
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
  std::vector<std::vector<RowPart>> of_rows;
  for (std::size_t i = 0; i < model.couplers.size(); ++i) {
    const Coupler& coupler = model.couplers[i];
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    if (!joint.compliant() || !fitsLanes(coupler)) {
      alone_.push_back(static_cast<int>(i));
      continue;
    }
    const std::vector<RowPart> parts = partsOf(coupler, open);
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) { return fits(other, parts, joint); });
    if (group == groups_.end()) {
      group = groups_.insert(groups_.end(), Group{0, 1 + joint.pair_count, {}, {}});
      for (const RowPart& part : parts) group->parts.push_back({part.part, part.places, none, none});
      for (int lane = 0; lane < kLanes; ++lane) setLane(model, joint, parts, lane, *group);
    }
    setLane(model, joint, parts, group->count++, *group);
    rows_.push_back(joint.first_row);
    of_rows.push_back(parts);
  }
  for (const OpenPart& part : open) parts_.push_back(part.part());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(kOfPart * parts_.size()),
                                                  static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t r = 0; r < of_rows.size(); ++r)
    for (const RowPart& part : of_rows[r])
      weights.col(static_cast<Eigen::Index>(r)).segment<6>(static_cast<Eigen::Index>(kOfPart * part.part))
          << part.translation,
          part.rotation;
  weights_ = WeightedRows(rows_, weights);
  numbers_.resize(kOfPart * parts_.size() + kLanes);  // a vector of three axes has four lanes
  coordinates_.resize(parts_.size());
}

void CouplerLanes::put(std::size_t part, const Scalar& along, const Scalar& about) const noexcept {
  double* const to = numbers_.data() + kOfPart * part;
  along.to(to);
  about.to(to + 3);
}

void CouplerLanes::evaluate(const BodyMotion* motions, double* phi) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const PartValues values = evaluatePart(parts_[i], motions, coordinates_[i]);
    put(i, values.along, values.about);
  }
  weights_.sum(numbers_.data(), phi);
}

void CouplerLanes::writeJacobian(RowJacobian* jacobian) const noexcept {
  for (const Group& group : groups_) writeRows(group, coordinates_.data(), jacobian);
}

template <auto Linear, auto Angular>
void CouplerLanes::times(const BodyMotion* motions, double* of_rows) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Coordinates& of = coordinates_[i];
    const BodyMotion &m_1 = motions[parts_[i].along.body_1[0]], &m_2 = motions[parts_[i].along.body_2[0]];
    const Vector3d &turning_1 = m_1.*Angular, &turning_2 = m_2.*Angular;
    const Vector3d apart =
        m_2.*Linear - m_1.*Linear + turning_2.cross(ofOneLane(of.arm_2)) - turning_1.cross(ofOneLane(of.arm_1));
    put(i, dots(of.translation, apart), dots(of.normal, turning_1 - turning_2));
  }
  weights_.sum(numbers_.data(), of_rows);
}

void CouplerLanes::rates(const BodyMotion* motions, double* of_rows) const noexcept {
  times<&BodyMotion::v, &BodyMotion::omega_w>(motions, of_rows);
}

void CouplerLanes::accelerations(const BodyMotion* motions, double* of_rows) const noexcept {
  times<&BodyMotion::a, &BodyMotion::alpha_w>(motions, of_rows);
}

void CouplerLanes::subtractReactions(const double* lambda, double* right_sides) const noexcept {
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  weights_.add(lambda, numbers_.data());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Coordinates& of = coordinates_[i];
    const double* const loads = numbers_.data() + kOfPart * i;
    const Vector3d force = sumOfAxes(of.translation, loads), torque = sumOfAxes(of.normal, loads + 3);
    double *on_1 = right_sides + 6 * parts_[i].along.body_1[0], *on_2 = right_sides + 6 * parts_[i].along.body_2[0];
    const Vector3d turning_1 = force.cross(ofOneLane(of.arm_1)) + torque,
                   turning_2 = ofOneLane(of.arm_2).cross(force) - torque;
    for (int k = 0; k < 3; ++k) {
      on_1[k] += force[k];
      on_1[3 + k] -= turning_1[k];
      on_2[k] -= force[k];
      on_2[3 + k] -= turning_2[k];
    }
  }
}

void CouplerLanes::evaluateValues(const BodyMotion* motions, double* phi) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const PartValues values = evaluatePartValues(parts_[i], motions);
    put(i, values.along, values.about);
  }
  weights_.sum(numbers_.data(), phi);
}

void CouplerLanes::evaluateGamma(const BodyMotion* motions, double* gamma) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const PartValues values = evaluatePartGammas(parts_[i], motions);
    put(i, values.along, values.about);
  }
  weights_.sum(numbers_.data(), gamma);
}

}  // namespace tactus::rt
